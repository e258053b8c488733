// The protocol graphql-transport-ws, as a server speaks it on one socket: who it is, its operations by their ids, and what
// becomes of them. What messages may look like is graphql-ws' word; the operation goes through the one pipeline. Functions of
// a record, and not closures of each peer: there are ten thousand.
import { GraphQLError, type ExecutionResult } from "graphql";
import { CloseCode, MessageType, validateMessage, type Message, type SubscribeMessage } from "graphql-ws";
import type { Grant } from "../auth/grant.ts";
import { CodedError, publicError, withoutHttpHint } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Operation, OperationPipeline } from "../graphql/pipeline.ts";
import { createRequestId } from "../graphql/requestId.ts";
import { parseRequestJson } from "../graphql/operationParams.ts";
import type { SendPayloads } from "../graphql/subscriptions/sharedGroup.ts";

/** What the protocol does with sockets of its kind. Closed, one hears nothing more, and what is sent is lost. */
export interface Wire<Socket> {
  /** Resolves when the bytes have left: whoever follows the log waits here, and lags there. */
  send: (socket: Socket, text: string) => Promise<void>;
  close: (socket: Socket, code: number, reason: string) => void;
  /** Where the results of the operation `id` go that many subscribers are told. */
  takeFor: (socket: Socket, id: string) => SendPayloads;
  /**
   * Called when connection_init came. Null: the socket was closed, or has left. Calls `onRevoked` before it closes the socket
   * of a grant that was taken back. Never rejects.
   */
  admit: (socket: Socket, authorization: string | undefined, onRevoked: () => void) => Promise<Grant | null>;
  /** Called with what should not have happened. */
  fail: (socket: Socket, error: unknown) => void;
}

export interface Peer<Socket = unknown> {
  socket: Socket;
  deps: ProtocolDeps<Socket>;
  isBegun: boolean;
  grant: Grant | null;
  /** Mostly one: a list is a third of a Map, and one that is made anew has no room to spare. */
  operations: readonly Running[];
}

export interface ProtocolDeps<Socket> {
  wire: Wire<Socket>;
  pipeline: OperationPipeline;
  log: Log;
}

type Results = AsyncIterableIterator<ExecutionResult>;

interface Running {
  id: string;
  /** Null of a subscription, which its results' return() ends. */
  leaving: AbortController | null;
  results: Results | null;
}

const MOST_OPERATIONS = 100;
/** In characters: an id is a part of each result that is told under it. */
const LONGEST_ID = 256;

export function createPeer<Socket>(socket: Socket, deps: ProtocolDeps<Socket>): Peer<Socket> {
  return { socket, deps, isBegun: false, grant: null, operations: [] };
}

export function heard<Socket>(peer: Peer<Socket>, text: string): void {
  try {
    take(peer, messageOf(text));
  } catch (error) {
    fail(peer, error);
  }
}

/** Whether something runs that ends by itself. */
export function isBusy<Socket>({ operations }: Peer<Socket>): boolean {
  return operations.some(({ leaving }) => leaving !== null);
}

/** Ends what runs, and tells nothing more of it. */
export function endAll<Socket>(peer: Peer<Socket>): void {
  for (const running of peer.operations) end(peer, running);
}

function close<Socket>({ socket, deps }: Peer<Socket>, code: number, reason: string): void {
  deps.wire.close(socket, code, reason);
}

function fail<Socket>({ socket, deps }: Peer<Socket>, error: unknown): void {
  deps.wire.fail(socket, error);
}

function take<Socket>(peer: Peer<Socket>, message: Message | null): void {
  if (message?.type === MessageType.ConnectionInit) {
    begin(peer, message.payload).catch((error: unknown) => fail(peer, error));
  } else if (message?.type === MessageType.Ping) pong(peer, message.payload);
  else if (message?.type === MessageType.Subscribe) subscribe(peer, message);
  else if (message?.type === MessageType.Complete) {
    const running = runningAs(peer, message.id);
    if (running) end(peer, running);
  } else if (message?.type !== MessageType.Pong) close(peer, CloseCode.BadRequest, "Invalid message received");
}

async function begin<Socket>(peer: Peer<Socket>, connectionParams: unknown): Promise<void> {
  const { socket, deps } = peer;
  if (peer.isBegun) return close(peer, CloseCode.TooManyInitialisationRequests, "Too many initialisation requests");
  peer.isBegun = true;
  peer.grant = await deps.wire.admit(socket, authorizationOf(connectionParams), () => endSubscriptions(peer));
  if (peer.grant) await say(peer, { type: MessageType.ConnectionAck });
}

/** None where it is given twice, as of a request with two headers. */
function authorizationOf(connectionParams: unknown): string | undefined {
  const { authorization, Authorization } = (connectionParams ?? {}) as Record<string, unknown>;
  if (authorization != null && Authorization != null) return undefined;
  const given = authorization ?? Authorization;
  return typeof given === "string" ? given : undefined;
}

/** Each with an `error`. What else runs is cut off without a word, for nobody knows yet what becomes of it. */
function endSubscriptions<Socket>(peer: Peer<Socket>): void {
  for (const running of peer.operations) {
    if (running.leaving) continue;
    end(peer, running);
    void sayErrors(peer, running.id, [unauthenticated()]);
  }
}

