// The protocol graphql-transport-ws, as a server speaks it on one socket: who it is, its operations by their ids, and what
// becomes of them. What messages may look like is graphql-ws' word; the operation goes through the one pipeline. Functions of
// a record, and not closures of each peer: there are ten thousand.
import { GraphQLError, type ExecutionResult } from "graphql";
import { CloseCode, MessageType, parseMessage, type Message, type SubscribeMessage } from "graphql-ws";
import type { Grant } from "../auth/grant.ts";
import { exactReviver } from "../dialect/exactJson.ts";
import { CodedError, publicError, withoutHttpHint } from "../errors.ts";
import type { Log } from "../log.ts";
import type { Operation, OperationPipeline } from "./operation.ts";
import { createRequestId } from "./requestId.ts";
import type { Take } from "./sharedGroup.ts";

/** The socket, as the protocol uses it. Closed, it hears nothing more, and what is sent is lost. */
export interface Wire {
  /** Resolves when the bytes have left: whoever follows the log waits here, and lags there. */
  send: (text: string) => Promise<void>;
  close: (code: number, reason: string) => void;
  /** Where the results of the operation `id` go that many subscribers are told. */
  takeFor: (id: string) => Take;
  /** Called when connection_init came; null: nobody we know, or one too many. Never rejects. */
  admit: (authorization: string | undefined) => Promise<Grant | null>;
  /** Called with what should not have happened. */
  fail: (error: unknown) => void;
}

export interface Peer {
  wire: Wire;
  deps: ProtocolDeps;
  isBegun: boolean;
  grant: Grant | null;
  operations: Map<string, Running>;
}

export interface ProtocolDeps {
  pipeline: OperationPipeline;
  log: Log;
}

type Results = AsyncIterableIterator<ExecutionResult>;

interface Running {
  leaving: AbortController;
  isAnswering: boolean;
  results: Results | null;
}

const MOST_OPERATIONS = 100;
const reviver = exactReviver as (key: string, value: unknown) => unknown;

export function createPeer(wire: Wire, deps: ProtocolDeps): Peer {
  return { wire, deps, isBegun: false, grant: null, operations: new Map() };
}

export function heard(peer: Peer, text: string): void {
  try {
    take(peer, messageOf(text));
  } catch (error) {
    peer.wire.fail(error);
  }
}

/** Whether something runs that ends by itself. */
export function isBusy({ operations }: Peer): boolean {
  return operations.values().some(({ isAnswering }) => isAnswering);
}

/** Ends what runs, and tells nothing more of it. */
export function endAll(peer: Peer): void {
  for (const id of peer.operations.keys()) end(peer, id);
}

function take(peer: Peer, message: Message | null): void {
  const { wire } = peer;
  if (message?.type === MessageType.ConnectionInit) begin(peer, message.payload).catch(wire.fail);
  else if (message?.type === MessageType.Ping) pong(peer, message.payload);
  else if (message?.type === MessageType.Subscribe) subscribe(peer, message);
  else if (message?.type === MessageType.Complete) end(peer, message.id);
  else if (message?.type !== MessageType.Pong) wire.close(CloseCode.BadRequest, "Invalid message received");
}

async function begin(peer: Peer, connectionParams: unknown): Promise<void> {
  const { wire } = peer;
  if (peer.isBegun) return wire.close(CloseCode.TooManyInitialisationRequests, "Too many initialisation requests");
  peer.isBegun = true;
  const { authorization, Authorization } = (connectionParams ?? {}) as Record<string, unknown>;
  const given = authorization ?? Authorization;
  peer.grant = await wire.admit(typeof given === "string" ? given : undefined);
  if (!peer.grant) return wire.close(CloseCode.Forbidden, "Forbidden");
  await say(peer, { type: MessageType.ConnectionAck });
}

function pong(peer: Peer, payload: unknown): void {
  void say(peer, payload ? { type: MessageType.Pong, payload } : { type: MessageType.Pong });
}

function subscribe(peer: Peer, { id, payload }: SubscribeMessage): void {
  const { wire, grant, operations, deps } = peer;
  if (!grant) return wire.close(CloseCode.Unauthorized, "Unauthorized");
  if (operations.has(id)) return wire.close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
  if (operations.size >= MOST_OPERATIONS) return void sayErrors(peer, id, [tooManyOperations()]);
  const prepared = deps.pipeline.prepare(payload, grant);
  if ("errors" in prepared) return void sayErrors(peer, id, prepared.errors);
  const running = { leaving: new AbortController(), isAnswering: prepared.kind !== "subscription", results: null };
  operations.set(id, running);
  run(peer, id, running, prepared).catch(wire.fail);
}

async function run(peer: Peer, id: string, running: Running, prepared: Operation): Promise<void> {
  try {
    const result = await prepared.run(running.leaving.signal, peer.wire.takeFor(id));
    if (Symbol.asyncIterator in result) {
      running.results = result;
      return isWanted(peer, id, running) ? askNext(peer, id, running, result) : void (await result.return?.());
    }
    await tell(peer, id, running, result);
    await complete(peer, id, running);
  } catch (error) {
    await breakOff(peer, id, running, error);
  }
}

/** Nothing but this waits for the next result: mostly there is none, and thousands wait. */
function askNext(peer: Peer, id: string, running: Running, results: Results): void {
  const told = async ({ done, value }: IteratorResult<ExecutionResult, undefined>) => {
    if (done) return complete(peer, id, running);
    await tell(peer, id, running, value);
    askNext(peer, id, running, results);
  };
  results
    .next()
    .then(told)
    .catch((error: unknown) => breakOff(peer, id, running, error))
    .catch(peer.wire.fail);
}

/** What its client completed is not its own any more: another may have come in its place. */
const isWanted = ({ operations }: Peer, id: string, running: Running) => operations.get(id) === running;

async function tell(peer: Peer, id: string, running: Running, payload: ExecutionResult): Promise<void> {
  if (isWanted(peer, id, running)) await say(peer, { id, type: MessageType.Next, payload });
}

async function complete(peer: Peer, id: string, running: Running): Promise<void> {
  if (!isWanted(peer, id, running)) return;
  peer.operations.delete(id);
  await say(peer, { id, type: MessageType.Complete });
}

/** A result that cannot be written, for one. */
async function breakOff(peer: Peer, id: string, running: Running, error: unknown): Promise<void> {
  if (!isWanted(peer, id, running)) return;
  end(peer, id);
  await sayErrors(peer, id, [new GraphQLError("", { originalError: error as Error })]);
}

function end({ operations }: Peer, id: string): void {
  const running = operations.get(id);
  operations.delete(id);
  running?.leaving.abort();
  void running?.results?.return?.();
}

function say({ wire }: Peer, message: object): Promise<void> {
  return wire.send(JSON.stringify(message));
}

function sayErrors(peer: Peer, id: string, errors: readonly GraphQLError[]): Promise<void> {
  const payload = errors.map((error) => opened(error, peer.deps.log));
  return say(peer, { id, type: MessageType.Error, payload });
}

/** Null: it is none of the protocol's. */
function messageOf(text: string): Message | null {
  try {
    return parseMessage(text, reviver);
  } catch {
    return null;
  }
}

const tooManyOperations = () =>
  new GraphQLError("", {
    originalError: new CodedError("RATE_LIMITED", `A socket runs at most ${MOST_OPERATIONS} operations at once.`, {
      retryAfter: 1,
    }),
  });

function opened(error: GraphQLError, log: Log): GraphQLError {
  if (error.extensions["requestId"] !== undefined) return withoutHttpHint(error);
  return publicError(error, { requestId: createRequestId(), log });
}
