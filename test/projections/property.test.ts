// Random deliveries, erasures, purges, restarts and failures, against a plain count over the log.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isEnd,
  wasAnswered,
  type CallEndedData,
  type CallEndedEvent,
  type EventSource,
} from "../../src/events/callEndedEvent.ts";
import { readPhone } from "../../src/format/readPhone.ts";
import { createPeople } from "../../src/format/samePerson.ts";
import type { ProjectionStore } from "../../src/store/projections/projectionStore.ts";
import type { Store } from "../../src/store/store.ts";
import { callEnded } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { open, WHOLE } from "../store/tempStore.ts";
import { recipientRule, recipientsIn, settled, startGateway, type Gateway, type ShownRecipient } from "./projecting.ts";

const WRITINGS: readonly string[] = [
  ["13800010001", "+86 138 0001 0001", "008613800010001", "+8613900020002", "13900020002"],
  ["+1 4155550101", "+44 4155550101", "4155550101", "021-12345678转801", "021-12345678", "138****0001", "A068"],
].flat();
const OUTCOMES: Record<string, string> = {
  busy: "BUSY",
  "no answer": "NO_ANSWER",
  rejected: "REJECTED",
  failed: "FAILED",
};

/** Two calls of one person: by the service's ID of the number, or by the rule that keeps a task from calling somebody twice. */
function isSamePerson(a: CallEndedEvent, b: CallEndedEvent): boolean {
  if (a.taskItemId !== null && a.taskItemId === b.taskItemId) return true;
  if (a.callee === null || b.callee === null) return false;
  const [one, other] = [readPhone(a.callee), readPhone(b.callee)];
  if (one.kind === "none" || other.kind === "none") return false;
  const find = createPeople();
  find(one, 0);
  return find(other, 1) !== null;
}

const endOf = ({ endAt, receivedAt }: CallEndedEvent) => endAt ?? receivedAt;
const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byTime = (a: CallEndedEvent, b: CallEndedEvent) => order(endOf(a), endOf(b)) || order(a.sessionId, b.sessionId);

/** What the recipients must be, from the newest entry of each call in the log. */
async function expectedIn(store: Store): Promise<ShownRecipient[]> {
  const newest = new Map<string, CallEndedEvent>();
  for (const { data, source, receivedAt, revision, sessionId } of await store.events.read(WHOLE)) {
    const call = JSON.parse(data) as CallEndedData;
    newest.set(sessionId, { ...call, source: source as EventSource, receivedAt, revision, cursor: "" });
  }
  const calls = [...newest.values()].filter(
    (call) => call.taskId !== null && call.direction !== "inbound" && isEnd(call),
  );
  const people: CallEndedEvent[][] = [];
  for (const call of calls) {
    const joined = people.filter((person) =>
      person.some((other) => other.taskId === call.taskId && isSamePerson(call, other)),
    );
    for (const person of joined) people.splice(people.indexOf(person), 1);
    people.push([call, ...joined.flat()]);
  }
  const shown = people.map((person) => {
    const ordered = person.toSorted(byTime);
    const [first, last] = [ordered[0] as CallEndedEvent, ordered.at(-1) as CallEndedEvent];
    return {
      first,
      row: {
        taskId: first.taskId as string,
        outcome: ordered.some(wasAnswered) ? "REACHED" : (OUTCOMES[last.hangupReason ?? ""] ?? "OTHER"),
        attempts: ordered.length,
        talkTime: ordered.reduce((sum, { billsec }) => sum + (billsec ?? 0), 0),
        firstAt: endOf(first),
        lastAt: endOf(last),
        lastReason: last.hangupReason,
        calls: ordered.map(({ sessionId }) => sessionId).toReversed(),
      },
    };
  });
  shown.sort((a, b) => order(a.row.taskId, b.row.taskId) || byTime(a.first, b.first));
  return shown.map(({ row }) => row);
}

