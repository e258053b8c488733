// Follows every ended call over server-sent events with graphql-sse: each call once and in order, through restarts.
import { createClient } from "graphql-sse";

export interface EndedCall {
  cursor: string;
  sessionId: string | null;
  caller: string | null;
  endAt: string | null;
}

/** `after`: the cursor of the last call that you have, or the `headCursor` of `callEndedEvents`. Returns how to end it. */
export function followCalls(
  url: string,
  authorization: () => Promise<string>,
  after: string,
  onCall: (call: EndedCall) => void,
  maxWaitMs = 30_000,
): () => void {
  const retry = (retries: number) => wait(Math.random() * Math.min(maxWaitMs, 1000 * 2 ** retries));
  const headers = async () => ({ authorization: await authorization() }); // asked again for each connection
  const client = createClient({ url, headers, retryAttempts: Infinity, retry });
  const variables = { after };
  const query = "subscription ($after: String) { callEnded(after: $after) { cursor sessionId caller endAt } }";
  const subscribe = (): unknown =>
    client.subscribe<{ callEnded: EndedCall }>(
      { query, variables },
      {
        next({ data }) {
          if (!data) return;
          onCall(data.callEnded);
          variables.after = data.callEnded.cursor; // graphql-sse sends the same object again after a reconnect
        },
        // A connection that breaks before its first byte is an error that graphql-sse does not repeat.
        error: () => void retry(0).then(subscribe),
        complete: () => undefined,
      },
    );
  subscribe();
  return () => client.dispose();
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
