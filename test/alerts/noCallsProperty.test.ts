// Random minutes of a task, looked at by a rule on silence, against what people would say of them.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { MAX_GAP_MS, type TaskRun } from "../../src/alerts/noCalls.ts";
import { createTaskLooks, type TaskFacts } from "../../src/alerts/taskLooks.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { NOW } from "../events/callEnded.ts";
import { silentLog } from "../support/silentLog.ts";
import { rulesOf } from "./judging.ts";
import { lookingBy } from "./lookingBy.ts";

interface Minute {
  /** "away": no gateway looks. */
  seen: "running" | "stopped" | "unknown" | "away";
  /** A call ends, and the log has it. */
  hasCall: boolean;
  /** A delivery comes that cannot be read. */
  hasUnread: boolean;
  /** The service lists a call that the log does not have. */
  isListed: boolean;
}

const likely = (weight: number) => fc.integer({ min: 0, max: weight }).map((drawn) => drawn === 0);
const stretch = fc
  .record({
    seen: fc.oneof(
      { weight: 2, arbitrary: fc.constant("running" as const) },
      fc.constantFrom("running" as const, "stopped" as const, "unknown" as const, "away" as const),
    ),
    rest: fc.array(fc.record({ hasCall: likely(10), hasUnread: likely(40), isListed: likely(40) }), {
      minLength: 1,
      maxLength: 9,
    }),
  })
  .map(({ seen, rest }) => rest.map((each): Minute => ({ seen, ...each })));
const minutes = fc.array(stretch, { minLength: 4, maxLength: 12 }).map((all) => all.flat());

const at = (minute: number) => NOW + minute * MINUTE_MS;

/** Whether an alert is open after the look of each minute. Undefined: there was none. */
async function openAfter(all: readonly Minute[], limit: number): Promise<(boolean | undefined)[]> {
  const rules = await rulesOf({ name: "silence", kind: "noCalls", tasks: ["7"], minutes: limit });
  let now = 0;
  const runs = new Map<string, TaskRun>();
  const last = (has: "hasCall" | "hasUnread") => {
    const found = all.slice(0, now + 1).findLastIndex((each) => each[has]);
    return found === -1 ? null : at(found);
  };
  const facts: TaskFacts = {
    runs: async () => new Map(runs),
    known: async () => [],
    assistantsOfUnknown: async () => [],
    notes: async () => new Map(),
    saveNotes: async () => undefined,
    saveDoubts: async () => undefined,
    saveRuns: async (changed) => changed.forEach((run, taskId) => runs.set(taskId, run)),
    async lastEnds() {
      const end = last("hasCall");
      return { ends: new Map(end === null ? [] : [["7", end]]), unread: last("hasUnread") };
    },
    async see() {
      const seen = all[now]?.seen;
      if (seen === "unknown") throw new Error("The service is away.");
      const people = { kind: "stopped" } as const;
      const more = { people, assistantId: null, isOver: false, changedAt: null };
      if (seen !== "running") return { run: { kind: "notRunning" }, ...more };
      return { run: { kind: "running", begin: at(-1000), isSure: true }, ...more };
    },
    listsCalls: async () => all[now]?.isListed ?? false,
  };
  const { find } = createTaskLooks({ facts, clock: () => at(now), log: silentLog });
  const look = lookingBy(find, rules);
  const open: (boolean | undefined)[] = [];
  for (now = 0; now < all.length; now += 1) {
    if (all[now]?.seen === "away") {
      open.push(undefined);
      continue;
    }
    open.push((await look(at(now))).isOpen);
  }
  return open;
}

it("An alert on silence is open where people would say so, and begins nowhere else", async () => {
  const checked = fc.asyncProperty(minutes, fc.integer({ min: 2, max: 12 }), async (all, limit) => {
    const open = await openAfter(all, limit);
    for (const [now, { seen, isListed }] of all.entries()) {
      if (seen === "away") continue;
      const window = all.slice(Math.max(0, now - limit + 1), now + 1);
      const before = all.slice(Math.max(0, now - limit), now + 1);
      const hasCall = window.some((each) => each.hasCall);
      const isUnclear = isListed || window.some(({ hasUnread }) => hasUnread);
      const hasRun = now >= limit && before.every((each) => each.seen === "running");
      const wasOpen = open.slice(0, now).findLast((each) => each !== undefined) ?? false;
      const title = `minute ${now}`;
      if (open[now] && !wasOpen) {
        expect(seen, title).toBe("running");
        expect([hasCall, isUnclear], title).toEqual([false, false]);
        expect(now, title).toBeGreaterThanOrEqual(limit);
        expect(
          before.some((each) => each.seen === "stopped"),
          title,
        ).toBe(false);
        const known = before.map((each, index) => (each.seen === "running" ? index : -1)).filter((index) => index >= 0);
        const gaps = known.map((index, place) => index - (known[place - 1] ?? index));
        expect(Math.max(...gaps) * MINUTE_MS, title).toBeLessThanOrEqual(MAX_GAP_MS);
      }
      // What the service lists counts for some minutes.
      const wasListed = all.slice(Math.max(0, now - 5), now).some((each) => each.isListed);
      if (hasRun && !hasCall && !isUnclear && (wasOpen || !wasListed)) expect(open[now], title).toBe(true);
      if (seen === "stopped" || (seen === "running" && hasCall)) expect(open[now], title).toBe(false);
      if (seen === "unknown") expect(open[now], title).toBe(wasOpen);
    }
  });
  await fc.assert(checked, { numRuns: 400 });
});
