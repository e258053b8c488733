// The service's three endpoints behind the port of upstream.ts. It knows paths and shapes, and stacks the layers that a
// GET passes: questions → breaker → retry → slots → transport. A task's creation has a way of its own, sendCreateTask.ts.
import { parseExact } from "../format/exactJson.ts";
import { CodedError } from "../errors.ts";
import type { Log } from "../log.ts";
import { parseBody, type ServiceResponse } from "./judgeResponse.ts";
import { createRequester } from "./requester.ts";
import { createTaskSender } from "./sendCreateTask.ts";
import { createTaskBody } from "./createTaskBody.ts";
import { readCallLogPage } from "./models/readCallLogPage.ts";
import { parseTask, readTask } from "./models/readTask.ts";
import { callLogQueryString, type AssistantIdsStyle } from "./callLogQuery.ts";
import { createCircuitBreaker } from "./circuitBreaker.ts";
import { createRequestCoalescer } from "./requestCoalescer.ts";
import { createRetry, systemClock, type ClockAndRandom } from "./retry.ts";
import { createConcurrencyLimit } from "./concurrencyLimit.ts";
import { createTransport } from "./transport.ts";
import type { CallLogPage, CallLogQuery, TaskRecord, Upstream } from "./upstream.ts";

export interface UpstreamOptions {
  /** The base address; it may have a path of its own, and a slash at its end. */
  url: string;
  token: string;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  /** Deadline of one request with its retries and its time in the queue, to the last byte of the answer. */
  timeoutMs: number;
  assistantIds: AssistantIdsStyle;
  /** Requests at once; more wait. */
  concurrency: number;
  /** How long an answer may be used again, in milliseconds; 0: never. */
  cacheMs: number;
  log: Log;
  clock?: ClockAndRandom;
}

/** Each holds a path and a few closures: some ten megabytes in all. */
const MAX_QUEUED = 10_000;

/** Disposing it ends the reads under way, and waits for creations under way: what became of them must be known. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { timeZone, timeoutMs, concurrency, cacheMs, clock: chance = systemClock } = options;
  const transport = createTransport({ ...options, connections: concurrency });
  const slots = createConcurrencyLimit(transport.send, { maxInFlight: concurrency, maxQueued: MAX_QUEUED });
  const retry = createRetry(slots.send, chance);
  const breaker = createCircuitBreaker(retry.send, chance);
  const questions = createRequestCoalescer({ send: breaker.send, timeoutMs, ttlMs: cacheMs, now: chance.now });
  const sender = createTaskSender(options);

  async function listCallLogs(query: CallLogQuery, asker = createRequester()): Promise<CallLogPage> {
    const path = `/openapi/calllog?${callLogQueryString(query, options)}`;
    const read = (answer: ServiceResponse) => readCallLogPage(parseBody(answer, parseExact), timeZone);
    return questions.get({ path, taskIds: query.taskIds, read }, asker);
  }

  async function getTask(taskId: string, asker = createRequester()): Promise<TaskRecord | null> {
    const id = decimal(taskId);
    // 0 is how the service says "no task" (section 6, rule 1), so it is never asked for.
    if (id === "0") return null;
    const path = `/openapi/tasks/${encodeURIComponent(id)}`;
    const read = (answer: ServiceResponse) =>
      answer.status === 404 ? null : readTask(parseBody(answer, parseTask), id, timeZone);
    return questions.get({ path, taskIds: [id], read }, asker);
  }

  return {
    listCallLogs,
    getTask,
    writeTask: createTaskBody,
    createTask: (body) => sender.send(body),
    invalidate: questions.invalidate,
    invalidateAll: questions.invalidateAll,
    status: () => ({
      state: breaker.state(),
      retries: retry.retries(),
      shared: questions.shared(),
      cached: questions.cached(),
      requests: transport.sent(),
      underWay: slots.inFlight(),
      queued: slots.queued(),
    }),
    async [Symbol.asyncDispose]() {
      questions.abortAll(new CodedError("UPSTREAM_UNAVAILABLE", "The gateway is stopping."));
      await Promise.all([transport[Symbol.asyncDispose](), sender[Symbol.asyncDispose]()]);
    },
  };
}

/** Digits only, for an id becomes part of a path. Zeros before the number are dropped, as the service would. */
function decimal(taskId: string): string {
  if (!/^\d+$/.test(taskId)) throw new TypeError("A task's id is written with decimal digits only.");
  return taskId.replace(/^0+(?=\d)/, "");
}
