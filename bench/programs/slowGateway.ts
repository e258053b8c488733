// Runs a gateway with a slow disk: `slowGateway.ts MS` delays each commit of the log. Reads the gateway's variables.
import { setTimeout as pause } from "node:timers/promises";
import { readConfig } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { openStore } from "../../src/store/store.ts";

const [ms] = process.argv.slice(2);
const { upstream, ...config } = readConfig(process.env);
if (!upstream) throw new Error("no service is named");
const store = await openStore({ url: config.databaseUrl, log: silentLog });
const append: typeof store.events.append = async (deliveries, revise) => {
  await pause(Number(ms));
  return store.events.append(deliveries, revise);
};
const slow = { ...store, events: { ...store.events, append } };
const gateway = await createGateway({ ...config, upstream }, silentLog, { store: slow });
process.once("SIGTERM", () => void gateway[Symbol.asyncDispose]());
process.stderr.write(`  Switchboard    ${gateway.url}\n`);
