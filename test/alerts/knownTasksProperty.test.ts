// Random minutes of tasks that become known, end, go on and are forgotten, looked at by rules on silence that name none, against what people would say.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { TaskRun } from "../../src/alerts/noCalls.ts";
import { createTaskLooks, type TaskFacts } from "../../src/alerts/taskLooks.ts";
import type { TaskNote } from "../../src/store/alerts/taskLookStore.ts";
import { DAY_MS, MINUTE_MS } from "../../src/util/durations.ts";
import { NOW } from "../events/callEnded.ts";
import { silentLog } from "../support/silentLog.ts";
import { rulesOf } from "./judging.ts";
import { lookingBy } from "./lookingBy.ts";

/** "unsure": it runs, and nobody says whether it calls on this day. */
const states = ["running", "unsure", "pending", "stopped", "done", "gone", "unknown"] as const;
type State = (typeof states)[number];
const isOver = (state: State | undefined) => state === "stopped" || state === "done" || state === "gone";

interface Task {
  taskId: string;
  /** Null: the service does not show it. */
  assistantId: string | null;
  /** At each look: what the service says, whether a call of it has ended just before, and whether a gateway has seen it. */
  seen: { state: State; hasCall: boolean; isKnown: boolean }[];
}

const LOOKS = 45;
const stretches = fc
  .array(
    fc.record({
      state: fc.oneof(
        { weight: 5, arbitrary: fc.constant<State>("running") },
        { weight: 5, arbitrary: fc.constantFrom<State>(...states) },
      ),
      calls: fc.array(
        fc.integer({ min: 0, max: 12 }).map((drawn) => drawn === 0),
        { minLength: 1, maxLength: 14 },
      ),
    }),
    { minLength: 12, maxLength: 12 },
  )
  .map((all) => all.flatMap(({ state, calls }) => calls.map((hasCall) => ({ state, hasCall }))))
  .map((all) => Array.from({ length: LOOKS }, (_, at) => all[at] ?? { state: "running" as const, hasCall: false }));
const drawnTask = fc
  .record({
    stretches,
    assistantId: fc.constantFrom("7", "7", "8", null),
    knownFrom: fc.integer({ min: 0, max: 15 }),
    forgottenAt: fc.constantFrom(20, 35, LOOKS, LOOKS, LOOKS),
  })
  .map(({ stretches: all, assistantId, knownFrom, forgottenAt }) => ({
    assistantId,
    seen: all.map(({ state, hasCall }, look) => {
      const calls = hasCall && look < forgottenAt;
      const isSeen = look >= knownFrom || all.slice(0, look + 1).some((each) => each.hasCall);
      return { state, hasCall: calls, isKnown: isSeen && look < forgottenAt };
    }),
  }));
const world = fc.record({
  drawn: fc.array(drawnTask, { minLength: 1, maxLength: 4 }),
  /** Between two looks: tasks that have ended are asked about once an hour. */
  stepMinutes: fc.constantFrom(1, 4),
  /** Looks, of which the rule has the minutes. */
  limit: fc.integer({ min: 2, max: 20 }),
  own: fc.constantFrom({}, { assistants: ["7"] }, { of: "all" }, { of: "assistant" }, { of: "all", assistants: ["7"] }),
  /** Nobody looks for twenty days before that look. */
  jump: fc.constantFrom(LOOKS, LOOKS, 18, 30),
});

/** The subjects of open alerts after each look. */
async function openAfter(tasks: readonly Task[], timeOf: (look: number) => number, rule: object): Promise<string[][]> {
  let look = 0;
  const runs = new Map<string, TaskRun>();
  let notes: ReadonlyMap<string, TaskNote> = new Map();
  const lastOf = ({ seen }: Task, is: "hasCall" | "isKnown") =>
    is === "hasCall"
      ? seen.slice(0, look + 1).findLastIndex((each) => each.hasCall)
      : seen.findIndex((each) => each.isKnown);
  const activeAt = (task: Task) => timeOf(Math.max(lastOf(task, "hasCall"), lastOf(task, "isKnown")));
  const facts: TaskFacts = {
    runs: async () => new Map(runs),
    saveRuns: async (changed) => changed.forEach((run, name) => runs.set(name, run)),
    saveDoubts: async () => undefined,
    assistantsOfUnknown: async () => [],
    notes: async () => notes,
    saveNotes: async (changed) => void (notes = changed),
    known: async () =>
      tasks
        .filter(({ seen }) => seen[look]?.isKnown)
        .map((task) => ({ taskId: task.taskId, activeAt: activeAt(task) }))
        .toSorted((a, b) => b.activeAt - a.activeAt),
    async lastEnds(taskIds, since) {
      const ends = tasks.flatMap((task) => {
        const last = lastOf(task, "hasCall");
        return last >= 0 && timeOf(last) >= since && taskIds.includes(task.taskId)
          ? [[task.taskId, timeOf(last)] as const]
          : [];
      });
      return { ends: new Map(ends), unread: null };
    },
    async see(taskId) {
      const task = tasks.find((each) => each.taskId === taskId);
      const state = task?.seen[look]?.state;
      if (!task || state === "unknown") throw new Error("The service is away.");
      const people = { kind: "stopped" } as const;
      const assistantId = state === "gone" ? null : task.assistantId;
      const isRunning = state === "running" || state === "unsure";
      const run = isRunning
        ? ({ kind: "running", begin: 0, isSure: state === "running" } as const)
        : ({ kind: "notRunning" } as const);
      return { run, people, assistantId, isOver: isOver(state), changedAt: null };
    },
    listsCalls: async () => false,
  };
  const { find } = createTaskLooks({ facts, clock: () => timeOf(look), log: silentLog });
  const lookNow = lookingBy(find, await rulesOf({ name: "silence", kind: "noCalls", ...rule }));
  const open: string[][] = [];
  for (look = 0; look < LOOKS; look += 1) open.push((await lookNow(timeOf(look))).open);
  return open;
}

