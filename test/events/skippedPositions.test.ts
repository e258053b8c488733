import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openEventLog, type EventBatch, type StreamItem } from "../../src/events/eventLog.ts";
import { restoreBackup } from "../../src/store/sqlite/restoreFile.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { callEnded, NOW, signer } from "./callEnded.ts";

const options = { signer, clock: () => NOW, checkpointMs: 1e6, log: silentLog };
const request = { filter: {}, revisions: true } as const;

/** A log with the call "a", which was restored and then got the call "b": their positions are a trillion apart. */
async function restoredLog() {
  const file = tempFile();
  {
    await using store = await tempStore(`file:${file}`);
    await using log = await openEventLog({ ...options, store: store.events });
    await log.append(callEnded({ sessionId: "a" }), "WEBHOOK");
  }
  const backup = `${file}.backup`;
  {
    using database = new DatabaseSync(file);
    database.prepare("vacuum into ?").run(backup);
  }
  restoreBackup(backup, file, NOW);
  const { events: store } = await tempStore(`file:${file}`);
  {
    await using log = await openEventLog({ ...options, store });
    await log.append(callEnded({ sessionId: "b" }), "WEBHOOK");
  }
  return openEventLog({ ...options, store });
}

async function nextEvent(items: AsyncIterableIterator<StreamItem>): Promise<string> {
  for (;;) {
    const { value } = await items.next();
    if (value?.kind === "event") return value.event.sessionId;
  }
}

it("follows the log over the positions that a restore skipped", async () => {
  await using log = await restoredLog();
  const items = await log.follow({ ...request, after: log.oldestCursor() });
  expect([await nextEvent(items), await nextEvent(items)]).toEqual(["a", "b"]);
  await items.return?.();
});

it("reads batches over the positions that a restore skipped", async () => {
  await using log = await restoredLog();
  const batches = await log.followBatches(log.oldestCursor());
  const received: string[] = [];
  while (received.length < 2) {
    const { value } = (await batches.next()) as { value: EventBatch };
    received.push(...value.events.map(({ sessionId }) => sessionId));
  }
  expect(received).toEqual(["a", "b"]);
  await batches.return?.();
});
