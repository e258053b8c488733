// Many destinations write the files of an hour at once: how many have lines in memory, and that none waits for ever.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventReference, HourAttempt } from "../../../src/destinations/deliverer.ts";
import type { ReadEvent } from "../../../src/destinations/eventDeliverer.ts";
import { TargetError, type FileTarget } from "../../../src/destinations/files/fileTarget.ts";
import { createHourDeliverer } from "../../../src/destinations/files/hourDeliverer.ts";
import { createSemaphore } from "../../../src/util/semaphore.ts";
import { until } from "../../support/until.ts";
import { folderDestination } from "./targets.ts";

const HOUR = "2026-11-20T09";
const NEVER = new AbortController().signal;

const events = (count: number): EventReference[] =>
  Array.from({ length: count }, (_, at) => ({
    sessionId: `call-${at}`,
    revision: 1,
    receivedAt: "2026-11-20T09:30:00.000Z",
    seq: at + 1,
    importedEnd: null,
  }));

/** What a destination has in memory begins with the first event that is read, and ends when its part is put or has failed. */
function createWorld(permits: number) {
  const turns = createSemaphore(permits);
  const holding = new Set<string>();
  let most = 0;
  function open(
    name: string,
    {
      put = async () => true,
      own = {},
      rate = {},
    }: {
      put?: FileTarget["put"];
      own?: { maxSize?: number; maxTurnMs?: number; maxWriteMs?: number };
      rate?: { ratePerMinute?: number; maxInFlight?: number };
    } = {},
  ) {
    const target: FileTarget = {
      async put(file, bytes, signal) {
        let isOver = true;
        try {
          const isPut = await put(file, bytes, signal);
          isOver = file.endsWith(".manifest.json");
          return isPut;
        } finally {
          if (isOver) holding.delete(name);
        }
      },
      get: async () => null,
      test: async () => undefined,
      async [Symbol.asyncDispose]() {},
    };
    const readEvent: ReadEvent = async ({ sessionId }) => {
      holding.add(name);
      most = Math.max(most, holding.size);
      return { id: `${name} ${sessionId}`, data: { sessionId } };
    };
    const destination = { ...folderDestination("/nowhere"), name, maxInFlight: 1, ...rate };
    return createHourDeliverer(destination, { readEvent, target, erasures: async () => 0, turns, ...own });
  }
  return { turns, open, most: () => most };
}

