// What looks remember of stops, without a database: looks that fail, and rules that name no task.
import { expect, it } from "vitest";
import { createTaskLooks, type TaskFacts } from "../../src/alerts/taskLooks.ts";
import type { SeenPeople } from "../../src/alerts/taskLook.ts";
import type { TaskNote } from "../../src/store/alerts/taskLookStore.ts";
import { DAY_MS, MINUTE_MS } from "../../src/util/durations.ts";
import { silentLog } from "../support/silentLog.ts";
import { rulesOf } from "./judging.ts";
import { lookingBy } from "./lookingBy.ts";
import { at, peopleLeft } from "./silentWorld.ts";

const ended = (own: object = {}): SeenPeople => ({ kind: "ended", total: 1000, progress: 40, ...own });
/** Its hours ended long ago. */
const open: SeenPeople = {
  kind: "open",
  createdAt: 0,
  current: null,
  last: null,
  total: 1000,
  progress: 40,
};

/** Looks at task 7, which the service has stopped so many minutes before the first look. */
async function looking(stoppedBefore: number, rule: object = {}) {
  let now = 0;
  let notes: ReadonlyMap<string, TaskNote> = new Map();
  const world = { people: ended() as SeenPeople | "away", doubts: [] as readonly string[], isDatabaseAway: false };
  const facts: TaskFacts = {
    known: async () => [{ taskId: "7", activeAt: at(-stoppedBefore) }],
    assistantsOfUnknown: async () => [],
    notes: async () => notes,
    saveNotes: async (all) => void (notes = all),
    runs: async () => new Map(),
    saveRuns: async () => undefined,
    saveDoubts: async (all) => void (world.doubts = all.get("left") ?? []),
    async lastEnds() {
      if (world.isDatabaseAway) throw new Error("The database is away.");
      return { ends: new Map(), unread: null };
    },
    async see() {
      const { people } = world;
      if (people === "away") throw new Error("The service is away.");
      const isOver = people.kind !== "open";
      return { run: { kind: "notRunning" }, people, assistantId: "1", isOver, changedAt: at(-stoppedBefore) };
    },
    listsCalls: async () => false,
  };
  const { find } = createTaskLooks({ facts, clock: () => now, log: silentLog });
  const lookAt = lookingBy(find, await rulesOf(peopleLeft(rule)));
  /** How many alerts were raised, and whether one is open. */
  async function look(minute: number, people: SeenPeople | "away" = ended()): Promise<[number, boolean]> {
    now = at(minute);
    world.people = people;
    const { raised, isOpen } = await lookAt(now);
    return [raised, isOpen];
  }
  return { look, world };
}

const NAMELESS = { tasks: undefined };
const FIVE_DAYS = (5 * DAY_MS) / MINUTE_MS;

it.each([
  ["failed", "away"],
  ["found no such task", { kind: "gone" }],
  ["could not read it", { kind: "unknown", doubt: "Its status cannot be read." }],
] as const)("A stop of days ago is not told where the first look %s", async (_what, people) => {
  for (const rule of [{}, NAMELESS]) {
    const { look } = await looking(FIVE_DAYS, rule);
    await look(0, people);
    for (const minute of [1, 6, 7, 70]) expect(await look(minute)).toEqual([0, false]);
  }
});

it("A stop is told once, also where a look finds no such task for a while", async () => {
  const { look } = await looking(0);
  await look(0);
  expect(await look(5)).toEqual([1, true]);
  expect(await look(10, { kind: "gone" })).toEqual([0, false]);
  for (const minute of [11, 16, 90]) expect(await look(minute)).toEqual([0, false]);
});

it("An alert of a stop is over where the task goes on, also where the look that saw it first failed later", async () => {
  const { look, world } = await looking(0);
  await look(0);
  expect(await look(5)).toEqual([1, true]);
  world.isDatabaseAway = true;
  await expect(look(10, open)).rejects.toThrow("away");
  world.isDatabaseAway = false;
  expect(await look(11, open)).toEqual([0, false]);
});

it("What cannot be told of a stop is a doubt of a rule without tasks for three days, and of later ones none", async () => {
  const { look, world } = await looking(20, NAMELESS);
  await look(0, ended({ total: null }));
  expect(world.doubts).toEqual(["How many people of task 7 are left cannot be read."]);
  for (const minute of [1, 30, 61, 200]) {
    await look(minute, ended({ total: null }));
    expect(world.doubts).toHaveLength(1);
  }
  await look(FIVE_DAYS, ended({ total: null }));
  expect(world.doubts).toEqual([]);
});

it("A task that goes on is seen to do so also by a gateway whose clock is behind", async () => {
  const { look } = await looking(0);
  await look(0);
  expect(await look(5)).toEqual([1, true]);
  expect(await look(-30, open)).toEqual([0, false]);
  // It is stopped again.
  expect(await look(6)).toEqual([1, true]);
});
