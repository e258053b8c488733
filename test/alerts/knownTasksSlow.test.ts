// Many known tasks at a service that answers slowly.
import { expect, it } from "vitest";
import type { TaskRun } from "../../src/alerts/noCalls.ts";
import { createTaskLooks, type TaskFacts } from "../../src/alerts/taskLooks.ts";
import type { TaskNote } from "../../src/store/alerts/taskLookStore.ts";
import { MINUTE_MS, SECOND_MS } from "../../src/util/durations.ts";
import { NOW } from "../events/callEnded.ts";
import { silentLog } from "../support/silentLog.ts";
import { rulesOf } from "./judging.ts";
import { lookingBy } from "./lookingBy.ts";
import { from } from "./silentWorld.ts";

/** Looks at so many running tasks of which none calls, a minute after one another. Each answer takes so many seconds. */
async function lookingAt(tasks: number, { seconds, minutes }: { seconds: number; minutes: number }) {
  let now = NOW;
  const runs = new Map<string, TaskRun>();
  let notes: ReadonlyMap<string, TaskNote> = new Map();
  let doubts: string[] = [];
  const facts: TaskFacts = {
    runs: async () => new Map(runs),
    saveRuns: async (changed) => changed.forEach((run, name) => runs.set(name, run)),
    saveDoubts: async (changed) => void (doubts = [...changed.values()].flat()),
    assistantsOfUnknown: async () => [],
    notes: async () => notes,
    saveNotes: async (changed) => void (notes = changed),
    known: async () => from(1, tasks).map((each) => ({ taskId: String(each), activeAt: NOW })),
    lastEnds: async () => ({ ends: new Map(), unread: null }),
    async see() {
      // Three are asked at the same time.
      now += (seconds * SECOND_MS) / 3;
      const run = { kind: "running", begin: 0, isSure: true } as const;
      return { run, people: { kind: "stopped" }, assistantId: null, isOver: false, changedAt: null };
    },
    listsCalls: async () => false,
  };
  const { find } = createTaskLooks({ facts, clock: () => now, log: silentLog });
  const look = lookingBy(find, await rulesOf({ name: "silence", kind: "noCalls", minutes: 20 }));
  let open: string[] = [];
  for (; now < NOW + minutes * MINUTE_MS; now += MINUTE_MS) ({ open } = await look(now));
  return { open, doubts };
}

it("All of as many tasks as can be watched are told of at a service that answers within two seconds", async () => {
  const { open, doubts } = await lookingAt(135, { seconds: 2, minutes: 40 });
  expect(open).toHaveLength(135);
  expect(doubts).toEqual([]);
});

it("A service that answers too slowly for a silence to be told is a doubt", async () => {
  const { open, doubts } = await lookingAt(135, { seconds: 8, minutes: 60 });
  expect(open).toEqual([]);
  expect(doubts).toEqual([expect.stringContaining("The service answers so slowly")]);
  expect((await lookingAt(20, { seconds: 8, minutes: 60 })).open).toHaveLength(20);
});
