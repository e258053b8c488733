import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import { createSignal } from "../../src/util/signal.ts";
import type { CallEndedData, CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { createLogger } from "../../src/logger.ts";
import { createCorrelator } from "../../src/tasks/correlator.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import { createCorrelationTokens, CORRELATION_KEY } from "../../src/tasks/correlationToken.ts";
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import { callEnded, NOW, signer } from "../events/callEnded.ts";
import { task } from "../resolvers/world.ts";
import { ANY_QUOTA, submission, tempStore } from "../store/tempStore.ts";
import { createRequest } from "../upstream/service.ts";

const NEVER = new AbortController().signal;
const tokens = createCorrelationTokens(signer);
const tokenOf = (id: string) =>
  runSync(tokens.attach(createRequest(), id)).numbers[0]?.extra as Record<string, unknown>;

let eventCount = 0;
function event(own: Partial<CallEndedData>, source: CallEndedEvent["source"] = "WEBHOOK"): CallEndedEvent {
  eventCount += 1;
  const receivedAt = "2026-11-20T09:31:00.000Z";
  return {
    ...callEnded({ sessionId: `s${eventCount}`, ...own }),
    cursor: `${eventCount}`,
    revision: 1,
    source,
    receivedAt,
  };
}

/** As the open submissions `a`, `b` … say of themselves. */
const fitting = (taskId: string): TaskRecord =>
  task({
    taskId,
    name: "Reminder",
    total: 2,
    createdAt: "2026-11-20T09:30:00.000Z",
    assistantRef: { assistantId: "9007199254740993123", versionId: "1" },
  });

async function correlation(
  ids: readonly string[],
  answer: (taskId: string) => TaskRecord | null = fitting,
  hasToken = true,
) {
  const { submissions, taskComparisons } = await tempStore();
  for (const id of ids)
    await submissions.claim(submission({ id, idempotencyKey: id, status: "ACCEPTED", hasToken }), ANY_QUOTA);
  const asked: string[] = [];
  const lines: string[] = [];
  const correlator = createCorrelator({
    upstream: {
      async getTask(taskId) {
        asked.push(taskId);
        return answer(taskId);
      },
    },
    submissions,
    taskComparisons,
    tokens,
    changes: createSignal(),
    clock: () => NOW,
    log: createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  });
  const tasksOf = async () => Promise.all(ids.map(async (id) => (await submissions.byId(id))?.taskId ?? null));
  return { ...correlator, asked, lines, tasksOf };
}

describe("A correlation token", () => {
  it("sends no request to the service to compare names", async () => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, asked, tasksOf } = await correlation(["a", "b"]);
    await take([event({ taskId: "7", extra: { ...tokenOf("b"), name: "Li" } })]);
    await compareWaiting(NEVER);
    expect([await tasksOf(), asked]).toEqual([[null, "7"], []]);
  });

  it("is only logged if it comes back with a second task", async () => {
    const { handleEvents: take, lines, tasksOf } = await correlation(["a"]);
    await take([event({ taskId: "7", extra: tokenOf("a") })]);
    expect(lines).toEqual([]);
    await take([event({ taskId: "8", extra: tokenOf("a") }), event({ taskId: "7", extra: tokenOf("a") })]);
    expect(await tasksOf()).toEqual(["7"]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: "error", submissionId: "a", taskId: "8" }),
    ]);
  });

  it("ignores a forged token or one of a call without a task", async () => {
    const { handleEvents: take, tasksOf, lines } = await correlation(["a"]);
    await take([
      event({ taskId: "7", extra: { [CORRELATION_KEY]: "a" } }),
      event({ taskId: "7", extra: { [CORRELATION_KEY]: `a${"A".repeat(16)}` } }),
      event({ taskId: "7", extra: { [CORRELATION_KEY]: { a: 1 } } }),
      event({ taskId: null, extra: tokenOf("a") }),
      event({ taskId: "../7", extra: tokenOf("a") }),
      event({ taskId: "7", extra: tokenOf("purged long ago") }),
    ]);
    expect([await tasksOf(), lines]).toEqual([[null], []]);
  });
});