const delivery = fc.record({
  kind: fc.constant("delivery" as const),
  by: fc.nat(1),
  source: fc.constantFrom<EventSource>("WEBHOOK", "WEBHOOK", "RECONCILED", "IMPORTED"),
  call: fc.record({
    sessionId: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
    taskId: fc.constantFrom("7", "7", "7", "8", null),
    taskItemId: fc.constantFrom("70", "71", null, null),
    callee: fc.constantFrom(null, ...WRITINGS),
    direction: fc.constantFrom("outbound" as const, "outbound" as const, "outbound" as const, null, "inbound" as const),
    billsec: fc.constantFrom(0, 0, 12, 30, null),
    answerAt: fc.constant(null),
    hangupReason: fc.constantFrom("busy", "no answer", "rejected", "failed", "odd", null),
    endAt: fc.constantFrom("2026-11-20T09:01:00.000Z", "2026-11-20T09:02:00.000Z", "2026-11-20T09:03:00.000Z"),
  }),
});
const step = fc.oneof(
  { weight: 12, arbitrary: delivery },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("erase" as const), session: fc.constantFrom("a", "b", "c") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("purge" as const), rows: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("restart" as const), which: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("rebuild" as const), which: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("fail" as const), isAfter: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const) }) },
);

interface World {
  gateways: [Gateway, Gateway];
  stores: [Store, Store];
  /** The next writes of a projection fail, before or after their commit. */
  failures: boolean[];
}

const failing =
  (failures: boolean[]) =>
  (own: ProjectionStore): ProjectionStore => ({
    ...own,
    async add(...given) {
      const isAfter = failures.shift();
      if (isAfter === false) throw new Error("before the commit");
      const result = await own.add(...given);
      if (isAfter) throw new Error("after the commit");
      return result;
    },
  });

async function take(world: World, one: typeof step extends fc.Arbitrary<infer Step> ? Step : never): Promise<void> {
  const { gateways, stores, failures } = world;
  const [store] = stores;
  if (one.kind === "delivery") {
    const { log } = gateways[one.by] as Gateway;
    await log.append(callEnded(one.call), one.source);
  }
  if (one.kind === "erase") {
    const match = {
      number: "",
      event: (data: string) => data.includes(`"sessionId":"${one.session}"`),
      delivery: () => false,
    };
    const by = { actor: "ops", at: "2026-11-20T09:40:00.000Z" };
    await store.eraser.erase({ ...match, text: () => false, inputLine: () => false }, async () => undefined, by);
    for (const { log } of gateways) await log.refresh();
  }
  if (one.kind === "purge") await store.events.purge("2027", one.rows);
  if (one.kind === "restart") {
    await gateways[one.which]?.stop();
    gateways[one.which] = await startGateway(stores[one.which] as Store, recipientRule(), failing(failures));
  }
  if (one.kind === "rebuild") await gateways[one.which]?.projections.rebuild("recipients");
  if (one.kind === "fail") failures.push(one.isAfter);
  if (one.kind === "settle") await settled(gateways[0]);
}

describe.each(databases)("Recipients on %s", (kind, { create }) => {
  it("are what a plain count over the log gives, in any order, with repeats, revisions, erasures, restarts and failures", async () => {
    const runs = kind === "SQLite" ? 25 : 12;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 30 }), async (steps) => {
        await using database = await create();
        const first = await open(database.url);
        const second = kind === "SQLite" ? first : await open(database.url);
        const failures: boolean[] = [];
        const start = (store: Store) => startGateway(store, recipientRule(), failing(failures));
        const world: World = { gateways: [await start(first), await start(second)], stores: [first, second], failures };
        try {
          for (const one of steps) await take(world, one);
          for (const { log } of world.gateways) await log.refresh();
          await settled(world.gateways[0]);
          expect(await recipientsIn(first)).toEqual(await expectedIn(first));
        } finally {
          for (const gateway of world.gateways) await gateway.stop();
          await first[Symbol.asyncDispose]();
          if (second !== first) await second[Symbol.asyncDispose]();
        }
      }),
      { numRuns: runs },
    );
  });
});
