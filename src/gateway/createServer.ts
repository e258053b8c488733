// The HTTP server with its routes, WebSockets and metrics, and what limits connections to it.
import { fileURLToPath } from "node:url";
import type { Auth } from "../auth/createAuth.ts";
import { cacheCredentials } from "../auth/credentialCache.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../log.ts";
import { createBodyBudget } from "../server/body/bodyBudget.ts";
import { createCallbackClient } from "../server/callbacks/callbackClient.ts";
import { createCallbackSubscriptions } from "../server/callbacks/callbackSubscriptions.ts";
import { createConnectionGuard, guardAdmission, noConnectionGuard } from "../server/connections/connectionGuard.ts";
import { createConnectionQuota } from "../server/connections/connectionQuota.ts";
import { createRejections } from "../server/connections/rejections.ts";
import { createSlowReaders } from "../server/connections/slowReaders.ts";
import { createCounters } from "../server/counters.ts";
import { degradationOf } from "../server/routes/health.ts";
import { createHttpServer } from "../server/httpServer.ts";
import type { Metrics } from "../server/metrics/metrics.ts";
import { createOriginPolicy } from "../server/originPolicy.ts";
import { createConsoleFiles } from "../server/consoleFiles.ts";
import { createRequestEntry } from "../server/requestEntry.ts";
import { createConsoleRoutes } from "../server/routes/consoleRoute.ts";
import { createGraphqlRoute } from "../server/routes/graphqlRoute.ts";
import type { KnownAnswers } from "../server/routes/knownAnswers.ts";
import { createMisdirectedWebhooks } from "../server/routes/misdirectedWebhooks.ts";
import { createRecordingRoute } from "../server/routes/recordingRoute.ts";
import { createSessionRoute } from "../server/routes/sessionRoute.ts";
import { createWebhookRejectionLog, createWebhookRoute } from "../server/routes/webhookRoute.ts";
import type { Tracing } from "../tracing/tracing.ts";
import type { LoopTurns } from "../util/loopTurns.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { ParseCallEnded } from "../webhook/parse.ts";
import { createReceiver } from "../webhook/receive.ts";
import { HEARTBEAT } from "../websocket/heartbeat.ts";
import { createSocketServer } from "../websocket/socketServer.ts";
import type { Events } from "./createEvents.ts";
import type { Graphql } from "./createGraphql.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface Server extends AsyncDisposable {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
}

export interface ServerDeps {
  config: Pick<
    Config,
    | "host"
    | "port"
    | "trustedProxies"
    | "fastPath"
    | "auth"
    | "console"
    | "webhook"
    | "corsOrigins"
    | "callbackUrls"
    | "drainSeconds"
    | "logsRequests"
    | "rawDeliveryDays"
  >;
  /** The accepted values of a webhook's Authorization header. */
  accepted: () => readonly string[];
  storage: Storage;
  service: Service;
  metrics: Metrics;
  /** Folders of which the disks are watched, by the names that metrics give them. */
  folders: Readonly<Record<string, string>>;
  auth: Auth;
  events: Events;
  graphql: Graphql;
  parse: ParseCallEnded;
  /** Null: answers are not cacheable, because any document may run. */
  knownAnswers: KnownAnswers | null;
  /** Whether browsers are served GraphiQL. */
  graphiql: boolean;
  slices: TimeSlices;
  turns: Pick<LoopTurns, "accepted" | "afterAccepting">;
  tracing: Pick<Tracing, "request" | "messages">;
  clock: () => number;
  log: Log;
}

/** Where console/build/ puts the built console. */
const CONSOLE_FOLDER = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** Listens when it resolves. Throws an Error of one line where an address cannot be listened on. */
export async function createServer(deps: ServerDeps): Promise<Server> {
  const { config, storage, service, metrics, folders, auth, graphql, parse, graphiql, slices, turns } = deps;
  const { accepted, knownAnswers, tracing, clock, log } = deps;
  const { host, trustedProxies, fastPath } = config;
  const { events, newestEvents, addresses, recordingStorage } = deps.events;
  const { store } = storage;
  const { pipeline, subscribers, groups } = graphql;
  await using parts = new AsyncDisposableStack();

  const connectionGuard = trustedProxies > 0 ? noConnectionGuard : createConnectionGuard();
  const admit = guardAdmission(auth.admit, connectionGuard);
  const knowsViewers = config.auth.kind !== "open";
  const originPolicy = createOriginPolicy(config.corsOrigins, trustedProxies);
  const counters = createCounters(metrics.observers.server);
  const { path: webhookPath } = config.webhook;
  const keepsBodies = config.rawDeliveryDays > 0;
  const receiver = createReceiver({
    accepted,
    events,
    quarantine: store.quarantine,
    parse,
    keepsBodies,
    clock: storage.clock.entryNow,
    log,
  });
  const misdirected = parts.use(createMisdirectedWebhooks({ receiver, webhookPath, counters, log }));
  const rejections = createRejections(counters.rejections, connectionGuard, misdirected.observe);
  const shared = { pipeline, knowsViewers, trustedProxies, connectionQuota: createConnectionQuota(), counters, log };

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
    counters,
    store,
    events,
    clock: storage.clock,
    service: service.client,
    sockets,
    subscribers,
    groups,
    folders,
  };
  parts.use(await metrics.serve({ ...metered, log }));
  const webhookRejections = parts.use(createWebhookRejectionLog(log));
  const server = createHttpServer({
    entry: createRequestEntry({ trustedProxies, logsRequests: config.logsRequests, trace: tracing.request, log }),
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
    webhook: createWebhookRoute({ receiver, counters, connectionGuard, rejections: webhookRejections, log }),
    webhookPath,
    console: createConsoleRoutes(config.console ? createConsoleFiles(CONSOLE_FOLDER) : null),
    recordings: createRecordingRoute({
      addresses,
      recordings: store.recordings,
      storage: recordingStorage,
      holdsScope: auth.holdsScope,
      audit: store.audit,
      clock,
      connectionGuard,
      log,
    }),
    isReady: () => store.isWritable(),
    degradedBy: () => degradationOf(events, storage.clock),
    originPolicy,
    loopbackOnly: config.auth.kind === "open" && config.auth.byDefault,
    connectionGuard,
    slowReaders: createSlowReaders(),
    rejections,
    turns,
    log,
  });
  const url = await server.listen(host, config.port);
  parts.defer(() => server.close(config.drainSeconds * 1000));
  const running = parts.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
