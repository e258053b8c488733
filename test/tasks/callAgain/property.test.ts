// Random campaigns against the promises, which are checked by a plain count over the log at the instant at which a task is stored.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEnd, wasAnswered, type CallEndedData, type CallEndedEvent } from "../../../src/events/callEndedEvent.ts";
import { readPhone } from "../../../src/format/readPhone.ts";
import { createPeople } from "../../../src/format/samePerson.ts";
import type { Store } from "../../../src/store/store.ts";
import { databases } from "../../store/databases.ts";
import { open, WHOLE } from "../../store/tempStore.ts";
import { ANSWERED, callWorld, MISSED, type CallWorld } from "./callWorld.ts";

const WRITINGS: readonly string[] = [
  ["13800010001", "+86 138 0001 0001", "008613800010001", "+8613900020002", "13900020002"],
  ["+1 4155550101", "+44 4155550101", "4155550101", "021-12345678转801", "021-12345678", "138****0001"],
].flat();

/** By the rule that keeps a task from calling somebody twice. */
function isSame(a: string, b: string): boolean {
  const [one, other] = [readPhone(a), readPhone(b)];
  if (one.kind === "none" || other.kind === "none") return false;
  const find = createPeople();
  find(one, 0);
  return find(other, 1) !== null;
}

/** Numbers of answered calls of these tasks, by the newest entry of each call in the log. */
async function reachedIn(store: Store, taskIds: ReadonlySet<string>): Promise<string[]> {
  const newest = new Map<string, CallEndedData & Pick<CallEndedEvent, "source">>();
  for (const { data, sessionId } of await store.events.read(WHOLE))
    newest.set(sessionId, { ...(JSON.parse(data) as CallEndedData), source: "WEBHOOK" });
  const calls = [...newest.values()].filter(
    (call) => taskIds.has(call.taskId ?? "") && isEnd(call) && wasAnswered(call),
  );
  return calls.flatMap(({ callee }) => callee ?? []);
}

const writing = fc.constantFrom(...WRITINGS);
const task = fc.nat(3);
const key = fc.nat(1000);
const change = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant("call" as const), task, callee: writing, answered: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("list" as const), callee: writing }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("erase" as const), callee: writing }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("end" as const), task }) },
);
const step = fc.oneof(
  { weight: 5, arbitrary: change },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("again" as const),
      task,
      key,
      meanwhile: fc.array(change, { maxLength: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("two at once" as const), task, other: task, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("propose" as const), task, key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("approve" as const), which: fc.nat(3) }) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A campaign that begins with task 7, and what is remembered of it to check the promises. */
async function campaignOver(store: Store) {
  const meanwhile: Change[] = [];
  const erased: string[] = [];
  const proposals: string[] = [];
  let world: CallWorld | null = null;
  /** At the commit: what was known then. Nothing else writes meanwhile. */
  const seen = { reached: [] as string[], erased: [] as string[] };
  const { submissions, proposals: real } = store;
  const before = async () => {
    for (const each of meanwhile.splice(0)) await apply(each);
  };
  const after = async <T>(stored: Promise<T>): Promise<T> => {
    const result = await stored;
    seen.reached = await reachedIn(store, new Set(["7", ...made().sent.map(({ taskId }) => taskId)]));
    seen.erased = [...erased];
    return result;
  };
  world = await callWorld(store, {
    submissions: { ...submissions, claim: (...args) => before().then(() => after(submissions.claim(...args))) },
    proposals: { ...real, approve: (...args) => before().then(() => after(real.approve(...args))) },
  });
  const made = (): CallWorld => world;
  made().statuses.set("7", "done");
  const taskAt = (at: number): string => (at === 0 ? "7" : (made().sent.at(at - 1)?.taskId ?? "7"));

  async function apply(each: Change): Promise<void> {
    if (each.kind === "call") {
      const extra = each.callee.length % 2 === 0 ? { name: "Li" } : null;
      await made().call({
        taskId: taskAt(each.task),
        callee: each.callee,
        extra,
        ...(each.answered ? ANSWERED : MISSED),
      });
    } else if (each.kind === "list") await made().list([each.callee]);
    else if (each.kind === "end") made().statuses.set(taskAt(each.task), "done");
    else if ((await made().forget(each.callee)) !== null) erased.push(each.callee);
  }

  /** Learns the task of each submission that was sent, as the correlator does. */
  async function link(): Promise<void> {
    const all = await store.submissions.page({ after: null, limit: 1000 });
    const open = all.filter(({ status }) => status === "ACCEPTED").toReversed();
    const unknown = made().sent.filter(({ taskId }) => all.every((each) => each.taskId !== taskId));
    for (const [at, { id }] of open.entries()) await made().link(id, unknown[at]?.taskId ?? "");
  }

  return { world: made(), meanwhile, proposals, seen, apply, link, taskAt };
}

type Campaign = Awaited<ReturnType<typeof campaignOver>>;

/** The promises of each task that was sent by one step. `before`: how many had been sent. */
async function checkSent({ world, seen }: Campaign, before: number, running: ReadonlySet<string>) {
  const { sent, doNotCall } = world;
  for (const [at, { request }] of sent.slice(before).entries()) {
    const numbers = request.numbers.map(({ number }) => number);
    expect(numbers.filter((number) => seen.reached.some((reached) => isSame(number, reached)))).toEqual([]);
    expect(numbers.filter((number, place) => numbers.slice(0, place).some((other) => isSame(number, other)))).toEqual(
      [],
    );
    expect(await doNotCall.find(numbers, "test")).toEqual([]);
    const unfinished = sent.slice(0, before + at).filter(({ taskId }) => running.has(taskId) || at > 0);
    const taken = unfinished.flatMap((other) => other.request.numbers.map(({ number }) => number));
    expect(numbers.filter((number) => taken.some((other) => isSame(number, other)))).toEqual([]);
  }
}

describe.each(databases)("Random campaigns (%s)", (name, { create }) => {
  it("call nobody again who was reached, listed, erased, or is being called", { timeout: 120_000 }, async () => {
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
        await using database = await create();
        await using store = await open(database.url);
        const campaign = await campaignOver(store);
        const { world, meanwhile, proposals, apply, link, taskAt } = campaign;
        for (const each of steps) {
          const before = world.sent.length;
          const isRunning = () =>
            new Set(world.sent.flatMap(({ taskId }) => (world.statuses.get(taskId) === "running" ? taskId : [])));
          const running = isRunning();
          if (each.kind === "again") {
            meanwhile.push(...each.meanwhile);
            await world.again(`${each.key}`, taskAt(each.task));
          } else if (each.kind === "two at once")
            await Promise.all([
              world.again(`${each.key} a`, taskAt(each.task), {}, "one"),
              world.again(`${each.key} b`, taskAt(each.other), {}, "other"),
            ]);
          else if (each.kind === "propose") {
            const { submission } = await world.propose(`proposal ${each.key}`, taskAt(each.task));
            if (submission) proposals.push(submission.id);
          } else if (each.kind === "approve") {
            const id = proposals[each.which];
            if (id !== undefined) await world.approve(id);
          } else await apply(each);
          meanwhile.splice(0);
          await checkSent(campaign, before, running);
          await link();
        }
        sent += world.sent.length;
        await world.stop();
      }),
      { numRuns: name === "SQLite" ? 15 : 4 },
    );
    expect(sent).toBeGreaterThan(0);
  });
});
