import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createLargeBodyQueue } from "../../../src/server/body/largeBodyQueue.ts";

const responseOf = () => Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse;

/** Two active bodies, and two waiting bodies per caller. */
function open() {
  const bodies = createLargeBodyQueue({ maxActive: 2, maxWaitingPerCaller: 2 });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    enter(caller: string, name: string, response = responseOf()) {
      const turn = bodies.enter(caller, response);
      void turn?.then((end) => {
        begun.push(name);
        ends.set(name, end);
      });
      return turn !== null;
    },
    end: (name: string) => ends.get(name)?.(),
    settled: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe("large bodies", () => {
  it("are active one per caller and two in total, and callers take turns", async () => {
    const { enter, end, begun, settled } = open();
    for (const name of ["a1", "a2", "a3"]) enter("a", name);
    await settled();
    expect(begun).toEqual(["a1"]);
    for (const name of ["b1", "b2"]) enter("b", name);
    enter("c", "c1");
    await settled();
    expect(begun).toEqual(["a1", "b1"]);
    for (const name of ["a1", "b1", "a2", "b2"]) {
      end(name);
      // A second release starts no other body.
      end(name);
      await settled();
    }
    expect(begun).toEqual(["a1", "b1", "a2", "b2", "c1", "a3"]);
  });

  it("are refused if too many of one caller wait", async () => {
    const { enter, begun, settled } = open();
    expect(["a1", "a2", "a3", "a4"].map((name) => enter("a", name))).toEqual([true, true, true, false]);
    expect(enter("b", "b1")).toBe(true);
    await settled();
    expect(begun).toEqual(["a1", "b1"]);
  });

  it("leave the queue when their client disconnects", async () => {
    const { enter, begun, settled, end } = open();
    enter("a", "a1");
    const left = responseOf();
    enter("a", "a2", left);
    enter("a", "a3");
    left.emit("close");
    expect(enter("a", "a4")).toBe(true);
    await settled();
    end("a1");
    await settled();
    expect(begun).toEqual(["a1", "a2", "a3"]);
    // It had no turn to release.
    end("a2");
    await settled();
    expect(begun).toHaveLength(3);
  });

  it("take no place for a client that has disconnected before", async () => {
    const { enter, begun, settled } = open();
    enter("a", "gone", Object.assign(responseOf(), { destroyed: true }));
    enter("a", "a1");
    await settled();
    expect(begun).toEqual(["gone", "a1"]);
  });
});