describe("A new task without a token", () => {
  it("is compared once, without requests for other ids", async () => {
    const {
      handleEvents: take,
      compareWaitingTasks: compareWaiting,
      asked,
      tasksOf,
    } = await correlation(["a"], () => null);
    const seen = ["7", "9", "7"].map((taskId) => event({ taskId, extra: null }, "RECONCILED"));
    for (let at = 0; at < 3; at += 1) {
      await take(seen);
      await compareWaiting(NEVER);
    }
    expect(asked.sort()).toEqual(["7", "9"]);
    expect(await tasksOf()).toEqual([null]);
  });

  it("is not compared for an imported call, and is for a webhook of the call that comes later", async () => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, asked, tasksOf } = await correlation(["a"]);
    await take([event({ taskId: "7", extra: null }, "IMPORTED")]);
    await compareWaiting(NEVER);
    expect(asked).toEqual([]);
    await take([event({ taskId: "7", extra: null })]);
    await compareWaiting(NEVER);
    expect(await tasksOf()).toEqual(["7"]);
  });

  it("resolves a single match but not one of two", async () => {
    const one = await correlation(["a"]);
    await one.handleEvents([event({ taskId: "7", extra: null }, "RECONCILED")]);
    await one.compareWaitingTasks(NEVER);
    expect(await one.tasksOf()).toEqual(["7"]);
    const two = await correlation(["a", "b"]);
    await two.handleEvents([event({ taskId: "7", extra: null }, "RECONCILED")]);
    await two.compareWaitingTasks(NEVER);
    expect(await two.tasksOf()).toEqual([null, null]);
  });

  it("is not compared if its variables came back without a token", async () => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, asked } = await correlation(["a"]);
    await take([event({ taskId: "7", extra: null }, "RECONCILED"), event({ taskId: "7", extra: { city: "Paris" } })]);
    await compareWaiting(NEVER);
    expect(asked).toEqual([]);
  });

  it("makes no comparison when nothing can match", async () => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, asked } = await correlation([]);
    await take([event({ taskId: "7", extra: null }, "RECONCILED")]);
    await compareWaiting(NEVER);
    expect(asked).toEqual([]);
  });

  it.each([
    ["without an assistant that can be told", { assistantRef: null }],
    ["without a time", { createdAt: null }],
    ["without a count", { total: null }],
    ["of a NUL", { name: "\0" }],
  ])("does not resolve a submission %s", async (_, own) => {
    const {
      handleEvents: take,
      compareWaitingTasks: compareWaiting,
      tasksOf,
    } = await correlation(["a"], (taskId) => ({ ...fitting(taskId), ...own }));
    await take([event({ taskId: "7", extra: null }, "RECONCILED")]);
    expect(await compareWaiting(NEVER)).toBe(true);
    expect(await tasksOf()).toEqual([null]);
  });
});

describe("A submission that was sent without a token", () => {
  const withoutToken = (answer = fitting) => correlation(["a"], answer, false);

  it.each([
    ["variables of its own", { city: "Paris" }],
    ["no variables", null],
  ])("is matched by a task that brings back %s", async (_, extra) => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, tasksOf } = await withoutToken();
    await take([event({ taskId: "7", extra })]);
    expect(await compareWaiting(NEVER)).toBe(true);
    expect(await tasksOf()).toEqual(["7"]);
  });

  it("is not matched by a task with another submission's token", async () => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, asked, tasksOf } = await withoutToken();
    await take([event({ taskId: "7", extra: { city: "Paris" } }), event({ taskId: "7", extra: tokenOf("other") })]);
    await compareWaiting(NEVER);
    expect([asked, await tasksOf()]).toEqual([[], [null]]);
  });

  it("is matched by neither of two fitting tasks, in either order", async () => {
    const { handleEvents: take, compareWaitingTasks: compareWaiting, tasksOf } = await withoutToken();
    for (const taskId of ["7", "8", "9"]) {
      await take([event({ taskId, extra: { city: "Paris" } })]);
      await compareWaiting(NEVER);
    }
    expect(await tasksOf()).toEqual([null]);
  });
});

describe("The correlator with a failing service", () => {
  it("asks again later, and delays no token and no other task", async () => {
    let isDown = true;
    const {
      handleEvents: take,
      compareWaitingTasks: compareWaiting,
      tasksOf,
      asked,
    } = await correlation(["a"], (taskId) => {
      if (isDown && taskId === "7") throw new CodedError("UPSTREAM_UNAVAILABLE", "down");
      return taskId === "7" ? fitting(taskId) : null;
    });
    await take(["7", "8"].map((taskId) => event({ taskId, extra: null }, "RECONCILED")));
    expect(await compareWaiting(NEVER)).toBe(false);
    expect(asked.sort()).toEqual(["7", "8"]);
    isDown = false;
    expect(await compareWaiting(NEVER)).toBe(true);
    expect(await tasksOf()).toEqual(["7"]);
  });

  it("stops asking after a permanent error", async () => {
    const {
      handleEvents: take,
      compareWaitingTasks: compareWaiting,
      asked,
      lines,
    } = await correlation(["a"], () => {
      throw new CodedError("UPSTREAM_CONTRACT", "no task");
    });
    await take([event({ taskId: "7", extra: null }, "RECONCILED")]);
    for (let at = 0; at < 3; at += 1) expect(await compareWaiting(NEVER)).toBe(true);
    expect(asked).toEqual(["7"]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: "warn", taskId: "7", msg: "a task could not be compared with the submissions" },
    ]);
  });
});
