// Whatever the batches, restarts, repeats and looks at the clock: the same log gives the same alerts, and each once.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { createJudge } from "../../src/alerts/judge.ts";
import { endedCalls } from "../../src/alerts/judgeCall.ts";
import type { AlertRule } from "../../src/alerts/alertFile.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import type { Store } from "../../src/store/store.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { NOW, signer } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { ended, rulesOf, answerRate, judging } from "./judging.ts";

const makeRules = () =>
  rulesOf(
    answerRate({ window: { calls: 3 }, minCalls: 2, coolDownMinutes: 5 }),
    answerRate({ name: "recent", of: "all", window: { minutes: 20 }, minCalls: 3, below: 0.4, coolDownMinutes: 30 }),
    {
      ...answerRate({ name: "failed", of: "assistant", above: 0.4 }),
      kind: "hangUpReason",
      reasons: ["NO_ANSWER"],
      below: undefined,
    },
  );

interface Step {
  waits: number;
  delay: number;
  answered: boolean;
  task: string;
  /** An earlier call that this is a revision of. */
  of: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  waits: fc.oneof({ weight: 20, arbitrary: fc.integer({ min: 0, max: 15 }) }, fc.constantFrom(90, 26 * 60)),
  delay: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: -5, max: 30 }) }, fc.constantFrom(59, 60, 61, 500)),
  answered: fc.boolean(),
  task: fc.constantFrom("7", "8"),
  of: fc.option(fc.nat(40), { freq: 5 }),
});

/** The log: what came, in the order in which it came. */
function logOf(steps: readonly Step[]): CallEndedEvent[] {
  const log: CallEndedEvent[] = [];
  let now = 0;
  for (const [at, { waits, delay, answered, task, of }] of steps.entries()) {
    now += waits;
    const before = of === null ? undefined : log[of];
    const call = ended(now - delay, { answered, taskId: task, receivedMinute: now });
    const { sessionId, endAt, taskId } = before ?? call;
    log.push({ ...call, sessionId, endAt, taskId, cursor: String(at + 1).padStart(10, "0") });
  }
  return log;
}

const minuteOf = ({ receivedAt }: CallEndedEvent) => (Date.parse(receivedAt) - NOW) / MINUTE_MS;
const last = (log: readonly CallEndedEvent[]) => log.at(-1) as CallEndedEvent;
/** Days after the last call, when all that the time ends has ended. */
const LATER = 3 * 24 * 60;

function expected(log: readonly CallEndedEvent[], own: readonly AlertRule[]) {
  const running = judging(own);
  for (const event of log) running.take(event);
  running.look(minuteOf(last(log)) + LATER);
  return running.alerts.map(({ rule, subject, raisedAt, resolvedAt, ending, value, calls }) =>
    JSON.stringify([rule, subject, raisedAt, resolvedAt, ending, value, calls]),
  );
}

async function stored({ alerts }: Store): Promise<string[]> {
  const found = await alerts.page({}, { after: null, limit: 1000 });
  return found.map(({ rule, subject, raisedAt, resolvedAt, ending, value, calls }) =>
    JSON.stringify([rule, subject, raisedAt, resolvedAt, ending, value, calls]),
  );
}

it("A log gives the same alerts in one batch or many, and with looks at the clock between any two entries", async () => {
  const rules = await makeRules();
  const steps = fc.array(step, { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(steps, fc.array(fc.boolean(), { maxLength: 40 }), (all, looks) => {
      const log = logOf(all);
      const [batched, looked] = [judging(rules), judging(rules)];
      batched.take(...log).look(minuteOf(last(log)) + LATER);
      for (const [at, event] of log.entries()) {
        looked.take(event);
        const next = log[at + 1];
        if (looks[at] && next) looked.look(minuteOf(next));
      }
      looked.look(minuteOf(last(log)) + LATER);
      const texts = [batched, looked].map(({ alerts }) =>
        alerts.map((alert) => JSON.stringify({ ...alert, told: [] })).toSorted(),
      );
      expect(texts[0]).toEqual(texts[1]);
    }),
  );
});

it.each(databases)(
  "On %s a replay, and two gateways that both read the log, give each alert once",
  async (_, { create }) => {
    const rules = await makeRules();
    const { url } = await create();
    const gateways = [await tempStore(url), ...(url.startsWith("file:") ? [] : [await tempStore(url)])];
    const [one] = gateways as [Store];
    let run = 0;
    const turns = fc.array(fc.record({ gateway: fc.nat(1), from: fc.nat(8), length: fc.integer({ min: 1, max: 8 }) }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), turns, async (steps, parts) => {
        const log = logOf(steps);
        // Each run has rules and a reader of its own.
        run += 1;
        const own = rules.map((rule) => ({ ...rule, name: `${rule.name}-${run}` }));
        const of = { ...endedCalls, reader: `alerts ${run}` };
        const add = (store: Store, entries: readonly CallEndedEvent[]) => {
          const now = Date.parse(last(entries).receivedAt);
          return store.alerts.add(of.reader, entries, createJudge({ of, rules: own, signer, now }));
        };
        let done = 0;
        for (const { gateway, from, length } of [...parts, { gateway: 0, from: 0, length: log.length }]) {
          // A gateway that has lost its lease repeats what another one has read.
          const begin = Math.max(0, done - from);
          const some = log.slice(begin, Math.max(done, begin + length));
          if (some.length === 0) continue;
          await add(gateways[gateway % gateways.length] as Store, some);
          done = Math.max(done, begin + some.length);
        }
        if (done < log.length) await add(one, log.slice(done));
        const end = Date.parse(last(log).receivedAt) + LATER * MINUTE_MS;
        const settle = (store: Store) =>
          store.alerts.settle(`alerts ${run}`, ({ states }) =>
            createJudge({ of, rules: own, signer, now: end }).settle({ states, alerts: [] }, end),
          );
        for (const store of gateways) await settle(store);
        const names = new Set(own.map(({ name }) => name));
        const found = (await stored(one)).filter((text) => names.has((JSON.parse(text) as string[])[0] ?? ""));
        expect(found.toSorted()).toEqual(expected(log, own).toSorted());
        // From the beginning once more, by a reader that has lost its place.
        await one.readers.delete(`alerts ${run}`);
        await add(one, log);
        for (const store of gateways) await settle(store);
        const again = (await stored(one)).filter((text) => names.has((JSON.parse(text) as string[])[0] ?? ""));
        expect(again.toSorted()).toEqual(found.toSorted());
      }),
      { numRuns: 40 },
    );
  },
);
