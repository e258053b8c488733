// Sends a task's creation to the service, once. People are phoned by what is sent here, so there is no retry, no
// redirect and no used connection in this file, and what is not known for sure is "unconfirmed".
import type { Dispatcher } from "undici";
import { buildConnector, Client } from "./undici.ts";
import type { Log } from "../log.ts";
import { retryAfterSeconds } from "./judgeResponse.ts";
import { splitBaseUrl, type ServiceEndpoint } from "./transport.ts";
import type { CreateTaskOutcome } from "./upstream.ts";

export interface TaskSender extends AsyncDisposable {
  /** See Upstream.createTask. No signal: a client that hangs up must not cut off what may already have been done. */
  send(body: Buffer): Promise<CreateTaskOutcome>;
}

interface Sent {
  outcome: CreateTaskOutcome;
  /** For the log: a status, or an error's code. */
  why: string;
}

type Response = Pick<Dispatcher.ResponseData, "statusCode" | "headers">;

/** Disposing it waits for what is under way, which the deadline bounds. */
export function createTaskSender(options: ServiceEndpoint & { log: Log }): TaskSender {
  const { url, token, timeoutMs, log } = options;
  const { origin, prefix } = splitBaseUrl(url);
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return work;
  }

  async function post(body: Buffer): Promise<Sent> {
    const signal = AbortSignal.timeout(timeoutMs);
    const line = createOneConnection(origin, timeoutMs);
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "content-type": "application/json",
    };
    try {
      const path = `${prefix}/openapi/tasks`;
      const response = await line.client.request({ path, method: "POST", headers, body, signal });
      // Its head has said all. The body is let through, so that the service is not cut off, but nobody waits for it.
      void track(hangUp(line.client, response.body, signal));
      return { outcome: outcomeOf(response), why: `status ${response.statusCode}` };
    } catch (error) {
      await line.client.destroy();
      return {
        outcome: line.wasOpened() ? { kind: "unconfirmed" } : { kind: "unavailable", retryAfter: undefined },
        why: nameOf(error),
      };
    }
  }

  async function send(body: Buffer): Promise<CreateTaskOutcome> {
    const { outcome, why } = await track(post(body));
    if (outcome.kind !== "accepted") log.warn({ outcome: outcome.kind, why }, "the service did not accept a task");
    return outcome;
  }

  return {
    send,
    async [Symbol.asyncDispose]() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function hangUp(
  client: InstanceType<typeof Client>,
  body: Dispatcher.ResponseData["body"],
  signal: AbortSignal,
): Promise<void> {
  await body.dump({ limit: 64 * 1024, signal }).catch(() => undefined);
  await client.destroy();
}

/**
 * A client that connects once: a connection that has idled may be dead without our knowing, and a second one would send
 * the request again. Nothing has been sent as long as it was not opened.
 */
function createOneConnection(origin: string, timeoutMs: number) {
  const connect = buildConnector({ timeout: timeoutMs });
  let opened = false;
  const client = new Client(origin, {
    pipelining: 0,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      if (opened) return callback(new Error("A task's creation has one connection."), null);
      connect(options, (...result) => {
        opened = result[0] === null;
        callback(...result);
      });
    },
  });
  return { client, wasOpened: () => opened };
}

/** The service (408), or who stands in front of it (499), waited no longer for what may be done all the same. */
const GAVE_UP: ReadonlySet<number> = new Set([408, 499]);

function outcomeOf({ statusCode: status, headers }: Response): CreateTaskOutcome {
  const retryAfter = headers["retry-after"];
  if (status >= 200 && status < 300) return { kind: "accepted" };
  if (status === 429) {
    return {
      kind: "unavailable",
      retryAfter: retryAfterSeconds(typeof retryAfter === "string" ? retryAfter : undefined),
    };
  }
  const isRefusal = status >= 400 && status < 500 && !GAVE_UP.has(status);
  return isRefusal ? { kind: "rejected", status } : { kind: "unconfirmed" };
}

/** Its code, for its message may hold what the service wrote. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
