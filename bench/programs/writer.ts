// Appends a number of events to a log like a gateway: `writer.ts URL NAME COUNT`. It is its own process, so that two of them
// compete for commits.
import { openEventLog } from "../../src/events/eventLog.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { openStore } from "../../src/store/store.ts";
import { callEnded } from "../support/callEnded.ts";

const [url = "", name = "", count = "0"] = process.argv.slice(2);
const TOGETHER = 40;

const store = await openStore({ url, log: silentLog });
const log = {
  store: store.events,
  signer: createSigner(store.signingKey),
  clock: Date.now,
  checkpointMs: 60_000,
  log: silentLog,
};
const events = await openEventLog(log);
let made = 0;
async function write(): Promise<void> {
  while (made < Number(count)) {
    made += 1;
    await events.append(callEnded(`${name} ${made}`), "WEBHOOK");
  }
}
await Promise.all(Array.from({ length: TOGETHER }, write));
await events[Symbol.asyncDispose]();
await store[Symbol.asyncDispose]();