describe("Destinations that write at the same time", () => {
  it("never have more parts in memory than there are turns, and all are written", async () => {
    const world = createWorld(2);
    const waiting: (() => void)[] = [];
    const put = () => new Promise<boolean>((resolve) => waiting.push(() => resolve(true)));
    const names = Array.from({ length: 9 }, (_, at) => `files-${at}`);
    const all = Promise.all(names.map((name) => world.open(name, { put }).deliverHour(HOUR, events(5), NEVER)));
    let isDone = false;
    void all.then(() => (isDone = true));
    await until(async () => {
      for (const go of waiting.splice(0)) go();
      return isDone;
    });
    expect(world.most()).toBe(2);
    expect((await all).map(({ outcome }) => outcome)).toEqual(names.map(() => "taken"));
    expect(world.turns.inUse()).toBe(0);
  });

  it("do not wait for one that makes a part slowly: it is written as it is, and goes on after them", async () => {
    const world = createWorld(1);
    const parts: string[] = [];
    const note = (name: string) => async (file: string) => {
      if (file.endsWith(".gz")) parts.push(name);
      return true;
    };
    const own = { maxTurnMs: 0 };
    const slow = world.open("slow", { put: note("slow"), own }).deliverHour(HOUR, events(3), NEVER);
    const other = world.open("other", { put: note("other"), own }).deliverHour(HOUR, events(1), NEVER);
    expect((await Promise.all([slow, other])).map(({ outcome }) => outcome)).toEqual(["taken", "taken"]);
    expect(parts).toEqual(["slow", "other", "slow"]);
  });

  it("do not wait for one that reads at a slow rate", async () => {
    const world = createWorld(1);
    const [stop, parts] = [new AbortController(), [] as string[]];
    const put: FileTarget["put"] = async (file) => (file.endsWith(".gz") && parts.push("slow"), true);
    const slow = world.open("slow", { put, own: { maxTurnMs: 0 }, rate: { ratePerMinute: 1, maxInFlight: 4 } });
    const gate = Promise.withResolvers<boolean>();
    const first = world.open("first", { put: () => gate.promise }).deliverHour(HOUR, events(1), NEVER);
    await until(() => world.turns.inUse() === 1);
    const slowly = slow.deliverHour(HOUR, events(4), stop.signal);
    await until(() => world.turns.waiting() === 1);
    const other = world.open("other").deliverHour(HOUR, events(4), NEVER);
    await until(() => world.turns.waiting() === 2);
    gate.resolve(true);
    expect((await first).outcome).toBe("taken");
    expect((await other).outcome).toBe("taken");
    expect(parts).toEqual(["slow"]);
    stop.abort(new Error("stopped"));
    await expect(slowly).rejects.toThrow("stopped");
    expect(world.turns.inUse()).toBe(0);
  });

  // As a network share that is away: no deadline of the system ends it.
  it("do not wait for one whose disk hangs, which begins nothing more before it has answered", async () => {
    const world = createWorld(1);
    const answers: (() => void)[] = [];
    const put = () => new Promise<boolean>((resolve) => answers.push(() => resolve(true)));
    const hanging = world.open("hanging", { put, own: { maxWriteMs: 20 } });
    const first = hanging.deliverHour(HOUR, events(1), NEVER);
    const other = world.open("other").deliverHour(HOUR, events(1), NEVER);
    expect(await first).toMatchObject({ outcome: "failed", text: "The files could not be written in time." });
    expect((await other).outcome).toBe("taken");
    const again = await hanging.deliverHour(HOUR, events(1), NEVER);
    expect(again).toMatchObject({ outcome: "failed", text: expect.stringContaining("begun before") as string });
    expect(answers).toHaveLength(1);
    // It answers: the part, then its manifest. After that the destination begins anew.
    let isOver = false;
    await until(async () => {
      for (const go of answers.splice(0)) go();
      const made = hanging.deliverHour(HOUR, events(1), NEVER);
      isOver ||= (await made).outcome === "failed" && answers.length === 1;
      return isOver;
    });
    expect(world.turns.inUse()).toBe(0);
  });

  it("leave the queue when they are stopped, and the next one gets its turn", async () => {
    const world = createWorld(1);
    let go = () => {};
    const put = () => new Promise<boolean>((resolve) => (go = () => resolve(true)));
    const first = world.open("first", { put }).deliverHour(HOUR, events(1), NEVER);
    const stop = new AbortController();
    const stopped = world.open("stopped").deliverHour(HOUR, events(1), stop.signal);
    const last = world.open("last").deliverHour(HOUR, events(1), NEVER);
    await until(() => world.turns.waiting() === 2);
    stop.abort(new Error("stopped"));
    await expect(stopped).rejects.toThrow("stopped");
    let isDone = false;
    void first.then(() => (isDone = true));
    await until(async () => {
      go();
      return isDone;
    });
    expect((await last).outcome).toBe("taken");
    expect([world.turns.inUse(), world.turns.waiting()]).toEqual([0, 0]);
  });

  it("give a turn back where they fail or are stopped, also while they wait", async () => {
    const how = fc.constantFrom("takes", "fails", "stops", "stops before");
    const own = fc.array(fc.record({ how, events: fc.integer({ min: 1, max: 5 }) }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(own, fc.integer({ min: 1, max: 3 }), async (destinations, permits) => {
        const world = createWorld(permits);
        const outcomes = destinations.map(async (each, at) => {
          const stop = new AbortController();
          if (each.how === "stops before") stop.abort(new Error("stopped"));
          const put: FileTarget["put"] = async () => {
            await Promise.resolve();
            if (each.how === "fails") throw new TargetError("no");
            if (each.how !== "stops") return true;
            stop.abort(new Error("stopped"));
            throw stop.signal.reason;
          };
          const deliverer = world.open(`files-${at}`, { put, own: { maxSize: 20, maxTurnMs: 0 } });
          return deliverer.deliverHour(HOUR, events(each.events), stop.signal).then(
            ({ outcome }: HourAttempt) => outcome,
            ({ message }: Error) => message,
          );
        });
        const expected = { takes: "taken", fails: "failed", stops: "stopped", "stops before": "stopped" };
        expect(await Promise.all(outcomes)).toEqual(destinations.map((each) => expected[each.how as "takes"]));
        expect([world.turns.inUse(), world.turns.waiting(), world.most() <= permits]).toEqual([0, 0, true]);
      }),
    );
  });
});
