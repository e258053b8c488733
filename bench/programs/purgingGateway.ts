// Runs a gateway that deletes expired data at once and each 200 ms. Reads the gateway's variables.
import { readConfig } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { createLogger } from "../../src/logger.ts";

const { upstream, ...config } = readConfig(process.env);
if (!upstream) throw new Error("no service is named");
const log = createLogger({ level: "info", secrets: [] });
const purgeTimes = { firstAfterMs: 0, intervalMs: 200 };
const gateway = await createGateway({ ...config, upstream }, log, { purgeTimes });
process.once("SIGTERM", () => void gateway[Symbol.asyncDispose]());
log.info({ url: gateway.url }, "the gateway listens");
