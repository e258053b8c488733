import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

const SLICE_MS = 5;
const SHARE_MS = 2;
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An event loop whose turns and clock the test moves. */
function virtualLoop() {
  let time = 0;
  let turn = 0;
  let begins: (() => void)[] = [];
  const slices = createTimeSlices({ next: (begin) => void begins.push(begin) }, () => time);
  return {
    slices,
    work: (ms: number) => (time += ms),
    /** Starts work at once, and resolves when it is over. */
    async workAtOnce(viewer: string, ms: number) {
      expect(slices.waitForSlice(viewer)).toBeUndefined();
      time += ms;
      await nextTurn();
    },
    turn: () => turn,
    async endTurn() {
      turn += 1;
      const due = begins;
      begins = [];
      for (const begin of due) begin();
      await nextTurn();
    },
  };
}

interface Started {
  viewer: string;
  at: number;
  ms: number;
  turn: number;
}

const total = (works: readonly Started[]) => works.reduce((sum, { ms }) => sum + ms, 0);

/** Groups neighbours that are alike. */
function blocksOf<T>(items: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const blocks: T[][] = [];
  for (const item of items) {
    const last = blocks.at(-1);
    if (last && keyOf(last[0] as T) === keyOf(item)) last.push(item);
    else blocks.push([item]);
  }
  return blocks;
}

describe("A85: waiting work", () => {
  const work = fc.record({ viewer: fc.constantFrom("a", "b", "c", "d"), ms: fc.constantFrom(0.125, 0.5, 1.5, 3, 12) });

  it("starts in slices, viewers in rotation by their shares, the work of one viewer in order, and all of it", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(work, { maxLength: 200, size: "max" }), async (asked) => {
        const loop = virtualLoop();
        // The slice of this turn is used, so that everything else waits.
        await loop.workAtOnce("first", SLICE_MS);
        const started: Started[] = [];
        for (const [at, { viewer, ms }] of asked.entries()) {
          const turn = loop.slices.waitForSlice(viewer);
          expect(turn).toBeInstanceOf(Promise);
          void turn?.then(() => {
            started.push({ viewer, at, ms, turn: loop.turn() });
            loop.work(ms);
          });
        }
        for (let turns = 0; started.length < asked.length; turns += 1) {
          expect(turns).toBeLessThanOrEqual(asked.length);
          await loop.endTurn();
        }
        // A slice ends with the work that exceeds it.
        for (const slice of blocksOf(started, ({ turn }) => turn))
          expect(total(slice.slice(0, -1))).toBeLessThan(SLICE_MS);
        // A share ends with the work that exceeds it, where others wait.
        const blocks = blocksOf(started, ({ viewer }) => viewer);
        for (const block of blocks.slice(0, -1)) expect(total(block.slice(0, -1))).toBeLessThan(SHARE_MS);
        for (const [at, block] of blocks.entries()) {
          const comesBack = blocks.slice(at + 1).some((later) => later[0]?.viewer === block[0]?.viewer);
          if (comesBack) expect(total(block)).toBeGreaterThanOrEqual(SHARE_MS);
        }
        for (const viewer of new Set(started.map((each) => each.viewer))) {
          const own = started.filter((each) => each.viewer === viewer).map(({ at }) => at);
          expect(own).toEqual(own.toSorted((one, other) => one - other));
          // While a viewer waits, each other one has at most one share.
          const places = blocks.flatMap((block, at) => (block[0]?.viewer === viewer ? [at] : []));
          const gaps = places.map((place, at) => blocks.slice((places[at - 1] ?? -1) + 1, place));
          for (const gap of gaps) expect(new Set(gap.map((block) => block[0]?.viewer)).size).toBe(gap.length);
        }
      }),
    );
  });

  it("of another viewer starts within a share of each viewer, before the rest of a thousand", async () => {
    const { slices, work: take, workAtOnce, endTurn } = virtualLoop();
    const order: string[] = [];
    const ask = (viewer: string, ms: number) =>
      void slices.waitForSlice(viewer)?.then(() => {
        order.push(viewer);
        take(ms);
      });
    await workAtOnce("first", SLICE_MS);
    for (let at = 0; at < 1000; at += 1) ask("many", 0.5);
    ask("one", 0.5);
    await endTurn();
    expect(order.indexOf("one")).toBe(SHARE_MS / 0.5);
  });

  it("starts with a delay of one turn at most when nobody else is there", async () => {
    const { slices, workAtOnce, endTurn } = virtualLoop();
    for (let turn = 0; turn < 5; turn += 1) {
      await workAtOnce("web", SLICE_MS - 1);
      await workAtOnce("web", 1);
      let hasStarted = false;
      void slices.waitForSlice("web")?.then(() => (hasStarted = true));
      await endTurn();
      expect(hasStarted).toBe(true);
      await endTurn();
    }
  });
});

