import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openEventLog } from "../../../src/events/eventLog.ts";
import { callEnded, signer } from "../../events/callEnded.ts";
import { silentLog } from "../../support/silentLog.ts";
import { postgres } from "../databases.ts";
import { open, seqs, tempStore, WHOLE } from "../tempStore.ts";

const AFTER_RESTORE = readFileSync(new URL("../../../ops/afterRestore.sql", import.meta.url), "utf8");
const request = { filter: {}, revisions: true, first: 10, order: "oldestFirst" } as const;

it("ops/afterRestore.sql keeps the positions of lost events from being used again, and names where to go on", async () => {
  const { url, ask } = await postgres.create();
  const before = await open(url);
  const logOf = async ({ events: store }: typeof before) =>
    openEventLog({ store, signer, clock: Date.now, checkpointMs: 1e6, log: silentLog });
  const first = await logOf(before);
  await first.append(callEnded({ sessionId: "a" }), "WEBHOOK");
  const kept = (await first.page({ ...request, after: null })).headCursor;
  await first.append(callEnded({ sessionId: "lost" }), "WEBHOOK");
  const lost = (await first.page({ ...request, after: null })).headCursor;
  await first[Symbol.asyncDispose]();
  await before[Symbol.asyncDispose]();
  // As after a recovery to the moment before the last event.
  await ask("delete from events where session_id = 'lost'");
  await ask("select setval(pg_get_serial_sequence('events', 'seq'), 1)");

  const [{ log_ended_at: ended, log_continues_after: next } = {}] = await ask(AFTER_RESTORE);
  expect(Number(ended)).toBe(1);
  const store = await tempStore(url);
  const log = await logOf(store);
  await log.append(callEnded({ sessionId: "lost" }), "RECONCILED");
  expect(seqs(await store.events.read(WHOLE))).toEqual([1, Number(next) + 1]);
  await expect(log.page({ ...request, after: lost })).rejects.toMatchObject({ code: "CURSOR_INVALID", cursor: kept });
  expect((await log.page({ ...request, after: kept })).events).toMatchObject([{ sessionId: "lost" }]);
  await log[Symbol.asyncDispose]();
});
