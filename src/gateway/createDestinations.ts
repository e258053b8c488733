// Destinations: ended calls go on to other systems, as the graph shows them to a viewer with the destination's scopes.
import type { ExecutionResult, GraphQLSchema } from "graphql";
import { lastingGrant } from "../auth/grant.ts";
import { watchFile } from "../auth/watchedFile.ts";
import { readDestinations, type Destination } from "../destinations/destinationFile.ts";
import { createDestinationService, type DestinationService } from "../destinations/destinationService.ts";
import { startDestinations } from "../destinations/startDestinations.ts";
import { createAsItCameDeliverer } from "../destinations/asItCameDeliverer.ts";
import { createEventDeliverer, type EventDestination, type ReadEvent } from "../destinations/eventDeliverer.ts";
import { createHttpSender } from "../destinations/httpSender.ts";
import { createEventCursors } from "../events/logEntry.ts";
import { maskText } from "../privacy/maskPhone.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { createSignal } from "../util/signal.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Graphql } from "./createGraphql.ts";
import type { Storage } from "./createStorage.ts";
import { createDestinationRules, destinationHosts } from "./destinationRules.ts";

export interface DestinationsDeps extends Base {
  schema: GraphQLSchema;
  storage: Storage;
  events: Events;
}

export interface Destinations extends AsyncDisposable {
  service: DestinationService;
  /** Begins to deliver. Call it once. */
  start(graphql: Graphql): void;
}

const NO_FILE = { current: () => [], onChange: () => () => undefined };

/** Throws an Error of one line while DESTINATIONS_FILE cannot be read, and a FinalError if its content is wrong. */
export async function createDestinations(deps: DestinationsDeps): Promise<Destinations> {
  const { config, overrides, schema, storage, events, observers, log } = deps;
  const { file } = config.destinations;
  await using parts = new AsyncDisposableStack();
  const hosts = destinationHosts(config.destinations);
  const rules = createDestinationRules(schema, hosts, config.rawDeliveryDays > 0);
  const read = (path: string) => readDestinations(path, rules);
  const watched =
    file === null ? NO_FILE : parts.use(await watchFile({ file, variable: "DESTINATIONS_FILE", read, log }));
  const sender = parts.use(createHttpSender({ rules: hosts }));
  const clock = storage.clock.now;
  const { destinations: store, leases, rawDeliveries } = storage.store;
  const { promise: graphql, resolve } = Promise.withResolvers<Graphql>();
  const readEvent: ReadEvent = async (...asked) => createReadEvent(await graphql)(...asked);
  const shared = {
    createDeliverer: (destination: Destination) =>
      destination.kind === "event"
        ? createEventDeliverer(destination, { send: sender.send, readEvent, clock })
        : createAsItCameDeliverer(destination, { send: sender.send, rawDeliveries }),
    events: events.events,
    cursors: createEventCursors(storage.signer),
    store,
    changed: createSignal(),
    mask: maskText,
    clock,
  };
  const running = parts.move();
  return {
    service: createDestinationService({ ...shared, definitions: watched.current }),
    start(made) {
      resolve(made);
      const own = { ...shared, ...overrides.destinationTimes, leases, observer: observers.destinations, log };
      if (file !== null) running.use(startDestinations({ ...own, file: watched }));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Fields that ask nothing of the service. `task`, `callLog` and `recording` can be selected. */
const WHOLE_EVENT = `id cursor sessionId source receivedAt revision eventName direction caller callee startAt answerAt endAt duration
  billsec answered ringTime hangupSide hungUpBy hangupReason taskId taskItemId assistants { assistantId versionId } unread { field text }`;
/** Those that need a scope of their own. */
const SCOPED = { extra: "people:read", recordUrl: "recordings:read" } as const;

function sourceOf({ selection, scopes }: EventDestination): string {
  const scoped = Object.entries(SCOPED).flatMap(([field, scope]) => (scopes.includes(scope) ? field : []));
  const fields = selection ?? `${WHOLE_EVENT} ${scoped.join(" ")}`;
  return `query Destination($id: ID!) { node(id: $id) { ... on CallEnded { ${fields} } } }`;
}

/** Runs in the pipeline, so that scopes and masks are those of every viewer. */
function createReadEvent({ pipeline, ownRequest }: Graphql): ReadEvent {
  return async ({ sessionId, revision }, destination, signal) => {
    const id = nodeId("CallEnded", sessionId, String(revision));
    const { name, scopes, document } = destination;
    const grant = lastingGrant({ name: `destination ${name}`, scopes: new Set(scopes), limits: null, access: null });
    const request =
      document === undefined
        ? ownRequest({ query: sourceOf(destination), variables: { id } })
        : { documentId: document, variables: { id } };
    const operation = pipeline.prepare(request, grant);
    if ("errors" in operation) return problemOf(operation.errors);
    if (operation.kind !== "query") return { problem: "The document is no query.", retryAfterMs: null };
    const result = (await operation.run(() => signal)) as ExecutionResult;
    signal.throwIfAborted();
    const { data, errors = [] } = result;
    if (data == null || errors.some(({ extensions }) => mayPass(extensions))) return problemOf(errors);
    const shown = document === undefined ? (data["node"] ?? null) : isEmpty(data) ? null : data;
    // An entry that is damaged stays so. Any other error, such as a cost that is too high, is not the end of the event.
    const fault = shown === null && errors.find(({ extensions }) => !isDamage(extensions));
    if (fault) return problemOf([fault]);
    const told = errors.map(({ message, path, extensions }) => ({ message, path, code: extensions["code"] }));
    return { id, data: shown, ...(told.length === 0 ? {} : { errors: told }) };
  };
}

type Extensions = Readonly<Record<string, unknown>>;
const isDamage = ({ code, retryable }: Extensions) => code === "STORE_UNAVAILABLE" && retryable === false;
const isEmpty = (data: object) => Object.values(data).every((value) => value === null);

const mayPass = ({ code, retryable }: Extensions) =>
  retryable === true || code === "RATE_LIMITED" || code === "INTERNAL";

function problemOf(errors: readonly { message: string; extensions: Extensions }[]) {
  const [first] = errors;
  const seconds = first?.extensions["retryAfter"];
  const problem = `The event cannot be read: ${first ? String(first.extensions["code"]) : "no data"}.`;
  return { problem, retryAfterMs: typeof seconds === "number" ? seconds * 1000 : null };
}