describe("Work that goes on in microtasks", () => {
  it("starts one by one, so that a result which many wait for at the same time fills one slice only", async () => {
    const { slices, work: take, turn, endTurn } = virtualLoop();
    const result = Promise.resolve();
    const started: number[] = [];
    const readers = Array.from({ length: 10 }, async () => {
      await result;
      const wait = slices.waitForSlice("reader");
      if (wait) await wait;
      // What was read is passed on, and processed then.
      await Promise.resolve();
      take(SLICE_MS / 2);
      started.push(turn());
    });
    await nextTurn();
    while (started.length < readers.length) await endTurn();
    expect(blocksOf(started, String).map(({ length }) => length)).toEqual([2, 2, 2, 2, 2]);
  });
});

function holdLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Each step fills a slice. */
function* workOf(steps: number) {
  for (let step = 0; step < steps; step += 1) {
    holdLoop(11);
    yield;
  }
}

describe("Long jobs", () => {
  it("of several viewers get a share each in turn", async () => {
    const { slices, work: take, workAtOnce, endTurn } = virtualLoop();
    const order: string[] = [];
    function* job(viewer: string) {
      for (let step = 0; step < 12; step += 1) {
        order.push(viewer);
        take(0.5);
        yield;
      }
    }
    await workAtOnce("first", SLICE_MS);
    const jobs = ["a", "b"].map((viewer) => slices.run(viewer, job(viewer)));
    for (let turn = 0; turn < 3; turn += 1) await endTurn();
    await Promise.all(jobs);
    expect(blocksOf(order, (viewer) => viewer).map(({ length }) => length)).toEqual([4, 4, 4, 4, 4, 4]);
  });

  it("begin in no turn whose slice is over", async () => {
    const { run } = createTimeSlices();
    const begun: number[] = [];
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    function* work() {
      begun.push(turn);
      holdLoop(15);
      yield;
    }
    await Promise.all(Array.from({ length: 5 }, () => run("web", work())));
    isOver = true;
    expect(new Set(begun).size).toBe(5);
  });

  it("share the slice of a turn with short work", async () => {
    const { run, waitForSlice } = createTimeSlices();
    const job = run("creator", workOf(2));
    const turn = waitForSlice("web");
    expect(turn).toBeInstanceOf(Promise);
    await Promise.all([job, turn]);
  });

  it("are shared by viewers in rotation, so that one job ends before the many of another viewer", async () => {
    const slices = createTimeSlices();
    let ended = 0;
    const many = Array.from({ length: 30 }, () => slices.run("reader", workOf(1)).then(() => (ended += 1)));
    await slices.run("creator", workOf(4));
    expect(ended).toBeLessThan(10);
    await Promise.all(many);
  });

  it("of one viewer take turns, so that a short one does not wait for the end of a long one", async () => {
    const slices = createTimeSlices();
    const ended: number[] = [];
    await Promise.all(
      [3, 1, 2].map((steps, at) => slices.run("reader", workOf(steps)).then(() => void ended.push(at))),
    );
    expect(ended).toEqual([1, 0, 2]);
  });
});
