import { describe, expect, it } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { appendRows, eventRow, seqs, tempStore, WHOLE } from "../store/tempStore.ts";
import { postgres } from "../store/databases.ts";

/** Reads from its cursor as fast as it can; every place it was given. */
async function readOn({ events }: Store, isOver: () => Promise<boolean>): Promise<number[]> {
  const given: number[] = [];
  for (let over = false; !over;) {
    // Asked before it reads: what was written until then is read once more.
    over = await isOver();
    for (;;) {
      const rows = await events.read({ ...WHOLE, after: given.at(-1) ?? 0, limit: 50 });
      given.push(...seqs(rows));
      if (rows.length === 0) break;
    }
  }
  return given;
}

/** Writers on connections of their own, in groups of any size, some of which fail: their places are never taken. */
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
  const readers = [0, 1, 2].map(() => readOn(reader, async () => writing === 0));
  await written;
  const given = await Promise.all(readers);
  return { given, stored: seqs(await reader.events.read(WHOLE)) };
}

describe("places are given in the order of commits, whoever writes", () => {
  it("a reader never finds an event behind its cursor", { timeout: 300_000 }, async () => {
    const { given, stored } = await writeAndRead(4, 250);
    expect(stored.length).toBeGreaterThan(3000);
    for (const one of given) expect(one).toEqual(stored);
  });
});
