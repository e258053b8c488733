// Fixed limits of request bodies and connections. Limits of documents and variables are in graphql/documents/documentLimits.ts,
// limits of responses in graphql/executor/resultSize.ts; limits that an operator sets are in config.ts. docs/security.md lists all.
import { bodyMemoryOf, memoryOfProcess } from "./memory.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

const bodyMemory = bodyMemoryOf(memoryOfProcess());

/** Bytes of one request body. */
export const BODY_LIMITS = {
  graphql: MIB,
  /** With the scope tasks:create: a task may have 100,000 numbers. */
  graphqlWithTasks: 16 * MIB,
  webhook: 256 * KIB,
  /** A message of an agent: the arguments of one tool. */
  mcp: 256 * KIB,
} as const;

/** What the JSON of one request body may hold. */
export const JSON_LIMITS = {
  /** Objects and lists inside each other. No variable needs as many; a deeper one could overflow the stack. */
  levels: 1000,
  /** JSON values: 20 for each of the 100,000 numbers of a task. */
  values: 2_000_000,
  /** Lists and objects, 5 for each of these numbers: as an object a value takes 56 to 250 bytes of memory. */
  containers: 500_000,
  /** Items of one list: twice the numbers of a task, so that a task with too many is told so where possible. */
  items: 200_000,
  /** Members of one object: an object with more takes long to build. */
  members: 20_000,
  /** Different names of members: V8 keeps a shape, and often a table, for objects with names of their own. */
  names: 30_000,
  /** Characters of a number: converting a number takes time that grows with the square of its length. */
  characters: MIB,
} as const;

/** Bodies that are parsed in slices, because parsing them at once would block the event loop. */
export const LARGE_BODY_LIMITS = {
  /** Bytes. A larger body is a large body. */
  minBytes: 64 * KIB,
  /** Large bodies that are parsed at a time, one of each caller: parsed, each takes ten times its size of memory. */
  active: bodyMemory.parsed,
  /** Large bodies of one caller that wait for their turn. */
  waiting: 8,
} as const;

/**
 * Bytes of request bodies in flight. With unread responses, a large body that is parsed (about 150 MB) and the process
 * itself (about 200 MB) they make about 600 MB of memory; docs/performance.md has the measurement. With less memory they are fewer.
 */
export const BODY_BUDGET = {
  total: bodyMemory.total,
  ofCaller: bodyMemory.ofCaller,
  /** A body whose content-length is at most this many bytes is not counted: most requests are smaller. */
  uncounted: 64 * KIB,
} as const;

/** Requests of one connection that wait for earlier responses. */
export const PIPELINING_LIMITS = {
  /** With more, the connection is not read until at most one waits. */
  paused: 16,
  /** With more, the connection is closed: one read can bring many small requests. */
  closed: 100,
} as const;

/** Browsers' sessions (auth/sessions.ts). */
export const SESSION_LIMITS = {
  /** A session by a token ends with the token, if that is sooner. */
  maxAgeMs: 12 * 3_600_000,
} as const;

/** How fast a client must read what was sent to it. */
export const SLOW_READER_LIMITS = {
  /** Milliseconds in which a client must read all bytes that waited at the start of the period, or `minBytes` of them. */
  periodMs: 60_000,
  minBytes: 2 * MIB,
  /** Bytes that wait for all clients. With more, connections are closed, those with the oldest bytes first. */
  totalBytes: 96 * MIB,
} as const;

export const CONNECTION_LIMITS = {
  /** WebSockets and streams of server-sent events per viewer, or per address if viewers are not known. */
  perCaller: 1000,
  /** Headers of a request. A browser sends about 20. Node silently drops headers beyond 2,000. */
  headers: 100,
  /** Unsent bytes of a socket or stream. With more, a subscriber leaves its group, and a WebSocket is not read. */
  unsentBytes: 64 * KIB,
} as const;

/** Subscriptions that are delivered to a router's callback URL (server/callbacks/). */
export const CALLBACK_LIMITS = {
  /** Running at once, of all viewers. Those of one viewer count towards `CONNECTION_LIMITS.perCaller`. */
  total: 10_000,
  /** Messages in flight to one router. */
  inFlight: 256,
  /** Until a connection is open. */
  connectMs: 3000,
  /** Until the answer to one message. */
  answerMs: 10_000,
  /** Bytes of an answer's body that are read; the protocol has none. */
  answerBytes: 4096,
  urlLength: 2048,
  idLength: 256,
  verifierLength: 1024,
  /** What a router may ask for, apart from 0. */
  minHeartbeatMs: 1000,
  /** Heartbeats of one viewer's subscriptions to one router: 1,000 subscriptions at the usual interval of 5 s. */
  heartbeatsPerSecond: 400,
  /** The pauses before a message is sent again. After the last one the subscription ends. */
  retriesMs: [100, 500, 2000, 5000],
  /** The pauses of the message that ends a subscription: without it, clients may wait for ever. */
  lastRetriesMs: [100, 500, 2000, 5000, 15_000, 30_000, 60_000],
} as const;

/** What a WebSocket may do. Before connection_ack, which needs one message, it may do less. */
export const SOCKET_LIMITS = {
  messageBytes: 64 * KIB,
  messageBytesBeforeAck: 4 * KIB,
  /** Bytes of messages that wait for their viewer's turn. With more, the socket is not read. */
  waitingBytes: 64 * KIB,
  /** Frames of one message. Empty frames do not count towards `messageBytes`, but each costs parsing time. */
  fragments: 256,
  /** Messages and pings. */
  rate: { burst: 300, perSecond: 20 },
  rateBeforeAck: { burst: 10, perSecond: 1 },
  /** Running at once. */
  operations: 100,
  /** Characters of an operation's ID: each result repeats it. */
  idLength: 256,
  /** Milliseconds until connection_init. */
  initTimeoutMs: 3000,
  /** Bytes that are discarded after a close: more than what is in flight when an honest peer is told to stop. */
  discardedBytes: MIB,
} as const;
