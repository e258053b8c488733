// Posts to the hosts of destinations. An answer is not trusted: it has a deadline, little of its body is read, redirects are not followed,
// and the address of each connection is checked.
import type { Dispatcher } from "undici";
import { createConnector, type ConnectorOptions } from "../upstream/outside/connector.ts";
import { countLostConnections } from "../upstream/outside/lostConnections.ts";
import { failureText } from "../upstream/outside/failureText.ts";
import { retryAfterSeconds } from "../upstream/serviceResponse.ts";
import { Agent } from "../upstream/undici.ts";
import { startDeadline } from "../util/deadline.ts";
import type { Attempt } from "./deliverer.ts";
import { withoutEchoes } from "./echoes.ts";

const TEXTS = { late: "There was no answer in time.", unreachable: "The receiver could not be reached" };
const NO_BODY = "The answer does not say that it was taken.";
const REDIRECT = "Redirects are not followed: the url must be the address that answers.";

export interface HttpMessage {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Whether an answer of 2xx is a refusal, as chats have them. `said`: the beginning of its body, as `readBody` has it. */
  refuses?: (said: string | null) => boolean;
}

/** The headers of a message that is JSON. */
export const JSON_HEADERS = { "content-type": "application/json", "user-agent": "switchboard" };

/** Never rejects but for an aborted signal. */
export type SendMessage = (message: HttpMessage, signal: AbortSignal) => Promise<Attempt>;

export interface HttpSender extends AsyncDisposable {
  send: SendMessage;
}

export interface SenderLimits {
  connectMs: number;
  /** Until the status of the answer. */
  answerMs: number;
  /** The time and the bytes that the body of an answer gets. */
  bodyMs: number;
  bodyBytes: number;
}

const LIMITS: SenderLimits = { connectMs: 10_000, answerMs: 15_000, bodyMs: 2000, bodyBytes: 4096 };

/** The codes of a connection that was closed. */
const LOST = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];

export type SenderOptions = Omit<ConnectorOptions, "timeoutMs"> & { limits?: SenderLimits };

export function createHttpSender({ limits = LIMITS, ...options }: SenderOptions): HttpSender {
  const { rules } = options;
  const connections = countLostConnections(createConnector({ ...options, timeoutMs: limits.connectMs }));
  // The deadlines below replace undici's, which are less exact.
  const own = { connect: connections.connect, headersTimeout: 0, bodyTimeout: 0 };
  // Short, so that few messages meet a connection that the receiver is closing.
  const agent = new Agent({ ...own, keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 });
  /** Each message has a new connection. */
  const fresh = new Agent({ ...own, pipelining: 0 });

  /** What was lost with a connection that was kept is sent once more. It says nothing of the receiver. */
  async function request(message: Dispatcher.RequestOptions & { origin: string }): Promise<Dispatcher.ResponseData> {
    const before = connections.kept(message.origin);
    try {
      return await agent.request(message);
    } catch (error) {
      const wasKept = connections.kept(message.origin) > before;
      if (!wasKept || !LOST.includes(String((error as NodeJS.ErrnoException).code))) throw error;
      return await fresh.request(message);
    }
  }

  async function post({ url: address, headers, body, refuses }: HttpMessage, signal: AbortSignal): Promise<Attempt> {
    const url = rules.check(address);
    if (typeof url === "string") return failure(null, url, null);
    using deadline = startDeadline(limits.answerMs, signal);
    const own = { origin: url.origin, path: url.pathname + url.search, method: "POST", headers, body } as const;
    const response = await request({ ...own, signal: deadline.signal });
    const { statusCode: status } = response;
    // Where the body decides, it has as much time as the status.
    const said = await readBody(response, { ...limits, ...(refuses && { bodyMs: limits.answerMs }) }, signal);
    const isRedirect = status >= 300 && status < 400;
    const text = isRedirect ? REDIRECT : said && withoutEchoes(said, url, headers);
    if (status >= 200 && status < 300)
      return refuses?.(said) ? failure(status, text ?? NO_BODY, null) : { outcome: "taken", status };
    if (status === 410) return { outcome: "gone", status, text };
    const seconds = retryAfterSeconds(headerOf(response, "retry-after"));
    return failure(status, text, seconds === undefined ? null : seconds * 1000);
  }

  return {
    async send(message, signal) {
      try {
        return await post(message, signal);
      } catch (error) {
        signal.throwIfAborted();
        return failure(null, failureText(error, TEXTS), null);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), fresh.destroy()]);
      connections[Symbol.dispose]();
    },
  };
}

const failure = (status: number | null, text: string | null, retryAfterMs: number | null): Attempt => ({
  outcome: "failed",
  status,
  text,
  retryAfterMs,
  isOwn: false,
});

function headerOf({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The beginning of the body; of one that never ends, what came in time. Null: there is none, or it is compressed. */
async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  { bodyMs, bodyBytes }: SenderLimits,
  signal: AbortSignal,
): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  using deadline = startDeadline(bodyMs, signal);
  const cut = () => body.destroy();
  deadline.signal.addEventListener("abort", cut, { once: true });
  body.on("error", () => undefined);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= bodyBytes) break;
    }
  } catch {
    // It was cut, or the receiver broke off: its status counts.
  } finally {
    body.destroy();
  }
  const isText = [undefined, "", "identity"].includes(headers["content-encoding"]?.toString().toLowerCase());
  return bytes === 0 || !isText ? null : Buffer.concat(chunks).subarray(0, bodyBytes).toString("utf8");
}
