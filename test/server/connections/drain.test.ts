import { describe, expect, it } from "vitest";
import { drain, type Drainable } from "../../../src/server/connections/drain.ts";
import { until } from "../../support/until.ts";

/** Connections that close as soon as close() is called, and the number closed in each turn of the event loop. */
function crowd(size: number) {
  const present = new Set<Drainable>();
  const turns: number[] = [];
  let isSameTurn = false;
  const leave = (one: Drainable) => () => {
    present.delete(one);
    if (!isSameTurn) turns.push(0);
    isSameTurn = true;
    setImmediate(() => (isSameTurn = false));
    turns.push((turns.pop() ?? 0) + 1);
  };
  for (let at = 0; at < size; at += 1) {
    const one: Drainable = { isBusy: () => false, close: () => leave(one)() };
    present.add(one);
  }
  return { present, turns };
}

describe("drain()", () => {
  it("closes a share of the connections at a time", async () => {
    const { present, turns } = crowd(300);
    await drain(() => [...present], 1000);
    expect(present.size).toBe(0);
    expect(turns.length).toBeGreaterThan(5);
    expect(Math.max(...turns)).toBeLessThanOrEqual(Math.ceil(300 / 7));
  });

  it("closes few connections at once, and does not wait without any", async () => {
    const { present, turns } = crowd(8);
    await drain(() => [...present], 600_000);
    expect(turns).toEqual([8]);
    await drain(() => [], 600_000);
  });

  it("closes a busy connection only after its answer", async () => {
    const { present } = crowd(3);
    let isBusy = true;
    let wasTold = false;
    const busy: Drainable = {
      isBusy: () => isBusy,
      close: () => {
        wasTold = true;
        present.delete(busy);
      },
    };
    present.add(busy);
    const drained = drain(() => [...present], 600_000);
    await until(() => present.size === 1);
    expect(wasTold).toBe(false);
    isBusy = false;
    await drained;
    expect(wasTold).toBe(true);
  });

  it("closes each connection once, and does not wait for a peer that never answers", async () => {
    let closeCalls = 0;
    const unresponsive: Drainable = { isBusy: () => false, close: () => (closeCalls += 1) };
    await drain(() => [unresponsive], 600_000);
    expect(closeCalls).toBe(1);
  });

  it("ends with the window if a connection stays busy", async () => {
    let closeCalls = 0;
    const busy: Drainable = { isBusy: () => true, close: () => (closeCalls += 1) };
    await drain(() => [busy], 200);
    expect(closeCalls).toBe(0);
  });
});
