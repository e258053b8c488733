// Random campaigns against the promises, which are checked by a plain count over the log at the instant at which a task is stored.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEnd, wasAnswered, type CallEndedData, type CallEndedEvent } from "../../../src/events/callEndedEvent.ts";
import { readPhone } from "../../../src/format/readPhone.ts";
import { createPeople } from "../../../src/format/samePerson.ts";
import { createPhoneMatcher } from "../../../src/privacy/phoneMatcher.ts";
import { createCorrelationTokens } from "../../../src/tasks/correlationToken.ts";
import type { Store } from "../../../src/store/store.ts";
import { signer } from "../../events/callEnded.ts";
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
const meanwhile = fc.array(change, { maxLength: 2 });
const step = fc.oneof(
  { weight: 5, arbitrary: change },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("again" as const),
      task,
      key,
      meanwhile,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("two at once" as const), task, other: task, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("propose" as const), task, key }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("approve" as const), which: fc.nat(3), meanwhile }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("link" as const), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("purge" as const), events: fc.integer({ min: 1, max: 8 }) }) },
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const tokens = createCorrelationTokens(signer);
const LATEST = "2030-01-01T00:00:00.000Z";

/** A campaign that begins with task 7, and what is remembered of it to check the promises. */
async function campaignOver(store: Store) {
  const changes: Change[] = [];
  /** Numbers that were erased, and not called since. */
  let erased: ((number: string) => boolean)[] = [];
  const proposals: string[] = [];
  let world: CallWorld | null = null;
  /** At the commit: what was known then. Nothing else writes meanwhile. */
  const seen = { reached: [] as string[], erased, running: new Set<string>() };
  const { submissions, proposals: real } = store;
  const before = async () => {
    for (const each of changes.splice(0)) await apply(each);
  };
  const after = async <T>(stored: Promise<T>): Promise<T> => {
    const result = await stored;
    seen.reached = await reachedIn(store, new Set(["7", ...made().sent.map(({ taskId }) => taskId)]));
    seen.erased = erased;
    seen.running = new Set(
      made().sent.flatMap(({ taskId }) => (made().statuses.get(taskId) === "running" ? taskId : [])),
    );
    return result;
  };
  world = await callWorld(store, {
    submissions: { ...submissions, claim: (...args) => before().then(() => after(submissions.claim(...args))) },
    proposals: { ...real, approve: (...args) => before().then(() => after(real.approve(...args))) },
  });
  const made = (): CallWorld => world;
  made().statuses.set("7", "done");
  const taskAt = (at: number): string => (at === 0 ? "7" : (made().sent.at(at - 1)?.taskId ?? "7"));

  /** A task that was sent calls its own people only, in any writing. */
  function calleeOf({ task: at, callee }: { task: number; callee: string }): string {
    const numbers = (at === 0 ? null : made().sent.at(at - 1))?.request.numbers.map(({ number }) => number) ?? [];
    return numbers.length === 0 || numbers.some((number) => isSame(number, callee))
      ? callee
      : (numbers[callee.length % numbers.length] ?? callee);
  }

  async function apply(each: Change): Promise<void> {
    if (each.kind === "call") {
      const callee = calleeOf(each);
      erased = erased.filter((isErased) => !isErased(callee));
      const extra = callee.length % 2 === 0 ? { name: "Li" } : null;
      await made().call({ taskId: taskAt(each.task), callee, extra, ...(each.answered ? ANSWERED : MISSED) });
    } else if (each.kind === "list") await made().list([each.callee]);
    else if (each.kind === "end") made().statuses.set(taskAt(each.task), "done");
    else if ((await made().forget(each.callee)) !== null)
      erased = [...erased, createPhoneMatcher(each.callee) ?? (() => false)];
  }

  /** Learns which submission made a task, as the correlator does. */
  async function link(which: number): Promise<void> {
    const { sent } = made();
    const { request, taskId } = sent[which % Math.max(sent.length, 1)] ?? {};
    const id = tokens.submissionIdOf(request?.numbers[0]?.extra ?? null);
    if (id !== null) await made().link(id, taskId ?? "");
  }

  /** After the retention, in which each task ends. */
  async function purge(events: number): Promise<void> {
    for (const taskId of made().statuses.keys()) made().statuses.set(taskId, "done");
    await store.events.purge(LATEST, events, LATEST);
    await store.submissions.purge(LATEST, 100);
  }

  return { world: made(), changes, proposals, seen, apply, link, purge, taskAt };
}

type Campaign = Awaited<ReturnType<typeof campaignOver>>;

/** The promises of each task that was sent by one step. `before`: how many had been sent. */
async function checkSent({ world, seen }: Campaign, before: number) {
  const { sent, doNotCall } = world;
  for (const [at, { request }] of sent.slice(before).entries()) {
    const numbers = request.numbers.map(({ number }) => number);
    expect(numbers.filter((number) => seen.reached.some((reached) => isSame(number, reached)))).toEqual([]);
    expect(numbers.filter((number) => seen.erased.some((isErased) => isErased(number)))).toEqual([]);
    expect(numbers.filter((number, place) => numbers.slice(0, place).some((other) => isSame(number, other)))).toEqual(
      [],
    );
    expect(await doNotCall.find(numbers, "test")).toEqual([]);
    // Two at once do not wait for each other, and the later one is stored when the earlier one may run already.
    const same = sent.slice(before, before + at);
    const unfinished = [...sent.slice(0, before), ...same].filter(
      (other) => same.includes(other) || seen.running.has(other.taskId),
    );
    const taken = unfinished.flatMap((other) => other.request.numbers.map(({ number }) => number));
    expect(numbers.filter((number) => taken.some((other) => isSame(number, other)))).toEqual([]);
  }
}

describe.each(databases)("Random campaigns (%s)", (name, { create }) => {
  it("call nobody again who was reached, listed, erased, or is being called", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 20 }), async (steps) => {
        await using database = await create();
        await using store = await open(database.url);
        const campaign = await campaignOver(store);
        const { world, changes, proposals, apply, link, purge, taskAt } = campaign;
        for (const callee of ["13800010001", "13900020002", "021-12345678"]) await world.call({ callee });
        await world.again("the first", "7", { until: "2026-11-20T00:03:00.000Z" });
        expect(world.sent).toHaveLength(1);
        for (const each of steps) {
          const before = world.sent.length;
          if (each.kind === "again") {
            changes.push(...each.meanwhile);
            await world.again(`${each.key}`, taskAt(each.task));
          } else if (each.kind === "two at once")
            await Promise.all([
              world.again(`${each.key} a`, taskAt(each.task), {}, { name: "one" }),
              world.again(`${each.key} b`, taskAt(each.other), {}, { name: "other" }),
            ]);
          else if (each.kind === "propose") {
            const { submission } = await world.propose(`proposal ${each.key}`, taskAt(each.task));
            if (submission) proposals.push(submission.id);
          } else if (each.kind === "approve") {
            const id = proposals[each.which];
            changes.push(...each.meanwhile);
            if (id !== undefined) await world.approve(id);
          } else if (each.kind === "link") await link(each.which);
          else if (each.kind === "purge") await purge(each.events);
          else await apply(each);
          changes.splice(0);
          await checkSent(campaign, before);
        }
        await world.stop();
      }),
      { numRuns: name === "SQLite" ? 60 : 6 },
    );
  });
});