it("Rules that name no task tell of each known one, or of several together, what people would say, and of no other", async () => {
  const checked = fc.asyncProperty(world, async ({ drawn, stepMinutes, limit, own, jump }) => {
    const tasks = drawn.map((task, index): Task => ({ taskId: String(index + 1), ...task }));
    const timeOf = (look: number) => NOW + look * stepMinutes * MINUTE_MS + (look >= jump ? 20 * DAY_MS : 0);
    const open = await openAfter(tasks, timeOf, { minutes: limit * stepMinutes, ...own });
    const { of = "task", assistants } = own as { of?: string; assistants?: string[] };
    const subjectOf = ({ taskId, assistantId }: Task) =>
      of === "task" ? `task ${taskId}` : of === "all" ? "all" : `assistant ${assistantId}`;
    const isOwn = ({ assistantId }: Task) =>
      (assistants === undefined && of !== "assistant") ||
      (assistantId !== null && (assistants?.includes(assistantId) ?? true));
    const callsAt = ({ seen }: Task, at: number) =>
      seen[at]?.state === "running" ||
      (seen[at]?.state === "unsure" && seen.slice(0, at + 1).some(({ hasCall }) => hasCall));
    for (const [look, subjects] of open.entries()) {
      const window = Array.from({ length: look + 1 }, (_, at) => at).filter(
        (at) => timeOf(at) >= timeOf(look) - limit * stepMinutes * MINUTE_MS,
      );
      const isWhole = window.length === limit + 1;
      const isLately = ({ seen }: Task) =>
        look < jump ||
        seen.slice(jump, look + 1).some(({ hasCall }) => hasCall) ||
        seen.findIndex(({ isKnown }) => isKnown) >= jump;
      const watched = tasks.filter((task) => isOwn(task) && task.seen[look]?.isKnown && isLately(task));
      const groups = Map.groupBy(watched, subjectOf);
      const title = `look ${look}`;
      expect([...groups.keys()], title).toEqual(expect.arrayContaining(subjects));
      const activeFrom = (seen: Task["seen"]) => {
        const known = seen.findIndex(({ isKnown }) => isKnown);
        const active = seen.findIndex(({ hasCall }, at) => at >= jump && (hasCall || at === known));
        return Math.max(jump, active);
      };
      // The service has not shown yet of which assistant they are.
      const isUnclear = ({ seen }: Task) =>
        (assistants !== undefined || of === "assistant") &&
        !seen
          .slice(look < jump ? 0 : activeFrom(seen), look + 1)
          .some(({ state, isKnown }) => isKnown && state !== "unknown" && state !== "gone");
      for (const [subject, members] of groups) {
        if (members.some(isUnclear)) continue;
        const isOpen = subjects.includes(subject);
        const isNew = isOpen && !open[look - 1]?.includes(subject);
        const inWindow = (task: Task) => window.map((at) => task.seen[at]);
        const hasCall = members.some((task) =>
          inWindow(task)
            .slice(isWhole ? 1 : 0)
            .some((each) => each?.hasCall),
        );
        const now = members.map(({ seen }) => seen[look]);
        const isRunning = members.some((task) => callsAt(task, look));
        const isSilentRun = members.some(
          (task) =>
            inWindow(task).every((each) => each?.state === "running" && each.isKnown) &&
            !task.seen.slice(0, look).some(({ state }) => isOver(state)),
        );
        const about = `${title}, ${subject}`;
        if (isNew) expect([isRunning, hasCall, isWhole], about).toEqual([true, false, true]);
        if (isNew && of === "task")
          expect(
            members
              .flatMap(inWindow)
              .every((each) => each?.isKnown && ["running", "unsure", "unknown"].includes(each.state)),
            about,
          ).toBe(true);
        if (isNew && of !== "task") {
          const group = tasks.filter((task) => isOwn(task) && subjectOf(task) === subject);
          const mayCall = (at: number) => group.some((task) => callsAt(task, at) || task.seen[at]?.state === "unknown");
          expect(window.every(mayCall), about).toBe(true);
        }
        if (isWhole && isSilentRun && !hasCall) expect(isOpen, about).toBe(true);
        const isDoubtful = members.some(
          (task) => !callsAt(task, look) && ["unsure", "unknown"].includes(task.seen[look]?.state ?? ""),
        );
        if (isRunning && !isDoubtful && now.some((each) => each?.hasCall)) expect(isOpen, about).toBe(false);
        if (now.every((each) => !["running", "unsure", "unknown"].includes(each?.state ?? "")))
          expect(isOpen, about).toBe(false);
      }
    }
  });
  await fc.assert(checked, { numRuns: 400 });
});
