// Destinations: ended calls go on to other systems, as the graph shows them to a viewer with the destination's scopes.
import type { ExecutionResult, GraphQLSchema } from "graphql";
import { lastingGrant } from "../auth/grant.ts";
import { watchFile } from "../auth/watchedFile.ts";
import {
  getsAlerts,
  getsCalls,
  isChat,
  readDestinations,
  type AnyDestination,
  type Destination,
} from "../destinations/destinationFile.ts";
import { placeAmongNotices, placeInLog, type EventPlaces, type NoticePlaces } from "../destinations/firstPlaces.ts";
import { testText } from "../destinations/alerts/alertMessages.ts";
import { chatMessage } from "../destinations/alerts/chats.ts";
import { createDestinationService, type DestinationService, type Tester } from "../destinations/destinationService.ts";
import type { ChangingList } from "../destinations/keepEach.ts";
import { startDestinations } from "../destinations/startDestinations.ts";
import { createAsItCameDeliverer } from "../destinations/asItCameDeliverer.ts";
import { createBrokerDeliverer } from "../destinations/brokers/brokerDeliverer.ts";
import { createHourDeliverer, FILE_TURNS, openTarget } from "../destinations/files/hourDeliverer.ts";
import { createEventDeliverer, type ReadEvent } from "../destinations/eventDeliverer.ts";
import { createHttpSender } from "../destinations/httpSender.ts";
import type { OwnRequests } from "../graphql/documents/ownRequests.ts";
import type { FindTrusted } from "../graphql/documents/trustedDocuments.ts";
import { CodedError } from "../errors.ts";
import { createEventCursors } from "../events/logEntry.ts";
import { maskText } from "../privacy/maskPhone.ts";
import { nodeId } from "../resolvers/nodeId.ts";
import { DAY_MS } from "../util/durations.ts";
import { createSemaphore } from "../util/semaphore.ts";
import { createSignal, type Signal } from "../util/signal.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Graphql } from "./createGraphql.ts";
import type { Storage } from "./createStorage.ts";
import { startToldAlerts } from "./toldAlerts.ts";
import { sourceOf } from "./destinationDocument.ts";
import { createDestinationRules, destinationHosts } from "./destinationRules.ts";

export interface DestinationsDeps extends Base {
  schema: GraphQLSchema;
  /** Null: any document may run. */
  findTrusted: FindTrusted | null;
  trust: OwnRequests["trust"];
  storage: Storage;
  events: Events;
}

export interface Destinations extends AsyncDisposable {
  service: DestinationService;
  /** The file's content as of now, and what tells of its changes. */
  file: ChangingList<AnyDestination>;
  /** Begins to deliver. Call it once. `told`: notified when an alert may have been told. */
  start(graphql: Graphql, told: Signal): void;
}

const NO_FILE = { current: (): readonly AnyDestination[] => [], onChange: () => () => undefined };

/** Throws an Error of one line while DESTINATIONS_FILE cannot be read, and a FinalError if its content is wrong. */
export async function createDestinations(deps: DestinationsDeps): Promise<Destinations> {
  const { config, overrides, schema, findTrusted, trust, storage, events, observers, log } = deps;
  const { file } = config.destinations;
  await using parts = new AsyncDisposableStack();
  const hosts = destinationHosts(config.destinations);
  const { queryBudget, logBudget } = config;
  const keepsBodies = config.rawDeliveryDays > 0;
  const rules = createDestinationRules({ schema, hosts, keepsBodies, findTrusted, queryBudget, logBudget });
  const read = (path: string) => readDestinations(path, rules);
  const watched =
    file === null ? NO_FILE : parts.use(await watchFile({ file, variable: "DESTINATIONS_FILE", read, log }));
  const sender = parts.use(createHttpSender({ rules: hosts }));
  const turns = createSemaphore(FILE_TURNS);
  const clock = storage.clock.now;
  const { destinations: store, leases, rawDeliveries } = storage.store;
  const { promise: graphql, resolve } = Promise.withResolvers<Graphql>();
  const readEvent: ReadEvent = async (...asked) => createReadEvent(await graphql, trust)(...asked);
  const shared = {
    createDeliverer(destination: Destination) {
      if (destination.kind === "folder" || destination.kind === "bucket")
        return createHourDeliverer(destination, {
          readEvent,
          target: openTarget(destination, { rules: hosts }),
          erasures: storage.store.events.erasureCount,
          turns,
        });
      if (destination.kind === "broker")
        return createBrokerDeliverer(destination, { readEvent, clock, options: { rules: hosts } });
      return destination.kind === "event"
        ? createEventDeliverer(destination, { send: sender.send, readEvent, clock })
        : createAsItCameDeliverer(destination, { send: sender.send, rawDeliveries });
    },
    events: events.events,
    cursors: createEventCursors(storage.signer),
    store,
    changed: createSignal(),
    mask: maskText,
    clock,
  };
  function createTester(destination: AnyDestination): Tester {
    if (!isChat(destination)) return shared.createDeliverer(destination);
    const message = () => chatMessage(destination, { text: testText(destination.language), link: null, now: clock() });
    return { test: (signal) => sender.send(message(), signal), async [Symbol.asyncDispose]() {} };
  }
  const { readers, alerts } = storage.store;
  await placeNew(watched.current(), { ...shared, readers, head: alerts.noticeHead });
  const running = parts.move();
  return {
    service: createDestinationService({ ...shared, definitions: watched.current, createTester, readers, alerts }),
    file: watched,
    start(made, told) {
      resolve(made);
      const retentionMs = config.retentionDays * DAY_MS;
      const own = {
        ...shared,
        retentionMs,
        ...overrides.destinationTimes,
        leases,
        observer: observers.destinations,
        log,
      };
      if (file === null) return;
      running.use(startDestinations({ ...own, file: watched }));
      running.use(startToldAlerts({ ...deps, file: watched, send: sender.send, told }));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Before the gateway listens and its rules raise alerts: a new destination gets all of both. */
async function placeNew(destinations: readonly AnyDestination[], places: EventPlaces & NoticePlaces): Promise<void> {
  async function place(destination: AnyDestination): Promise<void> {
    if (getsAlerts(destination)) await placeAmongNotices(destination.name, places);
    if (!getsCalls(destination)) return;
    await placeInLog(destination, places).catch((error: unknown) => {
      // Its delivery reports this, and the others begin.
      if (!(error instanceof CodedError) || error.code !== "CURSOR_INVALID") throw error;
    });
  }
  await Promise.all(destinations.filter(({ enabled }) => enabled).map(place));
}

/** Runs in the pipeline, so that scopes and masks are those of every viewer. */
function createReadEvent({ pipeline }: Graphql, trust: OwnRequests["trust"]): ReadEvent {
  return async ({ sessionId, revision }, destination, signal) => {
    const id = nodeId("CallEnded", sessionId, String(revision));
    const { name, scopes, document } = destination;
    const grant = lastingGrant({ name: `destination ${name}`, scopes: new Set(scopes), limits: null, access: null });
    const request =
      document === undefined
        ? trust({ query: sourceOf(destination), variables: { id } })
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
