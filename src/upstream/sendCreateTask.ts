// Sends POST /openapi/tasks at most once. The service phones people for each request it gets, so there are no retries, no
// redirects and no reused connections. If the result is not certain, the outcome is "unconfirmed".
import type { buildConnector as Building, Dispatcher } from "undici";
import type { ProxyConfig } from "../config/proxyConfig.ts";
import { buildConnector, Client } from "./undici.ts";
import type { Logger } from "../logger.ts";
import { type Deadline, startDeadline } from "../util/deadline.ts";
import { logFields } from "../util/logContext.ts";
import { retryAfterSeconds } from "./serviceResponse.ts";
import type { ProxiedEndpoint } from "./openTransport.ts";
import { createProxyAgent } from "./proxyAgent.ts";
import { splitBaseUrl } from "./transport.ts";
import { classOf, type ServiceOutcome, type UpstreamObserver } from "./upstreamObserver.ts";
import type { CreateTaskOutcome } from "./upstream.ts";

export interface TaskSender extends AsyncDisposable {
  /**
   * See Upstream.createTask. It takes no signal: a client that disconnects must not cut off a request that may have arrived.
   * `traceparent`: a header that continues a trace; null: none.
   */
  send(body: Buffer, traceparent: string | null): Promise<CreateTaskOutcome>;
}

type Connector = Building.connector;

interface SendResult {
  outcome: CreateTaskOutcome;
  /** For the log: a status or an error's code. */
  reason: string;
  /** For the metrics. */
  observed: ServiceOutcome;
  status: number | null;
}

type Response = Pick<Dispatcher.ResponseData, "statusCode" | "headers">;

/** Disposing it waits for the requests in flight, at most until their deadline. */
export function createTaskSender(options: ProxiedEndpoint & { log: Logger; observer: UpstreamObserver }): TaskSender {
  const { url, token, timeoutMs, proxy, log, observer } = options;
  const { origin, prefix } = splitBaseUrl(url);
  const inFlight = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined).finally(() => inFlight.delete(settled));
    inFlight.add(settled);
    return work;
  }

  async function post(body: Buffer, traceparent: string | null): Promise<SendResult> {
    const deadline = startDeadline(timeoutMs);
    const { signal } = deadline;
    const connection = createSingleConnection(origin, timeoutMs, proxy?.() ?? null);
    const headers = {
      authorization: `Bearer ${token.current()}`,
      accept: "application/json",
      "content-type": "application/json",
      ...(traceparent === null ? {} : { traceparent }),
    };
    try {
      const path = `${prefix}/openapi/tasks`;
      const response = await connection.client.request({ origin, path, method: "POST", headers, body, signal });
      // The status decides. The body is discarded in the background, so that the service can finish its response.
      void track(discardAndClose(connection.client, response.body, deadline));
      const { statusCode } = response;
      // For the next request: a refused one is not sent again by itself.
      if (statusCode === 401) void token.reread();
      return {
        outcome: outcomeOf(response),
        reason: `status ${statusCode}`,
        observed: classOf(statusCode),
        status: statusCode,
      };
    } catch (error) {
      deadline[Symbol.dispose]();
      await connection.client.destroy();
      return {
        outcome: connection.wasOpened() ? { kind: "unconfirmed" } : { kind: "unavailable", retryAfter: undefined },
        reason: errorName(error),
        observed: signal.aborted ? "timeout" : "unreachable",
        status: null,
      };
    }
  }

  async function send(body: Buffer, traceparent: string | null): Promise<CreateTaskOutcome> {
    const context = logFields();
    const sentAt = performance.now();
    const { outcome, reason, observed, status } = await track(post(body, traceparent));
    const milliseconds = performance.now() - sentAt;
    observer.requestEnded({ route: "create_task", outcome: observed, status, attempt: 1, milliseconds, context });
    if (outcome.kind !== "accepted")
      log.warn({ outcome: outcome.kind, why: reason }, "the service did not accept a task");
    return outcome;
  }

  return {
    send,
    async [Symbol.asyncDispose]() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

async function discardAndClose(
  client: Dispatcher,
  body: Dispatcher.ResponseData["body"],
  deadline: Deadline,
): Promise<void> {
  using _deadline = deadline;
  await body.dump({ limit: 64 * 1024, signal: deadline.signal }).catch(() => undefined);
  await client.destroy();
}

/**
 * A client that connects once. An idle connection may be dead without our knowing, and a second connection would send the
 * request again. Until the connection has opened, nothing was sent.
 */
function createSingleConnection(origin: string, timeoutMs: number, proxy: ProxyConfig | null) {
  // By HTTP/1.1, as all that is asked of the service: undici sends a request of HTTP/2 again where a server says that it has not handled it.
  const connectDirectly = buildConnector({ timeout: timeoutMs, allowH2: false });
  let opened = false;
  const clientOf = (address: string | URL, connect: Connector = connectDirectly) =>
    new Client(address, {
      // One request, and then the connection is closed.
      pipelining: 0,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect(options, callback) {
        if (opened) return callback(new Error("Task creation uses a single connection."), null);
        connect(options, (...result) => {
          opened = result[0] == null;
          callback(...result);
        });
      },
    });
  // Through a proxy the connection is open when its tunnel is, or when the proxy can get the request of a service with http.
  const factory = (address: string | URL, options: object) => {
    const { connect } = options as { connect?: Connector | object };
    return clientOf(address, typeof connect === "function" ? (connect as Connector) : connectDirectly);
  };
  const client: Dispatcher = proxy === null ? clientOf(origin) : createProxyAgent(proxy, { factory });
  return { client, wasOpened: () => opened };
}

/** The service (408) or a proxy (499) stopped waiting. The task may still be created. */
const TIMEOUT_STATUSES: ReadonlySet<number> = new Set([408, 499]);

function outcomeOf({ statusCode: status, headers }: Response): CreateTaskOutcome {
  const retryAfter = headers["retry-after"];
  if (status >= 200 && status < 300) return { kind: "accepted" };
  if (status === 429) {
    return {
      kind: "unavailable",
      retryAfter: retryAfterSeconds(typeof retryAfter === "string" ? retryAfter : undefined),
    };
  }
  const isRejection = status >= 400 && status < 500 && !TIMEOUT_STATUSES.has(status);
  return isRejection ? { kind: "rejected", status } : { kind: "unconfirmed" };
}

/** The code, because the message may quote the service. */
function errorName(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
