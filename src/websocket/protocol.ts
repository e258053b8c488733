// The server side of graphql-transport-ws on one socket: connection_init, ping, and operations by their IDs. graphql-ws
// validates the messages. Each socket has one record and no closures, because there may be ten thousand sockets.
import { GraphQLError, type ExecutionResult } from "graphql";
import { MessageType, validateMessage, type Message, type SubscribeMessage } from "graphql-ws";
import { SOCKET_LIMITS } from "../config/limits.ts";
import type { Grant } from "../auth/grant.ts";
import { CodedError, publicError, withoutHttpHint } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Operation, OperationPipeline } from "../graphql/operation.ts";
import { requestIdOrNew } from "../util/requestId.ts";
import { parseRequestJson, hasOnlyDocumentId } from "../graphql/operationParams.ts";
import type { SubscriptionEnd } from "../graphql/subscriptions/subscriptionObserver.ts";
import type { SendResults } from "../graphql/subscriptions/sharedGroup.ts";
import { authorizationOf, showsKeyElsewhere } from "./authenticateSocket.ts";
import type { Connection } from "./socketConnection.ts";
import { closeReasons, duplicateOperation, type CloseReason } from "./closeReasons.ts";

/** What the protocol needs from sockets. After `close`, no message arrives, and messages that are sent are lost. */
export interface SocketTransport {
  /** Resolves when the bytes have left, also when they cannot: a subscription reads its next event only then. */
  send: (connection: Connection, text: string) => Promise<void>;
  close: (connection: Connection, reason: CloseReason) => void;
  /** Writes results of a shared subscription for the operation `id`. */
  createWriter: (connection: Connection, id: string) => SendResults;
  /**
   * Checks the credentials of connection_init. Null: the socket was closed, by the gateway or by its peer. Calls `onRevoked`
   * before it closes the socket of a grant that was revoked. Never rejects.
   */
  authenticate: (
    connection: Connection,
    authorization: string | undefined,
    onRevoked: () => void,
  ) => Promise<Grant | null>;
  /** Reports an unexpected error. */
  fail: (connection: Connection, error: unknown) => void;
}

export interface Session {
  connection: Connection;
  deps: ProtocolDeps;
  hasInit: boolean;
  grant: Grant | null;
  /** Replaced on each change. Most sockets run one operation, and a list needs a third of the memory of a Map. */
  operations: readonly RunningOperation[];
}

export interface ProtocolDeps {
  transport: SocketTransport;
  pipeline: OperationPipeline;
  log: Logger;
}

type Results = AsyncIterableIterator<ExecutionResult>;

interface RunningOperation {
  id: string;
  /** Null for a subscription: `return()` of its results ends it. An answer in parts has both. */
  abort: AbortController | null;
  results: Results | null;
}

export function createSession(connection: Connection, deps: ProtocolDeps): Session {
  return { connection, deps, hasInit: false, grant: null, operations: [] };
}

export function handleMessage(session: Session, text: string): void {
  try {
    dispatch(session, parseMessage(text));
  } catch (error) {
    reportFailure(session, error);
  }
}

/** Whether a query or a mutation is running: it ends by itself, and cutting it would hide its outcome. */
export function isBusy({ operations }: Session): boolean {
  return operations.some(({ abort }) => abort !== null);
}

/** Ends all running operations without a message to the client. */
export function endAllOperations(session: Session, reason: SubscriptionEnd): void {
  for (const operation of session.operations) endOperation(session, operation, reason);
}

function close({ connection, deps }: Session, reason: CloseReason): void {
  deps.transport.close(connection, reason);
}

function reportFailure({ connection, deps }: Session, error: unknown): void {
  deps.transport.fail(connection, error);
}

function dispatch(session: Session, message: Message | null): void {
  if (message?.type === MessageType.ConnectionInit) {
    initialize(session, message.payload).catch((error: unknown) => reportFailure(session, error));
  } else if (message?.type === MessageType.Ping) {
    void send(session, { type: MessageType.Pong, payload: message.payload || undefined });
  } else if (message?.type === MessageType.Subscribe) subscribe(session, message);
  else if (message?.type === MessageType.Complete) endOperation(session, findOperation(session, message.id), "client");
  else if (message?.type !== MessageType.Pong) close(session, closeReasons.invalidMessage);
}

async function initialize(session: Session, connectionParams: unknown): Promise<void> {
  const { connection, deps } = session;
  if (session.hasInit) return close(session, closeReasons.secondInit);
  session.hasInit = true;
  const authorization = authorizationOf(connectionParams);
  connection.showsKeyElsewhere ||= showsKeyElsewhere(connectionParams);
  session.grant = await deps.transport.authenticate(connection, authorization, () => endSubscriptions(session));
  if (session.grant) await send(session, { type: MessageType.ConnectionAck });
}

/** Sends an `error` for each subscription. Other operations get no message: their outcome is not known yet. */
function endSubscriptions(session: Session): void {
  for (const operation of session.operations) {
    if (operation.abort) continue;
    endOperation(session, operation, "revoked");
    void sendErrors(session, operation.id, [unauthenticated()]);
  }
}

