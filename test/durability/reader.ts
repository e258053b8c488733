// A subscriber as applications have one: the published graphql-ws client. It reconnects by itself and resumes after its last
// cursor.
import { createClient } from "graphql-ws";
import { WebSocket } from "ws";

export interface Reader extends AsyncDisposable {
  /** The session ids of the received events, in order. */
  sessionIds: readonly string[];
  /** Errors and gaps that reached the application. */
  errors: readonly unknown[];
  /** The close codes of its sockets. */
  closes: readonly number[];
  /** Resolves with the first message of the subscription. */
  subscribed: Promise<unknown>;
}

interface Item {
  callEndedStream: { __typename: string; cursor: string; event?: string };
}

const QUERY = `subscription ($after: String) {
  callEndedStream(after: $after) { __typename cursor ... on CallEnded { event: sessionId } }
}`;
const MAX_WAIT_MS = 150;

export interface ReaderOptions {
  after?: string;
  authorization?: string;
  /** The longest wait before a reconnect. The client's own wait is 1.3 to 4 s, and grows. */
  maxWaitMs?: number;
}

/** `url` is called for each connection, because there may be several gateways. */
export function openReader(url: () => string, options: ReaderOptions = {}): Reader {
  const { after = null, authorization, maxWaitMs: mostWaitMs = MAX_WAIT_MS } = options;
  const sessionIds: string[] = [];
  const errors: unknown[] = [];
  const closes: number[] = [];
  const subscribed = Promise.withResolvers<void>();
  // The client sends this object again when it reconnects, so the last cursor is written into it.
  const variables: Record<string, unknown> = { after };
  const client = createClient({
    url: () => `${url().replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    ...(authorization === undefined ? {} : { connectionParams: { authorization } }),
    retryAttempts: 1000,
    // By default the client gives up if no server listens.
    shouldRetry: () => true,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, Math.random() * mostWaitMs)),
    on: { closed: (event) => void closes.push((event as { code: number }).code) },
  });
  const end = client.subscribe<Item>(
    { query: QUERY, variables },
    {
      next({ data, errors: failed }) {
        const item = data?.callEndedStream;
        errors.push(...(failed ?? []), ...(item?.__typename === "StreamGap" ? [item] : []));
        if (!item) return;
        variables["after"] = item.cursor;
        if (item.event) sessionIds.push(item.event);
        subscribed.resolve();
      },
      error: (error) => void errors.push(error),
      complete: () => undefined,
    },
  );
  return {
    sessionIds,
    errors,
    closes,
    subscribed: subscribed.promise,
    async [Symbol.asyncDispose]() {
      end();
      // dispose() fails while the client waits to reconnect.
      await Promise.resolve(client.dispose()).catch(() => undefined);
    },
  };
}
