// Which tasks looks ask about, minute by minute, for random sets of known tasks.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TaskRule } from "../../src/alerts/alertFile.ts";
import { MAX_KNOWN, noteOf, watchedTasks, type ActiveTask } from "../../src/alerts/watchedTasks.ts";
import type { TaskNote } from "../../src/store/alerts/taskLookStore.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/util/durations.ts";
import { NOW } from "../events/callEnded.ts";
import { from } from "./silentWorld.ts";

const any: TaskRule = { name: "any", kind: "noCalls", minutes: 20 };
const named = (tasks: string[]): TaskRule => ({ ...any, name: "named", tasks });
const ofAssistants = (assistants: string[]): TaskRule => ({ ...any, name: "own", assistants });

interface Task {
  taskId: string;
  assistantId: string;
  /** Minutes after the first look. Infinity: never. */
  endsAt: number;
  /** Minutes before the first look. */
  activeBefore: number;
}

const tasksOf = (sizes: { running: number; ended: number; old: number }) => {
  const task = (taskId: number, own: Partial<Task>): Task => ({
    taskId: String(taskId),
    assistantId: String(7 + (taskId % 2)),
    endsAt: Infinity,
    activeBefore: 1 + (taskId % 600),
    ...own,
  });
  const { running, ended, old } = sizes;
  return [
    ...from(1, running).map((each) => task(each, {})),
    ...from(1, ended).map((each) => task(1000 + each, { endsAt: -Infinity, activeBefore: 60 + (each % 600) })),
    ...from(1, old).map((each) => task(2000 + each, { activeBefore: (15 * DAY_MS) / MINUTE_MS })),
  ];
};

/** Looks each minute. Resolves with what each has asked, and what it has doubted. */
function lookingAt(tasks: readonly Task[], rules: readonly TaskRule[], minutes: number) {
  let notes = new Map<string, TaskNote>();
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  const known: ActiveTask[] = tasks
    .map(({ taskId, activeBefore }) => ({ taskId, activeAt: NOW - activeBefore * MINUTE_MS }))
    .toSorted((a, b) => b.activeAt - a.activeAt);
  return Array.from({ length: minutes }, (_, minute) => {
    const now = NOW + minute * MINUTE_MS;
    const watched = watchedTasks(rules, { known, notes, now });
    const kept = [...notes].filter(([taskId]) => watched.known.has(taskId));
    const shown = watched.asked.map((taskId) => {
      const { assistantId = null, endsAt = Infinity } = byId.get(taskId) ?? {};
      const over =
        endsAt <= minute ? { changedAt: endsAt === -Infinity ? NOW - HOUR_MS : NOW + endsAt * MINUTE_MS } : null;
      return [taskId, noteOf(notes.get(taskId), { at: now, assistantId, over })] as const;
    });
    notes = new Map([...kept, ...shown]);
    return watched;
  });
}

const gapsOf = (taskId: string, looks: readonly { asked: readonly string[] }[]) => {
  const at = looks.flatMap(({ asked }, minute) => (asked.includes(taskId) ? [minute] : []));
  return [...at, looks.length].map((minute, index) => minute - (at[index - 1] ?? -1));
};

const LATE = "Tasks that have ended are too many to be asked about each hour: one that goes on is found later.";

