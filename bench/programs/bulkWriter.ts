// Writes a number of events into a log, as a gateway would over a long time: `bulkWriter.ts URL NAME COUNT`. Marks them as
// read by the durable readers, so that a gateway started on the log has nothing to catch up with.
import { createEventCursors } from "../../src/events/logEntry.ts";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { openStore } from "../../src/store/store.ts";
import { callEnded } from "../support/callEnded.ts";

const [url = "", name = "", count = "0"] = process.argv.slice(2);
const TOGETHER = 1000;
const READERS = ["known tasks", "recordings", "correlation"];

await using store = await openStore({ url, log: silentLog });
for (let made = 0; made < Number(count); made += TOGETHER) {
  const some = Math.min(TOGETHER, Number(count) - made);
  const deliveries = Array.from({ length: some }, (_, at) =>
    deliveryOf(callEnded(`${name} ${made + at}`), "WEBHOOK", new Date().toISOString()),
  );
  await store.events.append(deliveries, reviseCall);
}
const head = createEventCursors(createSigner(store.signingKey)).at(await store.events.head());
for (const reader of READERS) await store.readers.advance(reader, head);
