// The routes of the HTTP server, its WebSockets and the metrics.
import { fileURLToPath } from "node:url";
import type { Auth } from "../auth/createAuth.ts";
import { cacheCredentials } from "../auth/credentialCache.ts";
import type { Config } from "../config/config.ts";
import { createEventCursors } from "../events/logEntry.ts";
import type { Logger } from "../logger.ts";
import { createBodyBudget } from "../server/body/bodyBudget.ts";
import { createCallbackClient } from "../server/callbacks/callbackClient.ts";
import { createCallbackSubscriptions } from "../server/callbacks/callbackSubscriptions.ts";
import { guardAdmission } from "../server/connections/connectionGuard.ts";
import { createConnectionQuota } from "../server/connections/connectionQuota.ts";
import { degradationOf } from "../server/routes/health.ts";
import type { Metrics } from "../server/metrics/metrics.ts";
import { createClientFile } from "../server/clientFile.ts";
import { createConsoleFiles } from "../server/consoleFiles.ts";
import { createClientRoute } from "../server/routes/clientRoute.ts";
import { createConsoleRoutes } from "../server/routes/consoleRoute.ts";
import { createGraphqlRoute } from "../server/graphql/graphqlRoute.ts";
import type { KnownAnswers } from "../server/graphql/knownAnswers.ts";
import { createMisdirectedWebhooks } from "../server/routes/misdirectedWebhooks.ts";
import { createPlayLimits, createPlayLog } from "../server/routes/playLimits.ts";
import { createRecordingRoute } from "../server/routes/recordingRoute.ts";
import { createSessionRoute } from "../server/routes/sessionRoute.ts";
import { createWebhookRoute } from "../server/routes/webhookRoute.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { readVersion } from "../util/version.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { Waiting } from "../util/start/waiting.ts";
import type { ParseCallEnded } from "../webhook/parse.ts";
import { createReceiver } from "../webhook/receive.ts";
import type { EarlyEvents } from "../webhook/earlyEvents.ts";
import type { WhyNoEnd } from "../webhook/endRule.ts";
import { createSeenEventNames } from "../webhook/seenEventNames.ts";
import { watchTimes, type TimeZoneWatch } from "../webhook/timeZoneWatch.ts";
import type { WebhookArrivals } from "../webhook/webhookArrivals.ts";
import { HEARTBEAT } from "../websocket/heartbeat.ts";
import { createSocketServer } from "../websocket/socketServer.ts";
import type { Events } from "./createEvents.ts";
import type { Graphql } from "./createGraphql.ts";
import type { Listener } from "./createListener.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface Server extends AsyncDisposable {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
}

export interface ServerDeps {
  config: Pick<
    Config,
    "trustedProxies" | "fastPath" | "auth" | "console" | "webhook" | "callbackUrls" | "rawDeliveryDays" | "reconcile"
  >;
  /** The accepted values of a webhook's Authorization header. */
  accepted: () => readonly string[];
  listener: Listener;
  storage: Storage;
  service: Service;
  metrics: Metrics;
  /** Folders of which the disks are watched, by the names that metrics give them. */
  folders: Readonly<Record<string, string>>;
  auth: Auth;
  events: Events;
  graphql: Graphql;
  parse: ParseCallEnded;
  whyNoEnd: WhyNoEnd;
  earlyEvents: EarlyEvents;
  timeZoneWatch: TimeZoneWatch;
  arrivals: WebhookArrivals;
  /** Null: answers are not cacheable, because any document may run. */
  knownAnswers: KnownAnswers | null;
  /** Whether browsers are served GraphiQL. */
  graphiql: boolean;
  slices: TimeSlices;
  tracing: Pick<Tracing, "messages">;
  waiting: Waiting;
  clock: () => number;
  log: Logger;
}

/** Where console/build/ puts the built console. */
const CONSOLE_FOLDER = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** Where client/build/ puts the packed client. */
const CLIENT_FILE = fileURLToPath(new URL("../../client/packed/client.tgz", import.meta.url));

