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
import { createHttpTransport, type Payload } from "./http/httpTransport.ts";
import { createItemQueue, type ItemQueue } from "./streams/itemQueue.ts";
import { createMemoryKeyStore } from "./keyStores.ts";
import { textOf } from "./http/printDocument.ts";
import { isUnreached, retrying } from "./http/retrying.ts";
import { createSocketTransport } from "./streams/socketTransport.ts";
import { createStreamIterator, type Entry } from "./streams/streamIterator.ts";
import { createScope, runInScope, type Scope } from "./scope.ts";
import { SwitchboardError } from "./switchboardError.ts";
import { slotOf } from "./tasks/taskKeys.ts";
import { withFallback } from "./streams/transport.ts";
import type { CallEndedOptions, ClientOptions, ConnectionState, CursorStore, Document, StreamItem } from "./types.ts";
import type { RequestOptions, StreamOptions, SwitchboardClient } from "./types.ts";

/** A task of 100,000 numbers is 16 MiB to upload. */
const MUTATION_TIMEOUT_MS = 300_000;

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
  /** The scopes of everything that runs. */
  const scopes = new Set<Scope>();
  let closed: SwitchboardError | undefined;

  /** Ends with the caller's signal or with the client. */
  function openScope(signal: AbortSignal | undefined): Scope {
    const scope = createScope(signal, scopes);
    if (closed) scope.abort(closed);
    return scope;
  }
  function openStream<Item>({ options, cursorStore, follow }: StreamDeps<Item>): AsyncIterableIterator<Item> {
    const scope = openScope(options.signal);
    const queue = createItemQueue<Entry<Item>>();
    const { report: onState, end } = states.add(options.onState);
    return createStreamIterator<Item>({
      queue,
      scope,
      cursorStore,
      async run() {
        await followStream(await follow(queue, onState), { subscribe, random, signal: scope.signal, onState });
      },
      onEnd: (error) => end(error instanceof SwitchboardError ? error : undefined),
    });
  }

  const client: SwitchboardClient = {
    query<Data, V>(document: Document<Data, V>, variables?: V, { signal }: RequestOptions = {}) {
      const payload = payloadOf(document, variables);
      return runInScope(openScope(signal), (signal) =>
        retrying(() => http.request<Data>(payload, signal), { signal, random, mayRetry: isUnreached }),
      );
    },
    mutate<Data, V>(document: Document<Data, V>, variables?: V, { signal }: RequestOptions = {}) {
      const payload = payloadOf(document, variables);
      return runInScope(openScope(signal), (signal) => http.request<Data>(payload, signal, MUTATION_TIMEOUT_MS));
    },
    createTask: (input, { signal, name, keyStore: store = keyStore } = {}) =>
      runInScope(openScope(signal), (signal) => {
        const send = (payload: Payload) => http.request(payload, signal, MUTATION_TIMEOUT_MS);
        return createTask(input, { name, keyStore: store, send, signal, random });
      }),
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
            ask: http.request,
            onState,
          }),
      });
    },
    subscribe<Data, V>(
      document: Document<Data, V>,
      variables?: V,
      given: Parameters<SwitchboardClient["subscribe"]>[2] = {},
    ) {
      const payload = payloadOf(document, variables);
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
      closed ??= new SwitchboardError("CLOSED", "The client was closed.");
      for (const scope of scopes) scope.abort(closed);
      socket?.close();
      states.close();
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
  return client;
}

function payloadOf(document: string | object, variables: unknown): Payload {
  return { query: textOf(document), variables: variables as Payload["variables"] };
}
