import { describe, expect, it } from "vitest";
import { createBatchedRead, shareRead } from "../../src/events/batchedRead.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { callEnded, tempLog } from "./callEnded.ts";

/** A read that ends when it is told to. */
function heldRead() {
  const reads: { keys: readonly string[]; end: (error?: Error) => void }[] = [];
  const read = createBatchedRead(
    (keys: readonly string[]) =>
      new Promise<Map<string, string>>((resolve, reject) => {
        const end = (error?: Error) => (error ? reject(error) : resolve(new Map(keys.map((key) => [key, `<${key}>`]))));
        reads.push({ keys, end });
      }),
  );
  return { read, reads };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("A batched read", () => {
  it("reads each key once for ten thousand simultaneous callers", async () => {
    const { read, reads } = heldRead();
    const answers = Array.from({ length: 10_000 }, (_, at) => read([`${at % 3}`]));
    await turn();
    expect(reads.map(({ keys }) => keys)).toEqual([["0", "1", "2"]]);
    reads[0]?.end();
    expect((await answers[4])?.get("1")).toBe("<1>");
  });

  it("reads again for keys that are requested during a read", async () => {
    const { read, reads } = heldRead();
    void read(["a"]);
    await turn();
    const [again, other] = [read(["a"]), read(["b"])];
    await turn();
    expect(reads).toHaveLength(1);
    reads[0]?.end();
    await turn();
    expect(reads[1]?.keys).toEqual(["a", "b"]);
    reads[1]?.end();
    expect([(await again).get("a"), (await other).get("b")]).toEqual(["<a>", "<b>"]);
  });

  it("rejects only for the callers of a failed read", async () => {
    const { read, reads } = heldRead();
    const first = read(["a"]);
    await turn();
    const second = read(["a"]);
    reads[0]?.end(new Error("down"));
    await expect(first).rejects.toThrow("down");
    await turn();
    reads[1]?.end();
    expect((await second).get("a")).toBe("<a>");
  });
});

describe("A shared read", () => {
  it("is never one that began before the call", async () => {
    const reads: PromiseWithResolvers<number>[] = [];
    const read = shareRead(() => {
      const answer = Promise.withResolvers<number>();
      reads.push(answer);
      return answer.promise;
    });
    const first = [read(), read()];
    await turn();
    const later = [read(), read()];
    reads[0]?.resolve(1);
    expect(await Promise.all(first)).toEqual([1, 1]);
    await turn();
    reads[1]?.resolve(2);
    expect(await Promise.all(later)).toEqual([2, 2]);
    expect(reads).toHaveLength(2);
  });
});

describe("newestOf() of many calls", () => {
  it("returns the newest revision of each call that exists", async () => {
    const log = await tempLog();
    await log.append(callEnded({ sessionId: "a", hangupReason: null }), "WEBHOOK");
    await log.append(callEnded({ sessionId: "a", hangupReason: "busy" }), "WEBHOOK");
    await log.append(callEnded({ sessionId: "b" }), "RECONCILED");
    const found = await log.newestOf(["a", "b", "c", "", "x\0y", "\ud800"]);
    expect(found.map((event) => (event as CallEndedEvent | null)?.sessionId)).toEqual(["a", "b", ...Array(4)]);
    expect(found[0]).toMatchObject({ revision: 2, hangupReason: "busy" });
    expect(await log.byRevision("a", 1)).toMatchObject({ revision: 1, hangupReason: null });
    expect([await log.byRevision("a", 3), await log.byRevision("c", 1)]).toEqual([null, null]);
  });
});