describe("The tasks that a look asks about", () => {
  const world = fc.record({
    running: fc.integer({ min: 0, max: 135 }),
    ended: fc.integer({ min: 0, max: 250 }),
    old: fc.integer({ min: 0, max: 20 }),
    names: fc.integer({ min: 0, max: 5 }),
  });

  it("are at most fifty, all that rules name, each that may call within four minutes, and none that is old", () => {
    const checked = fc.property(world, ({ names, ...sizes }) => {
      const tasks = tasksOf({ ...sizes, running: Math.min(sizes.running, 3 * (45 - names)) });
      const own = from(1, names).map((each) => String(9000 + each));
      const looks = lookingAt(tasks, [any, ...(names > 0 ? [named(own)] : [])], 58);
      for (const { asked } of looks) {
        expect(asked.length).toBeLessThanOrEqual(50);
        expect(new Set(asked).size).toBe(asked.length);
        expect(asked).toEqual(expect.arrayContaining(own));
      }
      const settled = looks.slice(45);
      expect(settled.flatMap(({ doubts }) => doubts)).toEqual([]);
      for (const { taskId, endsAt, activeBefore } of tasks) {
        const isOld = activeBefore > 14 * 24 * 60;
        if (isOld) expect(looks.some(({ asked }) => asked.includes(taskId))).toBe(false);
        else if (endsAt === Infinity) expect(Math.max(...gapsOf(taskId, settled))).toBeLessThanOrEqual(4);
        else expect(looks.filter(({ asked }) => asked.includes(taskId)).length).toBeLessThanOrEqual(2);
        expect(settled.every((look) => look.known.has(taskId))).toBe(!isOld);
      }
    });
    fc.assert(checked, { numRuns: 40 });
  });

  it("leave nothing out in silence: what is not watched is counted in a doubt", () => {
    for (const running of [136, 137, 300]) {
      const looks = lookingAt(tasksOf({ running, ended: 100, old: 3 }), [any], 100);
      const more = running === 136 ? "1 more task" : `${running - 135} more tasks`;
      expect(looks.at(-1)?.doubts).toEqual([
        `${more} that the gateway knows cannot be watched: the service is asked about 50 tasks a minute.`,
      ]);
      expect(looks.at(-1)?.known.size).toBe(running + 100);
    }
    const many = lookingAt(tasksOf({ running: 0, ended: MAX_KNOWN + 1, old: 0 }), [any], 1);
    expect(many[0]?.doubts).toContainEqual(expect.stringContaining(`More than ${MAX_KNOWN} tasks were active`));
    expect(lookingAt(tasksOf({ running: 0, ended: MAX_KNOWN, old: 5 }), [any], 30).at(-1)?.doubts).toEqual([]);
  });

  it("are no known ones where fifty are named, and a doubt says so", () => {
    const own = from(1, 50).map((each) => String(9000 + each));
    const [look] = lookingAt(tasksOf({ running: 1, ended: 0, old: 0 }), [any, named(own)], 1);
    expect(look?.asked).toEqual(own);
    expect(look?.doubts).toEqual([expect.stringContaining("1 more task that the gateway knows cannot be watched")]);
  });

  it("are all asked again after an hour, also those that had ended or are of other assistants", () => {
    const tasks = tasksOf({ running: 20, ended: 30, old: 0 });
    const looks = lookingAt(tasks, [ofAssistants(["7"])], 75);
    for (const { taskId, assistantId, endsAt } of tasks) {
      const asks = looks.filter(({ asked }) => asked.includes(taskId)).length;
      expect(asks).toBe(assistantId === "7" && endsAt === Infinity ? 75 : 2);
    }
  });

  it("are all asked again in turn where more have ended than can be asked within an hour", () => {
    const tasks = tasksOf({ running: 135, ended: 400, old: 0 });
    const looks = lookingAt(tasks, [any], 160);
    for (const { taskId } of tasks) expect(looks.slice(70).some(({ asked }) => asked.includes(taskId))).toBe(true);
    expect(looks.at(-1)?.doubts).toEqual([LATE]);
  });

  it("are all asked again within an hour and a half where hundreds have ended and few run, for they have the free places", () => {
    const tasks = tasksOf({ running: 5, ended: 900, old: 0 });
    const looks = lookingAt(tasks, [any], 240);
    for (const { taskId } of tasks) expect(Math.max(...gapsOf(taskId, looks.slice(120)))).toBeLessThanOrEqual(90);
    expect(looks.at(-1)?.doubts).toEqual([]);
  });

  it("are in doubt where named ones take all places, and others have ended", () => {
    const own = from(1, 50).map((each) => String(9000 + each));
    const known = [{ taskId: "1", activeAt: NOW - DAY_MS }];
    const notes = new Map([["1", { at: NOW - DAY_MS / 2, overSince: NOW - DAY_MS, assistantId: null }]]);
    const { asked, doubts } = watchedTasks([any, named(own)], { known, notes, now: NOW });
    expect([asked, doubts]).toEqual([own, [LATE]]);
  });

  it("are all asked in turn after the clock was set back, though their notes are of later", () => {
    const known = from(1, 100).map((each) => ({ taskId: String(each), activeAt: NOW - each * MINUTE_MS }));
    const later = { at: NOW + 2 * HOUR_MS, overSince: null, assistantId: null };
    const notes = new Map<string, TaskNote>(known.map(({ taskId }) => [taskId, later]));
    const asked = [0, 1, 2].flatMap((minute) => {
      const now = NOW + minute * MINUTE_MS;
      const look = watchedTasks([any], { known, notes, now });
      for (const taskId of look.asked) notes.set(taskId, { ...later, at: now });
      return look.asked;
    });
    expect(new Set(asked).size).toBe(100);
  });

  it("have one that has ended each minute until a quarter of an hour after its end, and again when it calls", () => {
    const task = { taskId: "7", activeAt: NOW };
    const note = (minute: number) =>
      noteOf(undefined, { at: NOW + minute * MINUTE_MS, assistantId: null, over: { changedAt: NOW } });
    const asks = (minute: number, known = task) =>
      watchedTasks([any], {
        known: [known],
        notes: new Map([["7", note(minute)]]),
        now: NOW + (minute + 1) * MINUTE_MS,
      }).asked;
    expect(asks(14)).toEqual(["7"]);
    expect(asks(15)).toEqual([]);
    expect(asks(30, { ...task, activeAt: NOW + 16 * MINUTE_MS })).toEqual(["7"]);
  });

  it("have one that the service has stopped for a quarter of an hour after the first look that sees it, whenever it changed last", () => {
    const asks = (minute: number) => {
      const shown = {
        at: NOW + minute * MINUTE_MS,
        assistantId: null,
        over: { changedAt: null },
        stops: { stop: NOW },
      };
      const notes = new Map([["7", noteOf(undefined, shown)]]);
      const known = [{ taskId: "7", activeAt: NOW - DAY_MS }];
      return watchedTasks([any], { known, notes, now: NOW + (minute + 1) * MINUTE_MS }).asked;
    };
    expect(asks(14)).toEqual(["7"]);
    expect(asks(15)).toEqual([]);
  });

  it("have one again that had ended, from when it is seen to go on, and not where it cannot be read", () => {
    const before = { at: NOW, overSince: NOW - DAY_MS, assistantId: "7" };
    const at = NOW + HOUR_MS;
    expect(noteOf(before, { at, assistantId: null, over: null })).toEqual({ at, overSince: null, assistantId: "7" });
    expect(noteOf(before, { at, assistantId: null, over: undefined })).toEqual({ ...before, at });
    // The service's clock is ahead by years.
    const ahead = noteOf(undefined, { at, assistantId: "7", over: { changedAt: at + 9000 * DAY_MS } });
    expect(ahead.overSince).toBe(at);
    const again = noteOf(ahead, { at: at + HOUR_MS, assistantId: "7", over: { changedAt: at + 9000 * DAY_MS } });
    expect(again.overSince).toBe(at);
  });

  it("of no rule without tasks are those that rules name, and the known ones are not read", () => {
    const known = [{ taskId: "7", activeAt: NOW }];
    const watched = watchedTasks([named(["8"])], { known, notes: new Map(), now: NOW });
    expect(watched).toMatchObject({ asked: ["8"], known: new Set(), doubts: [] });
  });
});