/** Serves when it resolves. Throws a FinalError where an address cannot be listened on. */
export async function createServer(deps: ServerDeps): Promise<Server> {
  const { config, storage, service, metrics, folders, auth, graphql, parse, whyNoEnd, earlyEvents, graphiql } = deps;
  const { listener, accepted, timeZoneWatch, arrivals, knownAnswers, slices, tracing, waiting, clock, log } = deps;
  const { trustedProxies, fastPath } = config;
  const { connectionGuard, originPolicy, rejections } = listener;
  const observer = metrics.observers.server;
  const { events, newestEvents, addresses, recordingStorage } = deps.events;
  const { store } = storage;
  const { pipeline, subscribers, groups } = graphql;
  await using parts = new AsyncDisposableStack();

  const admit = guardAdmission(auth.admit, connectionGuard);
  const knowsViewers = config.auth.kind !== "open";
  const { path: webhookPath } = config.webhook;
  const keepsBodies = config.rawDeliveryDays > 0;
  const receiver = parts.use(
    createReceiver({
      accepted,
      events: watchTimes(events, timeZoneWatch, clock),
      quarantine: store.quarantine,
      parse,
      whyNoEnd,
      earlyEvents,
      eventNames: createSeenEventNames({ store: store.eventNames, log }),
      keepsBodies,
      clock: storage.clock.entryNow,
      log,
    }),
  );
  const shared = { pipeline, knowsViewers, trustedProxies, connectionQuota: createConnectionQuota(), observer, log };

  const sockets = parts.use(
    createSocketServer({
      ...shared,
      pipeline: tracing.messages(pipeline),
      admit,
      originPolicy,
      heartbeatTimes: HEARTBEAT,
      rejections,
      slices,
    }),
  );
  const callbacks = parts.use(
    createCallbackSubscriptions({ ...shared, allowed: config.callbackUrls, client: createCallbackClient() }),
  );
  const metered = {
    store,
    events,
    clock: storage.clock,
    timeZoneWatch,
    service: service.client,
    sockets,
    subscribers,
    groups,
    folders,
  };
  const { intervalMs: reconcileIntervalMs } = config.reconcile;
  const { parse: positionOf } = createEventCursors(storage.signer);
  parts.use(await metrics.serve({ ...metered, positionOf, reconcileIntervalMs, now: clock, waiting, log }));
  const routes = {
    graphql: createGraphqlRoute({
      ...shared,
      admit: knowsViewers ? cacheCredentials(admit) : admit,
      fastPath,
      runAsCallback: callbacks.handle,
      caching: knownAnswers && { knownAnswers, events: newestEvents, signer: storage.signer },
      failureLimit: auth.failureLimit,
      bodyBudget: createBodyBudget(),
      originPolicy,
      slices,
      graphiql,
    }),
    sockets,
    callbacks,
    session: createSessionRoute({ admit, sessions: auth.sessions, originPolicy, trustedProxies, clock, log }),
    webhook: createWebhookRoute({ receiver, observer, connectionGuard, arrivals, log }),
    webhookPath,
    client: createClientRoute(createClientFile(CLIENT_FILE), await readVersion()),
    console: createConsoleRoutes(config.console ? createConsoleFiles(CONSOLE_FOLDER) : null),
    recordings: createRecordingRoute({
      addresses,
      recordings: store.recordings,
      storage: recordingStorage,
      holdsScope: auth.holdsScope,
      audit: store.audit,
      clock,
      connectionGuard,
      limits: createPlayLimits(auth.requestLimits),
      plays: parts.use(createPlayLog(log)),
      trustedProxies,
      log,
    }),
    isReady: () => store.isWritable(),
    degradedBy: () => degradationOf(events, storage.clock, timeZoneWatch),
  };
  const url = await listener.listen();
  listener.serve(routes, createMisdirectedWebhooks({ receiver, observer, arrivals }));
  parts.use(listener);
  const running = parts.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