function subscribe(session: Session, { id, payload }: SubscribeMessage): void {
  const { grant, operations, deps } = session;
  if (!grant) return close(session, closeReasons.notAcknowledged);
  if (findOperation(session, id)) return close(session, duplicateOperation(id));
  if (operations.length >= SOCKET_LIMITS.operations) return void sendErrors(session, id, [tooManyOperations()]);
  const prepared = deps.pipeline.prepare(payload, grant);
  if ("errors" in prepared) return void sendErrors(session, id, prepared.errors);
  const abort = prepared.kind === "subscription" ? null : new AbortController();
  const operation: RunningOperation = { id, abort, results: null };
  session.operations = operations.concat(operation);
  run(session, operation, prepared).catch((error: unknown) => reportFailure(session, error));
}

async function run(session: Session, operation: RunningOperation, prepared: Operation): Promise<void> {
  try {
    const { id, abort } = operation;
    const clientSignal = abort && (() => abort.signal);
    const writer = session.deps.transport.createWriter(session.connection, id);
    const result = await prepared.run(clientSignal, writer, undefined, true);
    if (Symbol.asyncIterator in result) {
      operation.results = result;
      if (isRunning(session, operation)) return pullNextResult(session, operation, result);
      return void (await result.return?.());
    }
    await sendResult(session, operation, result);
    await complete(session, operation);
  } catch (error) {
    await failOperation(session, operation, error);
  }
}

/** No function stays suspended while it waits: thousands of subscriptions wait for their next event. */
function pullNextResult(session: Session, operation: RunningOperation, results: Results): void {
  const onError = (error: unknown) => failOperation(session, operation, error);
  void results.next().then((step) => handleNextResult(session, operation, results, step).catch(onError), onError);
}

async function handleNextResult(
  session: Session,
  operation: RunningOperation,
  results: Results,
  { done, value }: IteratorResult<ExecutionResult, undefined>,
): Promise<void> {
  // The socket is being closed for an expired token. The client reconnects with a new one, and continues from its cursor.
  if (session.grant?.viewer() === null) return;
  if (done) return complete(session, operation);
  await sendResult(session, operation, value);
  pullNextResult(session, operation, results);
}

function findOperation({ operations }: Session, id: string): RunningOperation | undefined {
  return operations.find((operation) => operation.id === id);
}

/** False after the client completed the operation, also if a new one has its ID by now. */
function isRunning({ operations }: Session, operation: RunningOperation): boolean {
  return operations.includes(operation);
}

function remove(session: Session, operation: RunningOperation): void {
  session.operations = session.operations.filter((other) => other !== operation);
}

async function sendResult(session: Session, operation: RunningOperation, payload: ExecutionResult): Promise<void> {
  if (isRunning(session, operation)) await send(session, { id: operation.id, type: MessageType.Next, payload });
}

async function complete(session: Session, operation: RunningOperation): Promise<void> {
  if (!isRunning(session, operation)) return;
  remove(session, operation);
  await send(session, { id: operation.id, type: MessageType.Complete });
}

/** Sends an `error`, for example for a result that is not serializable. Never rejects. */
async function failOperation(session: Session, operation: RunningOperation, error: unknown): Promise<void> {
  try {
    if (!isRunning(session, operation)) return;
    endOperation(session, operation, "failed");
    await sendErrors(session, operation.id, [error]);
  } catch (sendError) {
    reportFailure(session, sendError);
  }
}

function endOperation(session: Session, operation: RunningOperation | undefined, reason: SubscriptionEnd): void {
  if (!operation) return;
  remove(session, operation);
  operation.abort?.abort();
  void operation.results?.return?.(reason);
}

function send({ connection, deps }: Session, message: object): Promise<void> {
  return deps.transport.send(connection, JSON.stringify(message));
}

function sendErrors(session: Session, id: string, errors: readonly unknown[]): Promise<void> {
  const payload = errors.map((error) => toPublicError(error, session.deps.log));
  return send(session, { id, type: MessageType.Error, payload });
}

/** Null: not a message of the protocol, or its ID is too long. */
function parseMessage(text: string): Message | null {
  try {
    const parsed = parseRequestJson(text) as Partial<SubscribeMessage> | null | undefined;
    // graphql-ws requires a text, but a client that names its document by an ID may send none.
    if (parsed?.type === MessageType.Subscribe && parsed.payload && hasOnlyDocumentId(parsed.payload))
      Object.assign(parsed.payload, { query: "" });
    const message = validateMessage(parsed);
    return "id" in message && message.id.length > SOCKET_LIMITS.idLength ? null : message;
  } catch {
    return null;
  }
}

const tooManyOperations = () =>
  new CodedError("RATE_LIMITED", `A socket runs at most ${SOCKET_LIMITS.operations} operations at once.`, {
    retryAfter: 1,
  });
const unauthenticated = () => new CodedError("UNAUTHENTICATED", "The credentials are no longer valid.");

function toPublicError(error: unknown, log: Logger): GraphQLError {
  if (error instanceof GraphQLError && error.extensions["requestId"] !== undefined) return withoutHttpHint(error);
  return publicError(error, { requestId: requestIdOrNew(), log });
}
