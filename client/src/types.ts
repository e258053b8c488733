// The public types of the client. src/generated/graph.ts has the types of the graph.
import type { DataOf } from "./dataOf.ts";
import type { CallFields } from "./streams/callDocument.ts";
import type {
  CallEndedFilter,
  CreateTaskError,
  CreateTaskInput,
  TaskSubmission as GraphSubmission,
} from "./generated/graph.ts";
import type { GraphError, SwitchboardError } from "./switchboardError.ts";

/**
 * A document: its text, a TypedDocumentString or a TypedDocumentNode. The types of the result and of the variables come from
 * the document, where it has them.
 */
export type Document<Data = unknown, Variables = Record<string, unknown>> =
  | string
  | TypedText<Data, Variables>
  | TypedNode<Data, Variables>;

/** As client-preset writes documents with `documentMode: string`. */
export interface TypedText<Data, Variables> {
  toString(): string;
  __apiType?: (variables: Variables) => Data;
}

/** As client-preset, gql.tada and graphql-tag write documents. */
export interface TypedNode<Data, Variables> {
  readonly kind: string;
  readonly definitions: readonly unknown[];
  __apiType?: (variables: Variables) => Data;
}

export interface ClientOptions {
  /** The gateway's address, such as https://calls.example/graphql; in a browser also "/graphql". */
  url: string;
  /**
   * The value of the header, such as "Bearer <key>". A function is asked for each connection, and again after the gateway
   * refused a value, which it then gets as its argument.
   */
  authorization?: string | ((refused?: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Default: the global fetch. */
  fetch?: typeof globalThis.fetch | undefined;
  /** As graphql-ws takes it. Default: the global WebSocket. Null: server-sent events only. */
  webSocketImpl?: unknown;
  /** Where createTask keeps idempotency keys. Default: in memory. */
  keyStore?: KeyStore | undefined;
  /** A number from 0 to below 1, for the jitter of pauses. Default: Math.random. */
  random?: (() => number) | undefined;
}

export interface RequestOptions {
  signal?: AbortSignal | undefined;
}

/** Every failure is a SwitchboardError, except that an aborted `signal` makes a promise reject with its reason. */
export interface SwitchboardClient extends AsyncDisposable {
  /**
   * Repeated after a network failure, 502, 503 and 504, up to 5 tries in all. The result of a text has its type from the text, where that
   * can tell (dataOf.ts).
   */
  query<const Text extends string>(
    document: Text,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<DataOf<Text>>;
  query<Data = unknown, Variables = Record<string, unknown>>(
    document: Document<Data, Variables>,
    variables?: Variables,
    options?: RequestOptions,
  ): Promise<Data>;
  /** Sent once; after a 401, which did nothing, once more with another value of `authorization`. */
  mutate<const Text extends string>(
    document: Text,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<DataOf<Text>>;
  mutate<Data = unknown, Variables = Record<string, unknown>>(
    document: Document<Data, Variables>,
    variables?: Variables,
    options?: RequestOptions,
  ): Promise<Data>;
  /**
   * Creates a task once. Without `input.idempotencyKey` the client makes a key and keeps it, so that the same input, sent
   * again after any failure, a reload or a second click, gets the first answer. See README.md, "Create a task".
   */
  createTask(input: TaskInput, options?: CreateTaskOptions): Promise<CreateTaskResult>;
  /** Forgets the key of a task, so that the same input creates another task. A text is the `name` in the options. */
  releaseTaskKey(task: TaskInput | string, options?: Pick<CreateTaskOptions, "keyStore">): Promise<void>;
  /** Every ended call once, in order. `return()` and `signal` end the iterator at once, without an error. */
  callEnded(options?: CallEndedOptions): AsyncIterableIterator<StreamItem>;
  callEnded<Data extends CallStream>(
    options: CallEndedOptions & OwnDocument<Data>,
  ): AsyncIterableIterator<StreamItem<CallOf<Data>>>;
  callEnded<Call>(options: CallEndedOptions & OwnFields): AsyncIterableIterator<StreamItem<Call>>;
  /**
   * Another subscription, such as taskProgress. It is subscribed again after a reconnect; what happened meanwhile is not
   * delivered. `return()` and `signal` end the iterator at once, without an error.
   */
  subscribe<const Text extends string>(
    document: Text,
    variables?: Record<string, unknown>,
    options?: SubscribeOptions,
  ): AsyncIterableIterator<DataOf<Text>>;
  subscribe<Data = unknown, Variables = Record<string, unknown>>(
    document: Document<Data, Variables>,
    variables?: Variables,
    options?: SubscribeOptions,
  ): AsyncIterableIterator<Data>;
  /** The state of the stream that is furthest from being live. */
  readonly state: ConnectionState;
  /** Calls the listener with each new state, not with the present one. Returns the function that ends this. */
  onState(listener: (state: ConnectionState) => void): () => void;
  /** Ends all streams and the socket. Requests fail with CLOSED then; streams that begin later are at their end. */
  close(): Promise<void>;
}

export type ConnectionState =
  /** No stream runs. */
  | { name: "idle" }
  | { name: "connecting" }
  | { name: "live" }
  /** Events that were missed are on their way. `behindMs`: from the last event here to the newest one; null if unknown. */
  | { name: "catchingUp"; behindMs: number | null }
  | { name: "waiting"; until: Date; reason: string }
  /** The last stream failed, or the client was closed. */
  | { name: "ended"; error?: SwitchboardError };

export interface StreamOptions extends RequestOptions {
  /** The state of this stream alone. */
  onState?: ((state: ConnectionState) => void) | undefined;
}

export interface SubscribeOptions extends StreamOptions {
  /** Gets items that have errors. Without it, such an item ends the iterator with its error. */
  onItemError?: ((error: SwitchboardError) => void) | undefined;
}

export interface CallEndedOptions extends StreamOptions {
  /** The cursor of the last event that you have. Null or left out: new events only, from the first `live` on. */
  after?: string | null | undefined;
  filter?: CallEndedFilter | undefined;
  /** True: every revision of a call, not only the first. */
  revisions?: boolean | undefined;
  /** Where the place in the log is kept. Its cursor comes before `after`. */
  cursorStore?: CursorStore | undefined;
}

export interface OwnFields {
  /** Fields of CallEnded to select, such as "sessionId task { name }". Default: what the scope calls:read gives. */
  fields: string;
}

export interface OwnDocument<Data extends CallStream> {
  /**
   * A subscription with the variable `$after` and `callEndedStream(after: $after) { __typename cursor ... }`. It gets the
   * variables `filter` and `revisions` only where they are given.
   */
  document: Document<Data, never>;
}

/** The data of a subscription to callEndedStream. */
export interface CallStream {
  callEndedStream: { __typename?: string };
}

/** What such a subscription selects of CallEnded. */
export type CallOf<Data extends CallStream> = Extract<Data["callEndedStream"], { __typename?: "CallEnded" }>;

export type StreamItem<Call = CallFields> =
  /** `errors`: why nullable fields of this call are null. */
  | { type: "call"; cursor: string; call: Call; errors?: readonly GraphError[] }
  /** Events after `after` and up to `cursor` are no longer kept, or are damaged: they cannot be delivered. */
  | { type: "gap"; cursor: string; after: string };

/**
 * Keeps the place in the log. `save` gets the cursor of an item when the consumer asks for the next one: after a crash the
 * last item comes again, and none is lost. An error of `load` or `save` ends the iterator.
 */
export interface CursorStore {
  load(): string | null | Promise<string | null>;
  save(cursor: string): void | Promise<void>;
}

/** Keeps a text for each slot. `change` gets the present text or null, and returns the new one, or null to remove it. */
export interface KeyStore {
  /** Resolves with the new text when it is stored. No other change of the slot may happen between reading and writing. */
  update(slot: string, change: (text: string | null) => string | null): string | null | Promise<string | null>;
}

/** CreateTaskInput; the client makes the key if there is none. */
export type TaskInput = Omit<CreateTaskInput, "idempotencyKey"> & { idempotencyKey?: string | undefined };

export interface CreateTaskOptions extends RequestOptions {
  /** What the task is for, such as the name of a form: the slot of the key. Default: a digest of the input. */
  name?: string | undefined;
  /** Default: that of the client. */
  keyStore?: KeyStore | undefined;
}

export interface CreateTaskResult {
  /** Null where nothing was sent to the service or proposed: see `errors`. */
  submission: Submission | null;
  /** This is the answer to an earlier request with the same key: nothing was sent again. */
  replayed: boolean;
  errors: Pick<CreateTaskError, "code" | "message" | "path">[];
  idempotencyKey: string;
}

export type Submission = Pick<
  GraphSubmission,
  "id" | "idempotencyKey" | "status" | "name" | "assistantId" | "numberCount" | "submittedAt" | "taskId"
>;