function pong<Socket>(peer: Peer<Socket>, payload: unknown): void {
  void say(peer, payload ? { type: MessageType.Pong, payload } : { type: MessageType.Pong });
}

function subscribe<Socket>(peer: Peer<Socket>, { id, payload }: SubscribeMessage): void {
  const { grant, operations, deps } = peer;
  if (!grant) return close(peer, CloseCode.Unauthorized, "Unauthorized");
  if (runningAs(peer, id)) return close(peer, CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
  if (operations.length >= MOST_OPERATIONS) return void sayErrors(peer, id, [tooManyOperations()]);
  const prepared = deps.pipeline.prepare(payload, grant);
  if ("errors" in prepared) return void sayErrors(peer, id, prepared.errors);
  const leaving = prepared.kind === "subscription" ? null : new AbortController();
  const running: Running = { id, leaving, results: null };
  peer.operations = operations.concat(running);
  run(peer, running, prepared).catch((error: unknown) => fail(peer, error));
}

async function run<Socket>(peer: Peer<Socket>, running: Running, prepared: Operation): Promise<void> {
  try {
    const { id, leaving: left } = running;
    const leaving = left && (() => left.signal);
    const result = await prepared.run(leaving, peer.deps.wire.takeFor(peer.socket, id));
    if (Symbol.asyncIterator in result) {
      running.results = result;
      return isWanted(peer, running) ? askNext(peer, running, result) : void (await result.return?.());
    }
    await tell(peer, running, result);
    await complete(peer, running);
  } catch (error) {
    await breakOff(peer, running, error);
  }
}

/** Nothing but this waits for the next result: mostly there is none, and thousands wait. */
function askNext<Socket>(peer: Peer<Socket>, running: Running, results: Results): void {
  const broken = (error: unknown) => breakOff(peer, running, error);
  void results.next().then((step) => tellNext(peer, running, results, step).catch(broken), broken);
}

async function tellNext<Socket>(
  peer: Peer<Socket>,
  running: Running,
  results: Results,
  { done, value }: IteratorResult<ExecutionResult, undefined>,
): Promise<void> {
  // The socket is closed for credentials that ended: a client with new ones comes back, and asks for the rest.
  if (peer.grant?.viewer() === null) return;
  if (done) return complete(peer, running);
  await tell(peer, running, value);
  askNext(peer, running, results);
}

function runningAs<Socket>({ operations }: Peer<Socket>, id: string): Running | undefined {
  return operations.find((running) => running.id === id);
}

/** What its client completed is not its own any more: another may have come in its place. */
function isWanted<Socket>({ operations }: Peer<Socket>, running: Running): boolean {
  return operations.includes(running);
}

function forget<Socket>(peer: Peer<Socket>, running: Running): void {
  peer.operations = peer.operations.filter((other) => other !== running);
}

async function tell<Socket>(peer: Peer<Socket>, running: Running, payload: ExecutionResult): Promise<void> {
  if (isWanted(peer, running)) await say(peer, { id: running.id, type: MessageType.Next, payload });
}

async function complete<Socket>(peer: Peer<Socket>, running: Running): Promise<void> {
  if (!isWanted(peer, running)) return;
  forget(peer, running);
  await say(peer, { id: running.id, type: MessageType.Complete });
}

/** For a result that cannot be written, for one. Never rejects. */
async function breakOff<Socket>(peer: Peer<Socket>, running: Running, error: unknown): Promise<void> {
  try {
    if (!isWanted(peer, running)) return;
    end(peer, running);
    await sayErrors(peer, running.id, [new GraphQLError("", { originalError: error as Error })]);
  } catch (again) {
    fail(peer, again);
  }
}

function end<Socket>(peer: Peer<Socket>, running: Running): void {
  forget(peer, running);
  running.leaving?.abort();
  void running.results?.return?.();
}

function say<Socket>({ socket, deps }: Peer<Socket>, message: object): Promise<void> {
  return deps.wire.send(socket, JSON.stringify(message));
}

function sayErrors<Socket>(peer: Peer<Socket>, id: string, errors: readonly GraphQLError[]): Promise<void> {
  const payload = errors.map((error) => opened(error, peer.deps.log));
  return say(peer, { id, type: MessageType.Error, payload });
}

/** Null: it is none of the protocol's. */
function messageOf(text: string): Message | null {
  try {
    const message = validateMessage(parseRequestJson(text));
    return "id" in message && message.id.length > LONGEST_ID ? null : message;
  } catch {
    return null;
  }
}

const coded = (...given: ConstructorParameters<typeof CodedError>) =>
  new GraphQLError("", { originalError: new CodedError(...given) });
const tooManyOperations = () =>
  coded("RATE_LIMITED", `A socket runs at most ${MOST_OPERATIONS} operations at once.`, { retryAfter: 1 });
const unauthenticated = () => coded("UNAUTHENTICATED", "The credentials no longer hold.");

function opened(error: GraphQLError, log: Log): GraphQLError {
  if (error.extensions["requestId"] !== undefined) return withoutHttpHint(error);
  return publicError(error, { requestId: createRequestId(), log });
}
