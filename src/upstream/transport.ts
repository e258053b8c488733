// Sends a GET to the service and reads its answer. It asks once, and whoever waits longer than the deadline is not its
// concern: the ending is.
import { Pool } from "./undici.ts";
import { collectResponse } from "./collectResponse.ts";
import { throwIfCancelled } from "./cancellation.ts";
import type { Send } from "./send.ts";

export interface ServiceEndpoint {
  /** The base address; it may have a path of its own. */
  url: string;
  /** Sent as `Authorization: Bearer <token>` (section 5), to that address only. */
  token: string;
  /** Deadline of one request, from the call to the last byte of the answer. */
  timeoutMs: number;
}

export interface TransportOptions extends ServiceEndpoint {
  /** At most so many. */
  connections: number;
}

export interface Transport extends AsyncDisposable {
  /** No redirect is followed. Disposing it ends what is under way. */
  send: Send;
  /** Requests so far. */
  sent(): number;
}

export function createTransport({ url, token, timeoutMs, connections }: TransportOptions): Transport {
  const { origin, prefix } = splitBaseUrl(url);
  // Bound to one origin, so that the token cannot reach another. undici's own deadlines are coarse and start anew with
  // each byte: ours replaces them.
  const pool = new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: timeoutMs } });
  const headers = { authorization: `Bearer ${token}`, accept: "application/json" };

  let sent = 0;

  return {
    async send(path, sending) {
      const paying = sending.beforeSend();
      // What need not be waited for is not: each waiting is a turn of the queue of promises.
      if (paying) await paying;
      throwIfCancelled(sending.cancellation);
      sending.attempts += 1;
      sent += 1;
      const { handler, answer } = collectResponse(sending.cancellation);
      pool.dispatch({ path: prefix + path, method: "GET", headers }, handler);
      return answer;
    },
    sent: () => sent,
    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** The base address in two: where to connect, and what every path starts with, without a slash at its end. */
export function splitBaseUrl(url: string): { origin: string; prefix: string } {
  const { origin, pathname } = new URL(url);
  return { origin, prefix: pathname.replace(/\/+$/, "") };
}
