import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { createLatestEventCache } from "../../src/events/latestEventCache.ts";
import { callEnded } from "./callEnded.ts";

const eventOf = (sessionId: string, revision: number): CallEndedEvent => ({
  ...callEnded({ sessionId }),
  cursor: String(revision),
  revision,
  source: "WEBHOOK",
  receivedAt: "2026-11-20T09:30:00.000Z",
});

/** A log of one number per call: its newest revision. */
function remembering({ most = 100, maxAgeMs = 1000 } = {}) {
  const log = new Map<string, number>();
  const asked: string[][] = [];
  const absent = new Set<string>();
  const gates: (() => void)[] = [];
  let held = false;
  let time = 0;
  const newest = createLatestEventCache({
    async read(ids) {
      asked.push([...ids]);
      const read = new Map(ids.flatMap((id) => (log.has(id) ? [[id, eventOf(id, log.get(id) ?? 0)] as const] : [])));
      if (held) await new Promise<void>((resolve) => gates.push(resolve));
      return read;
    },
    mayBeInLog: (id) => !absent.has(id),
    maxEntries: most,
    maxAgeMs,
    now: () => time,
  });
  return {
    newest,
    asked,
    absent,
    append(id: string) {
      log.set(id, (log.get(id) ?? 0) + 1);
      newest.invalidate(id);
    },
    hold: () => (held = true),
    release() {
      held = false;
      for (const open of gates.splice(0)) open();
    },
    wait: (ms: number) => (time += ms),
    revisions: async (...ids: string[]) => {
      const found = await newest.get(ids);
      return found.map((event) => (event as CallEndedEvent | null)?.revision ?? 0);
    },
    log,
  };
}

describe("The cache of latest events", () => {
  it("returns cached events synchronously, missing calls included", async () => {
    const { newest, asked, append, revisions } = remembering();
    append("a");
    expect(await revisions("a", "b")).toEqual([1, 0]);
    expect(newest.get(["b", "a"])).not.toBeInstanceOf(Promise);
    append("b");
    expect(await revisions("a", "b")).toEqual([1, 1]);
    expect(asked).toEqual([["a", "b"], ["b"]]);
  });

  it("reads nothing of a call that is certainly not in the log", async () => {
    const { asked, absent, append, revisions } = remembering();
    append("a");
    absent.add("b");
    expect(await revisions("b", "a")).toEqual([0, 1]);
    absent.delete("b");
    append("b");
    expect(await revisions("b", "a")).toEqual([1, 1]);
    expect(asked).toEqual([["a"], ["b"]]);
  });

  it("drops an event whose call is appended to during the read", async () => {
    const { append, hold, release, revisions } = remembering();
    append("a");
    hold();
    const reading = revisions("a");
    append("a");
    release();
    await reading;
    expect(await revisions("a")).toEqual([2]);
  });

  it("keeps an event for a limited time, and a limited number of calls", async () => {
    const { newest, asked, revisions, wait } = remembering({ most: 2 });
    await revisions("a", "b", "c");
    await revisions("b", "c");
    expect(asked).toHaveLength(1);
    await revisions("a");
    wait(1001);
    await revisions("c");
    newest.invalidateAll();
    await revisions("c");
    expect(asked.slice(1)).toEqual([["a"], ["c"], ["c"]]);
  });

  it("never returns less than was appended before the call, in any order of steps", async () => {
    const id = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      fc.record({ do: fc.constant("append" as const), id }),
      fc.record({ do: fc.constant("ask" as const), id }),
      fc.constant({ do: "hold" as const, id: "" }),
      fc.constant({ do: "release" as const, id: "" }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const world = remembering({ most: 2 });
        const answers: Promise<void>[] = [];
        for (const { do: what, id } of steps) {
          if (what === "append") world.append(id);
          else if (what === "hold") world.hold();
          else if (what === "release") world.release();
          else {
            const least = world.log.get(id) ?? 0;
            const asked = world.revisions(id).then(([revision]) => expect(revision).toBeGreaterThanOrEqual(least));
            answers.push(asked);
          }
        }
        world.release();
        await Promise.all(answers);
        expect(await world.revisions("a", "b", "c")).toEqual(["a", "b", "c"].map((id) => world.log.get(id) ?? 0));
      }),
    );
  });
});
