// `syncedWriter.ts FILE SYNCHRONOUS` appends events to the log in FILE and prints the id of each one that was kept.
// SYNCHRONOUS replaces the gateway's own value of the pragma; "as it is" leaves it.
import { writeSync } from "node:fs";
import { sql } from "kysely";
import { callEnded } from "../../bench/support/callEnded.ts";
import { openEventLog } from "../../src/events/eventLog.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createEventStore } from "../../src/store/events/eventStore.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";

const [file = "", synchronous = "as it is"] = process.argv.slice(2);
const database = await openDatabase(`file:${file}`, silentLog);
await migrate(database);
if (synchronous !== "as it is") {
  await sql.raw(`pragma synchronous = ${synchronous}`).execute(database.db);
  // A checkpoint syncs all of the file. One just before the cut would hide that the commits did not sync.
  await sql.raw("pragma wal_autocheckpoint = 0").execute(database.db);
}
const store = createEventStore(database);
const signer = createSigner(Buffer.alloc(32));
const log = await openEventLog({ store, signer, clock: Date.now, checkpointMs: 60_000, log: silentLog });

async function write(own: number): Promise<never> {
  for (let at = 0; ; at += 1) {
    const sessionId = `${own} ${at}`;
    await log.append(callEnded(sessionId), "WEBHOOK");
    writeSync(1, `{"kept":"${sessionId}"}\n`);
  }
}
await Promise.all([0, 1, 2, 3].map(write));
