// Implements the port of upstream.ts: the paths and response shapes of the service's three endpoints. A GET goes from the request
// coalescer to the GET sender and its transport. Task creation bypasses them, see sendCreateTask.ts.
import type { LiveProxy } from "./proxyAgent.ts";
import { CodedError } from "../errors.ts";
import { parseExact } from "../format/exactJson.ts";
import type { Logger } from "../logger.ts";
import { callLogQueryString, type AssistantIdsStyle } from "./callLogQuery.ts";
import { createTaskBody } from "./createTaskBody.ts";
import { readCallLogPage } from "./models/readCallLogPage.ts";
import { parseTask, readTask } from "./models/readTask.ts";
import { createAnswerWatch } from "./answerWatch.ts";
import { createGetSender } from "./getSender.ts";
import { createRequestCoalescer } from "./requestCoalescer.ts";
import { createRequester } from "./requester.ts";
import { systemClock, type ClockAndRandom } from "./retryPolicy.ts";
import { createTaskSender, type TaskSender } from "./sendCreateTask.ts";
import { parseBody, type ServiceResponse } from "./serviceResponse.ts";
import type { ServiceToken } from "./serviceToken.ts";
import { openTransport } from "./openTransport.ts";
import type { Transport } from "./transport.ts";
import { logRequests, noUpstreamObserver, type UpstreamObserver } from "./upstreamObserver.ts";
import type { CallLogPage, CallLogQuery, TaskRecord, Upstream } from "./upstream.ts";

export interface UpstreamOptions {
  /** The base address; it may have a path, and a slash at its end. */
  url: string;
  token: ServiceToken;
  /** Null: the service is reached directly. */
  proxy: LiveProxy;
  /** IANA zone of the service's wall clock. */
  timeZone: string;
  /** Deadline of one request, in milliseconds: the queue, all retries, and the last byte of the response. */
  timeoutMs: number;
  assistantIds: AssistantIdsStyle;
  /** Requests in flight at once; more are queued. */
  concurrency: number;
  /** How long a response is cached, in milliseconds; 0: not at all. */
  cacheMs: number;
  /** Puts spans around requests, or leaves them as they are. Default: the latter. */
  tracing?: UpstreamTracing;
  log: Logger;
  clock?: ClockAndRandom;
  /** Epoch milliseconds. Default: the machine's clock. */
  wallClock?: () => number;
  observer?: UpstreamObserver;
  /** Called with the Date header of each answer to a GET that has one. */
  onDate?: (date: string) => void;
}

export interface UpstreamTracing {
  transport(transport: Transport, url: string): Transport;
  taskSender(sender: TaskSender, url: string): TaskSender;
}

const untraced: UpstreamTracing = { transport: (transport) => transport, taskSender: (sender) => sender };

/** Full, the queue takes about ten megabytes: an entry holds a path and a few closures. */
const MAX_QUEUED = 10_000;

/** Disposing it aborts the GETs in flight, and waits for task creations in flight: their outcome must be known. */
export function createUpstream(options: UpstreamOptions): Upstream {
  const { url, timeZone, timeoutMs, concurrency, cacheMs, tracing = untraced, clock = systemClock } = options;
  const { observer: given = noUpstreamObserver, onDate, log } = options;
  const answers = createAnswerWatch(log.logsDebug ? logRequests(given, log) : given, options.wallClock ?? Date.now);
  const { observer } = answers;
  const transport = tracing.transport(openTransport(options), url);
  const sender = createGetSender({
    transport,
    token: options.token,
    clock,
    maxInFlight: concurrency,
    maxQueued: MAX_QUEUED,
    observer,
    onDate,
  });
  const coalescer = createRequestCoalescer({ send: sender.send, timeoutMs, ttlMs: cacheMs, now: clock.now });
  const taskSender = tracing.taskSender(createTaskSender({ ...options, observer }), url);

  function listCallLogs(query: CallLogQuery, requester = createRequester()): Promise<CallLogPage> {
    if (query.taskIds.length > 0) observer.tasksQueried(query.taskIds.length);
    return new Promise((resolve, reject) => {
      const path = `/openapi/calllog?${callLogQueryString(query, options)}`;
      const rowsOf = ({ rows }: CallLogPage) => rows.length;
      const read = (response: ServiceResponse) => readCallLogPage(parseBody(response, parseExact), timeZone);
      coalescer.get({ path, taskIds: query.taskIds, read, rowsOf }, { requester, resolve, reject });
    });
  }

  function getTask(taskId: string, requester = createRequester()): Promise<TaskRecord | null> {
    return new Promise((resolve, reject) => {
      const id = normalizedId(taskId);
      // The service uses 0 for "no task" (section 6, rule 1).
      if (id === "0") return resolve(null);
      const path = `/openapi/tasks/${encodeURIComponent(id)}`;
      const read = (response: ServiceResponse) =>
        response.status === 404 ? null : readTask(parseBody(response, parseTask), id, timeZone);
      coalescer.get({ path, taskIds: [id], read, rowsOf: () => 1 }, { requester, resolve, reject });
    });
  }

  return {
    listCallLogs,
    getTask,
    writeTask: createTaskBody,
    createTask: (body) => taskSender.send(body, null),
    invalidate: coalescer.invalidate,
    invalidateAll: coalescer.invalidateAll,
    status: () => ({
      state: sender.state(),
      failingSince: answers.failingSince(),
      tokenRefused: answers.tokenRefused(),
      retries: sender.retries(),
      shared: coalescer.shared(),
      cached: coalescer.cached(),
      requests: transport.sent(),
      underWay: sender.inFlight(),
      queued: sender.queued(),
    }),
    async [Symbol.asyncDispose]() {
      coalescer.abortAll(new CodedError("UPSTREAM_UNAVAILABLE", "The gateway is stopping."));
      await Promise.all([transport[Symbol.asyncDispose](), taskSender[Symbol.asyncDispose]()]);
    },
  };
}

/** Digits only, because the id becomes part of a path. Leading zeros are dropped, as the service would drop them. */
function normalizedId(taskId: string): string {
  if (!/^\d+$/.test(taskId)) throw new TypeError("A task's ID must consist of decimal digits.");
  return taskId.replace(/^0+(?=\d)/, "");
}
