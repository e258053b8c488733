// Follows every ended call over WebSocket with graphql-ws: each call once and in order, through reconnects and restarts.
import { createClient, type Client } from "graphql-ws";

/** A client that reconnects for as long as it takes. `authorization` is asked again for each connection. */
export function createSocket(url: string, authorization: () => unknown, maxWaitMs = 30_000, pingMs = 10_000): Client {
  let unanswered: ReturnType<typeof setTimeout>;
  const client = createClient({
    url,
    connectionParams: async () => ({ authorization: await authorization() }),
    retryAttempts: Infinity,
    shouldRetry: () => true, // without it, one refused connection ends the client
    retryWait: (retries) => wait(Math.random() * Math.min(maxWaitMs, 1000 * 2 ** retries)),
    keepAlive: pingMs,
    on: {
      ping: (received) => void (received || (unanswered = setTimeout(() => client.terminate(), pingMs))),
      pong: () => clearTimeout(unanswered),
      closed: () => clearTimeout(unanswered),
    },
  });
  return client;
}

/** `after`: the cursor of the last call that you have, or the `headCursor` of `callEndedEvents`. Returns how to end it. */
export function followCalls(
  client: Client,
  after: string,
  onCall: (call: EndedCall) => void,
  onError: (error: unknown) => void,
): () => void {
  const variables = { after };
  const query = "subscription ($after: String) { callEnded(after: $after) { cursor sessionId caller endAt } }";
  return client.subscribe<{ callEnded: EndedCall }>(
    { query, variables },
    {
      next({ data, errors }) {
        if (!data) return onError(errors);
        onCall(data.callEnded);
        variables.after = data.callEnded.cursor; // graphql-ws sends the same object again after a reconnect
      },
      error: onError,
      complete: () => undefined,
    },
  );
}

export interface EndedCall {
  cursor: string;
  sessionId: string | null;
  caller: string | null;
  endAt: string | null;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
