import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { appendRows, eventRow, seqs, tempStore, WHOLE } from "../store/tempStore.ts";
import { postgres } from "../store/databases.ts";

/** Reads from its cursor as fast as it can; returns all positions that it read. */
async function readUntil({ events }: Store, isOver: () => Promise<boolean>): Promise<number[]> {
  const read: number[] = [];
  for (let over = false; !over;) {
    // The check comes before the read, so that the last read sees all that was written.
    over = await isOver();
    for (;;) {
      const rows = await events.read({ ...WHOLE, after: read.at(-1) ?? 0, limit: 50 });
      read.push(...seqs(rows));
      if (rows.length === 0) break;
    }
  }
  return read;
}

/** Writes on one connection for each writer, in groups of different sizes. Every fifth group fails and leaves no position. */
async function writeAndRead(writers: number, groups: number) {
  const { url } = await postgres.create();
  const stores = await Promise.all(Array.from({ length: writers }, () => tempStore(url)));
  const reader = await tempStore(url);
  let writing = writers;
  const write = async ({ events }: Store, own: number) => {
    for (let group = 0; group < groups; group += 1) {
      const rows = Array.from({ length: 1 + (group % 7) }, (_, at) => eventRow({ sessionId: `${own} ${group} ${at}` }));
      const isBroken = group % 5 === 0;
      if (isBroken) rows.push(eventRow({ sessionId: "broken", data: null as unknown as string }));
      await appendRows(events, rows).catch((error: unknown) => {
        if (!isBroken) throw error;
      });
    }
    writing -= 1;
  };
  const written = Promise.all(stores.map(write));
  const readers = [0, 1, 2].map(() => readUntil(reader, async () => writing === 0));
  await written;
  const reads = await Promise.all(readers);
  return { reads, stored: seqs(await reader.events.read(WHOLE)) };
}

describe("The positions of events from several writers", () => {
  it("are in the order of commits, so that a reader misses no event", { timeout: 300_000 }, async () => {
    const { reads, stored } = await writeAndRead(4, 250);
    expect(stored.length).toBeGreaterThan(3000);
    for (const one of reads) expect(one).toEqual(stored);
  });
});
