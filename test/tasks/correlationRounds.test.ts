import { describe, expect, it } from "vitest";
import { createSignal } from "../../src/util/signal.ts";
import { silentLog } from "../support/silentLog.ts";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import type { Store } from "../../src/store/store.ts";
import { createCorrelator } from "../../src/tasks/correlator.ts";
import { createCorrelationTokens } from "../../src/tasks/correlationToken.ts";
import { createTaskSubmission } from "../../src/tasks/taskSubmission.ts";
import { createTaskRules } from "../../src/tasks/taskRules.ts";
import { NOW, signer } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { createTaskInput } from "./input.ts";
import { chooseNobody } from "./office.ts";
import { createExamineTask } from "../../src/tasks/callAgain/examineTask.ts";
import { roundService, type RoundService } from "./service.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

const NEVER = new AbortController().signal;
const tokens = createCorrelationTokens(signer);

/** Mulberry32: the same seed, the same round. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Round {
  seed: number;
  random: () => number;
  service: RoundService;
  store: Store;
  clock: () => number;
}

/** What a process has beside the store; a restart makes it anew. */
function gatewayOf({ service, store, clock }: Round) {
  const { submissions, taskComparisons } = store;
  const changes = createSignal();
  const slices = createTimeSlices();
  const timeZone = "Asia/Shanghai";
  const rules = createTaskRules({ usage: store.usage, doNotCall: { find: async () => [] }, timeZone, slices, clock });
  const parts = {
    upstream: service.upstream,
    rules,
    examineTask: createExamineTask({
      rules,
      choosePeople: chooseNobody,
      signer,
      store: store.callAgain,
      slices,
      clock,
    }),
    submissions,
    changes,
    tokens,
    clock,
    cautiousClock: clock,
    log: silentLog,
  };
  const { submissions: desk, submitTask: submit } = createTaskSubmission({
    ...parts,
    store,
    correlates: true,
    viewerOfKey: () => null,
    policyVersion: () => "",
    submittedTasks: { isOf: async () => true },
    addLines: () => undefined,
    pendingTimeoutMs: 1000,
    slices,
  });
  return {
    desk,
    submit,
    correlator: createCorrelator({ ...parts, taskComparisons }),
  };
}

const outcomes = [
  { makes: true, outcome: { kind: "accepted" } },
  { makes: true, outcome: { kind: "unconfirmed" } },
  { makes: false, outcome: { kind: "unconfirmed" } },
  { makes: false, outcome: { kind: "rejected", status: 422 } },
] as const;

/** Submits, tells of calls out of order, twice or not at all, and restarts: which submissions have which tasks then. */
async function play(round: Round) {
  const { seed, random, service } = round;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const truth = new Map<string, string | null>();
  let gateway = gatewayOf(round);
  const queue: CallEndedEvent[] = [];

  const restart = () => (gateway = gatewayOf(round));
  async function submit(): Promise<void> {
    service.next = pick(outcomes);
    const before = new Set(service.made.keys());
    const key = `${seed}-${truth.size}`;
    // Two names and two sizes: identical tasks at once are the rule.
    const numbers = Array.from({ length: pick([1, 2]) }, (_, at) => ({ number: `${seed}${at}` }));
    const name = `${seed} ${pick(["A", "B"])}`;
    const { submission } = await gateway.submit(
      { name: "web", limits: null },
      createTaskInput({ idempotencyKey: key, name, numbers }),
    );
    const made = [...service.made.keys()].find((taskId) => !before.has(taskId));
    if (submission) truth.set(submission.id, made ?? null);
    const losesWebhooks = random() < 0.4;
    if (made !== undefined) tellOf(made, losesWebhooks);
  }
  function tellOf(taskId: string, losesWebhooks: boolean): void {
    const one = service.made.get(taskId);
    if (!one) return;
    for (let calls = Math.floor(random() * 3); calls >= 0; calls -= 1) {
      const event = service.call(one, losesWebhooks ? "RECONCILED" : "WEBHOOK");
      for (let copies = pick([0, 1, 1, 2]); copies > 0; copies -= 1) queue.push(event);
    }
  }
  async function deliver(): Promise<void> {
    const some = Array.from({ length: Math.min(queue.length, 1 + Math.floor(random() * 3)) }, () =>
      queue.splice(Math.floor(random() * queue.length), 1),
    ).flat();
    await gateway.correlator.handleEvents(some);
    // A restart between the two; or a repeat, as after a kill.
    if (random() < 0.2) restart();
    if (random() < 0.2) await gateway.correlator.handleEvents(some);
    if (random() < 0.7) await gateway.correlator.compareWaitingTasks(NEVER);
  }
  /** Made by another program, at the same moment and alike; its webhooks come, for those are how it is known as another's. */
  function elsewhere(): void {
    const like = pick([...service.made.values()]);
    if (!like) return;
    const numbers = like.request.numbers.map(({ number }) => ({ number, extra: { city: "Paris" } }));
    tellOf(service.makeElsewhere({ ...like.request, numbers }).taskId, false);
  }

  await submit();
  for (let steps = 3 + Math.floor(random() * 8); steps > 0; steps -= 1) {
    const step = random();
    if (step < 0.35) await submit();
    else if (step < 0.45 && service.made.size > 0) elsewhere();
    else if (step < 0.55) restart();
    else await deliver();
  }
  while (queue.length > 0) await deliver();
  await gateway.correlator.compareWaitingTasks(NEVER);
  return Promise.all(
    [...truth].map(async ([id, made]) => {
      const found = await gateway.desk.byId(id);
      return { made, status: found?.status, taskId: found?.taskId ?? null };
    }),
  );
}

describe.each(databases)("The correlation of submissions on %s", (name, { create }) => {
  const rounds = Number(process.env["CORRELATION_ROUNDS"] ?? (name === "SQLite" ? 300 : 40));

  it(
    `in ${rounds} seeded rounds: shuffled, doubled and lost webhooks, identical tasks, restarts`,
    { timeout: 300_000 },
    async () => {
      const store = await tempStore((await create()).url);
      const seen = { resolved: 0, open: 0, wrong: [] as unknown[] };
      for (let seed = 1; seed <= rounds; seed += 1) {
        const random = randomOf(seed);
        let now = NOW + seed * 86_400_000;
        const clock = () => (now += 700);
        const service = roundService(random, clock);
        for (const one of await play({ seed, random, service, store, clock })) {
          if (one.taskId !== null && one.taskId !== one.made) seen.wrong.push({ seed, ...one });
          if ((one.status === "RESOLVED") !== (one.taskId !== null)) seen.wrong.push({ seed, ...one });
          if (one.taskId === null) seen.open += 1;
          else seen.resolved += 1;
        }
      }
      expect(seen.wrong).toEqual([]);
      // It finds what can be found: most of what was made and told of.
      expect(seen.resolved).toBeGreaterThan(rounds);
    },
  );
});
