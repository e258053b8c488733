// Posts messages to callback URLs of routers. An answer is not trusted: it has a deadline, its body is not used, and redirects are
// not followed.
import { CALLBACK_LIMITS } from "../../config/limits.ts";
import { Agent } from "../../upstream/undici.ts";
import { startDeadline } from "../../util/deadline.ts";
import { createSemaphore, type Semaphore } from "../../util/semaphore.ts";

/**
 * - a number: the status of the answer.
 * - `unreached`: no connection was opened, so the router has not read the message.
 * - `unanswered`: the router may have read it or not.
 */
export type PostOutcome = number | "unreached" | "unanswered";

/** Posts JSON. Never rejects. Aborted, it resolves with `unanswered`. */
export type PostMessage = (url: string, message: Buffer, signal: AbortSignal) => Promise<PostOutcome>;

export interface CallbackClient extends AsyncDisposable {
  post: PostMessage;
}

export const CALLBACK_PROTOCOL = { "subscription-protocol": "callback/1.0" } as const;
const HEADERS = { ...CALLBACK_PROTOCOL, "content-type": "application/json", "user-agent": "switchboard" };

/** Errors of Node and undici before a connection is open. */
const BEFORE_CONNECTION = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

type ClientLimits = Record<"inFlight" | "connectMs" | "answerMs" | "answerBytes", number>;

export function createCallbackClient(limits: ClientLimits = CALLBACK_LIMITS): CallbackClient {
  const agent = new Agent({
    connect: { timeout: limits.connectMs },
    allowH2: false,
    // The deadline below replaces undici's, which are less exact.
    headersTimeout: 0,
    bodyTimeout: 0,
    // Short, so that few messages meet a connection that the router is closing.
    keepAliveTimeout: 1000,
    keepAliveMaxTimeout: 1000,
  });
  /** By origin: a router that hangs does not hold up another one. The operator's list bounds their number. */
  const permits = new Map<string, Semaphore>();

  async function send({ origin, pathname }: URL, message: Buffer, signal: AbortSignal): Promise<PostOutcome> {
    using deadline = startDeadline(limits.answerMs, signal);
    try {
      if (signal.aborted) return "unanswered";
      const request = { origin, path: pathname, method: "POST", headers: HEADERS, body: message } as const;
      const { statusCode, body } = await agent.request({ ...request, signal: deadline.signal });
      await body.dump({ limit: limits.answerBytes, signal: deadline.signal }).catch(() => undefined);
      return statusCode;
    } catch (error) {
      return BEFORE_CONNECTION.has(String((error as NodeJS.ErrnoException).code)) ? "unreached" : "unanswered";
    }
  }

  return {
    post(address, message, signal) {
      const url = new URL(address);
      const ofRouter = permits.getOrInsertComputed(url.origin, () => createSemaphore(limits.inFlight));
      return ofRouter.run(() => send(url, message, signal));
    },
    [Symbol.asyncDispose]: () => agent.destroy(),
  };
}
