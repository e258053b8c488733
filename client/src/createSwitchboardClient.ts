// Puts the parts of the client together.
import { createCredentials } from "./http/credentials.ts";
import { callEndedDocument } from "./streams/callDocument.ts";
import { createConnectionStates } from "./streams/connectionStates.ts";
import { createTask } from "./tasks/createTask.ts";
import { createEventStreams } from "./streams/eventStream.ts";
import { followAny } from "./streams/followAny.ts";
import { followCalls } from "./streams/followCalls.ts";
import { followStream, type Following } from "./streams/followStream.ts";
import { findSocketConstructor } from "./streams/guardSocket.ts";
import { createHttpTransport } from "./http/httpTransport.ts";
import { createItemQueue, type ItemQueue } from "./streams/itemQueue.ts";
import { createMemoryKeyStore } from "./keyStores.ts";
import { createScope } from "./pause.ts";
import { textOf } from "./http/printDocument.ts";
import { isUnreached, retrying } from "./http/retrying.ts";
import { createSocketTransport } from "./streams/socketTransport.ts";
import { createStreamIterator, type Entry } from "./streams/streamIterator.ts";
import { SwitchboardError } from "./switchboardError.ts";
import { slotOf } from "./tasks/taskKeys.ts";
import { withFallback } from "./streams/transport.ts";
import type { CallEndedOptions, ClientOptions, ConnectionState, CursorStore, Document, StreamItem } from "./types.ts";
import type { RequestOptions, StreamOptions, SwitchboardClient } from "./types.ts";

const QUERY_TRIES = 5;
const QUERY_TIMEOUT_MS = 60_000;
/** A task of 100,000 numbers is 16 MiB to upload. */
const MUTATION_TIMEOUT_MS = 300_000;

type Variables = Record<string, unknown>;

interface StreamDeps<Item> {
  options: StreamOptions;
  cursorStore?: CursorStore | undefined;
  follow: (queue: ItemQueue<Entry<Item>>, onState: (state: ConnectionState) => void) => Promise<Following> | Following;
}

export function createSwitchboardClient(options: ClientOptions): SwitchboardClient {
  const { url, random = Math.random, keyStore = createMemoryKeyStore() } = options;
  const ask = createCredentials(options.authorization);
  const http = createHttpTransport(url, ask, options.fetch);
  const impl = findSocketConstructor(options.webSocketImpl);
  const socket = impl && createSocketTransport(url, ask, impl);
  const subscribe = withFallback(socket?.subscribe ?? null, createEventStreams(http));
  const states = createConnectionStates();
  const life = createScope();

  /** Runs the work with a signal that ends with the caller's or with the client. */
  async function scoped<T>(signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const scope = createScope(life.signal, signal);
    try {
      scope.signal.throwIfAborted();
      return await work(scope.signal);
    } finally {
      scope.release();
    }
  }

  function openStream<Item>({ options, cursorStore, follow }: StreamDeps<Item>): AsyncIterableIterator<Item> {
    const scope = createScope(life.signal, options.signal);
    const queue = createItemQueue<Entry<Item>>();
    let state: ReturnType<typeof states.add> | null = null;
    const onState = (next: ConnectionState) => {
      if (scope.signal.aborted) return;
      options.onState?.(next);
      state?.report(next);
    };
    return createStreamIterator<Item>({
      queue,
      scope,
      cursorStore,
      async run() {
        state = states.add();
        const following = await follow(queue, onState);
        await followStream(following, { subscribe, random, signal: scope.signal, onState });
      },
      onEnd(error) {
        const failure = error instanceof SwitchboardError ? error : undefined;
        state?.end(failure);
        options.onState?.(failure ? { name: "ended", error: failure } : { name: "ended" });
      },
    });
  }

  const client: SwitchboardClient = {
    query<Data, V>(document: Document<Data, V>, variables?: V, { signal }: RequestOptions = {}) {
      const payload = { query: textOf(document), variables: variables as Variables };
      return scoped(signal, (signal) =>
        retrying(() => http.request<Data>(payload, signal, QUERY_TIMEOUT_MS), {
          tries: QUERY_TRIES,
          signal,
          random,
          mayRetry: isUnreached,
        }),
      );
    },
    mutate<Data, V>(document: Document<Data, V>, variables?: V, { signal }: RequestOptions = {}) {
      const payload = { query: textOf(document), variables: variables as Variables };
      return scoped(signal, (signal) => http.request<Data>(payload, signal, MUTATION_TIMEOUT_MS));
    },
    createTask: (input, { signal, name, keyStore: store = keyStore } = {}) =>
      scoped(signal, (signal) =>
        createTask(
          input,
          { name },
          {
            send: (query, variables, signal) => http.request({ query, variables }, signal, MUTATION_TIMEOUT_MS),
            random,
            signal,
            keyStore: store,
          },
        ),
      ),
    async releaseTaskKey(task, { keyStore: store = keyStore } = {}) {
      await store.update(slotOf(task), () => null);
    },
    callEnded(given: CallEndedOptions & { fields?: string; document?: string | object } = {}) {
      const { fields, document, cursorStore, after } = given;
      const query = document === undefined ? callEndedDocument(fields) : textOf(document);
      return openStream({
        options: given,
        cursorStore,
        follow: async (queue: ItemQueue<Entry<StreamItem<never>>>, onState) =>
          followCalls({
            query,
            after: (await cursorStore?.load()) ?? after ?? null,
            options: given,
            queue,
            ask: (query, variables, signal) => http.request({ query, variables }, signal, QUERY_TIMEOUT_MS),
            onState,
          }),
      });
    },
    subscribe<Data, V>(
      document: Document<Data, V>,
      variables?: V,
      given: Parameters<SwitchboardClient["subscribe"]>[2] = {},
    ) {
      const payload = { query: textOf(document), variables: variables as Variables };
      return openStream<Data>({
        options: given,
        follow: (queue, onState) => followAny({ payload, onItemError: given.onItemError, queue, onState }),
      });
    },
    get state() {
      return states.current();
    },
    onState: states.onState,
    async close() {
      life.abort(new SwitchboardError("CLOSED", "The client was closed."));
      socket?.close();
      states.close();
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
  return client;
}
