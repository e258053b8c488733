// A subscriber as an application has one: the published graphql-ws client, which comes back by itself wherever its
// connection ends, and goes on behind the last cursor that it saw.
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";

export interface Reader extends AsyncDisposable {
  /** Session ids, in the order in which they were told. */
  told: readonly string[];
  /** What the application would have been told of: an error that the client did not get over by itself. */
  errors: readonly unknown[];
  /** Codes with which its sockets were closed. */
  closes: readonly number[];
  /** Resolves when its subscription stands. */
  standing: Promise<unknown>;
}

interface Told {
  callEndedStream: { __typename: string; cursor: string; event?: string };
}

const QUERY = `subscription ($after: String) {
  callEndedStream(after: $after) { __typename cursor ... on CallEnded { event: sessionId } }
}`;
const MOST_WAIT_MS = 150;

export interface ReaderOptions {
  after?: string;
  authorization?: string;
  /** Before it comes back; by itself the client takes 1.3 to 4 s, and longer each time. */
  mostWaitMs?: number;
}

/** `url` is asked at each connection: there may be several gateways. */
export function openReader(url: () => string, options: ReaderOptions = {}): Reader {
  const { after = null, authorization, mostWaitMs = MOST_WAIT_MS } = options;
  const told: string[] = [];
  const errors: unknown[] = [];
  const closes: number[] = [];
  const stands = Promise.withResolvers<void>();
  // The client sends the same object again when it comes back: it is told here how far the reader has come.
  const variables: Record<string, unknown> = { after };
  const client = createClient({
    url: () => `${url().replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    ...(authorization === undefined ? {} : { connectionParams: { authorization } }),
    retryAttempts: 1000,
    // By itself it gives up where nobody listens for a moment.
    shouldRetry: () => true,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, Math.random() * mostWaitMs)),
    on: { closed: (event) => void closes.push((event as { code: number }).code) },
  });
  const end = client.subscribe<Told>(
    { query: QUERY, variables },
    {
      next({ data, errors: failed }) {
        const item = data?.callEndedStream;
        errors.push(...(failed ?? []), ...(item?.__typename === "StreamGap" ? [item] : []));
        if (!item) return;
        variables["after"] = item.cursor;
        if (item.event) told.push(item.event);
        stands.resolve();
      },
      error: (error) => void errors.push(error),
      complete: () => undefined,
    },
  );
  return {
    told,
    errors,
    closes,
    standing: stands.promise,
    async [Symbol.asyncDispose]() {
      end();
      // It complains where it was about to come back.
      await Promise.resolve(client.dispose()).catch(() => undefined);
    },
  };
}
