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
  onError: (error: unknown) => void,
  maxWaitMs = 30_000,
  silenceMs = 30_000,
): () => void {
  const retry = (retries: number) => wait(Math.random() * Math.min(maxWaitMs, 1000 * 2 ** retries));
  const headers = async () => ({ authorization: await authorization() }); // asked again for each connection
  const fetchFn = (input: string, init: RequestInit) => fetchUntilSilent(input, init, silenceMs);
  const client = createClient({ url, headers, fetchFn, retryAttempts: Infinity, retry });
  const variables = { after };
  const query = "subscription ($after: String) { callEnded(after: $after) { cursor sessionId caller endAt } }";
  const subscribe = (): unknown =>
    client.subscribe<{ callEnded: EndedCall }>(
      { query, variables },
      {
        next({ data, errors }) {
          if (!data) return onError(errors); // such as CURSOR_INVALID: the same would come again
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

/** Breaks off a connection that is dead without a sign: the gateway sends something every 12 seconds. */
async function fetchUntilSilent(input: string, init: RequestInit, silenceMs: number): Promise<Response> {
  const response = await fetch(input, init);
  let timer: ReturnType<typeof setTimeout>;
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      clearTimeout(timer);
      timer = setTimeout(() => controller.error(new Error("The gateway is silent.")), silenceMs);
      controller.enqueue(chunk);
    },
    flush: () => clearTimeout(timer),
  });
  return new Response(response.body?.pipeThrough(watch) ?? null, response);
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
