// The routes of the HTTP server, its WebSockets and the metrics.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Auth } from "../auth/createAuth.ts";
import { cacheCredentials } from "../auth/credentialCache.ts";
import { createEventCursors } from "../events/logEntry.ts";
import { createBodyBudget } from "../server/body/bodyBudget.ts";
import { createCallbackClient } from "../server/callbacks/callbackClient.ts";
import { createCallbackSubscriptions } from "../server/callbacks/callbackSubscriptions.ts";
import { guardAdmission } from "../server/connections/connectionGuard.ts";
import { createConnectionQuota } from "../server/connections/connectionQuota.ts";
import { degradationOf } from "../server/routes/health.ts";
import type { Metrics } from "../server/metrics/metrics.ts";
import { fileOfDatabase } from "../config/databaseUrls.ts";
import { createClientFile } from "../server/clientFile.ts";
import { createClientRoute } from "../server/routes/clientRoute.ts";
import { createConsoleRoutes } from "../server/routes/consoleRoute.ts";
import { createGraphqlRoute } from "../server/graphql/graphqlRoute.ts";
import type { KnownAnswers } from "../server/graphql/knownAnswers.ts";
import { createMisdirectedWebhooks } from "../server/routes/misdirectedWebhooks.ts";
import { createPlayLimits, createPlayLog } from "../server/routes/playLimits.ts";
import { createRecordingRoute } from "../server/routes/recordingRoute.ts";
import { createDocsRoute } from "../server/routes/docsRoute.ts";
import { createSessionRoute } from "../server/routes/sessionRoute.ts";
import { createWebhookRoute } from "../server/routes/webhookRoute.ts";
import { observeOperations } from "../server/serverObserver.ts";
import { createStaticFiles } from "../server/staticFiles.ts";
import { readVersion } from "../util/version.ts";
import { createReceiver } from "../webhook/receive.ts";
import { createSeenEventNames } from "../webhook/seenEventNames.ts";
import { watchTimes } from "../webhook/timeZoneWatch.ts";
import { HEARTBEAT } from "../websocket/heartbeat.ts";
import { createSocketServer } from "../websocket/socketServer.ts";
import type { Base } from "./base.ts";
import type { OwnRequests } from "../graphql/documents/ownRequests.ts";
import type { McpTools } from "../mcp/createMcp.ts";
import type { Events } from "./createEvents.ts";
import type { Graphql } from "./createGraphql.ts";
import type { Listener } from "./createListener.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";
import type { Webhooks } from "./createWebhooks.ts";
import type { LiveSecrets } from "./liveSecrets.ts";

export interface Server extends AsyncDisposable {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
}

export interface ServerDeps extends Base {
  listener: Listener;
  metrics: Metrics;
  secrets: LiveSecrets;
  storage: Storage;
  service: Service;
  auth: Auth;
  webhooks: Webhooks;
  events: Events;
  graphql: Graphql;
  /** Null: answers are not cacheable, because any document may run. */
  knownAnswers: KnownAnswers | null;
  /** Null: /mcp is off. */
  mcp: McpTools | null;
  /** Lets a request of the gateway itself run where only trusted documents do. */
  trust: OwnRequests["trust"];
}

/** Where console/build/ puts the built console. */
const CONSOLE_FOLDER = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** Where site/build/ puts the documentation. */
const SITE_FOLDER = fileURLToPath(new URL("../../site/dist", import.meta.url));

/** Where client/build/ puts the packed client. */
const CLIENT_FILE = fileURLToPath(new URL("../../client/packed/client.tgz", import.meta.url));

/** Serves when it resolves. Throws a FinalError where an address cannot be listened on. */
export async function createServer(deps: ServerDeps): Promise<Server> {
  const { config, listener, metrics, secrets, storage, service, auth, webhooks, graphql, knownAnswers } = deps;
  const { observers, slices, tracing, waiting, log } = deps;
  const { trustedProxies, fastPath } = config;
  const { parse, whyNoEnd, keepsBodies, earlyEvents, timeZoneWatch, arrivals } = webhooks;
  const { connectionGuard, originPolicy, rejections } = listener;
  const observer = observers.server;
  const clock = storage.clock.now;
  const { events, newestEvents, addresses, recordingStorage } = deps.events;
  const { store } = storage;
  const { pipeline, subscribers, groups } = graphql;
  await using parts = new AsyncDisposableStack();

  const admit = guardAdmission(auth.admit, connectionGuard);
  const knowsViewers = config.auth.kind !== "open";
  const receiver = parts.use(
    createReceiver({
      accepted: secrets.accepted,
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
    folders: foldersOf(config, secrets.databaseUrl()),
  };
  const { intervalMs: reconcileIntervalMs } = config.reconcile;
  const { parse: positionOf } = createEventCursors(storage.signer);
  parts.use(await metrics.serve({ ...metered, positionOf, reconcileIntervalMs, now: clock, waiting, log }));
  const bodyBudget = createBodyBudget();
  const admitRequest = knowsViewers ? cacheCredentials(admit) : admit;
  const mcp = deps.mcp?.serve({
    ...shared,
    pipeline: observeOperations(pipeline, observer, "mcp"),
    trust: deps.trust,
    admit: admitRequest,
    failureLimit: auth.failureLimit,
    bodyBudget,
    originPolicy,
    slices,
    hasConsole: config.pages.console,
    publicUrl: config.publicUrl,
    issuer: config.auth.kind === "known" ? (config.auth.tokens?.issuer ?? null) : null,
    version: await readVersion(),
  });
  if (mcp) parts.defer(mcp.close);
  const routes = {
    graphql: createGraphqlRoute({
      ...shared,
      admit: admitRequest,
      fastPath,
      runAsCallback: callbacks.handle,
      caching: knownAnswers && { knownAnswers, events: newestEvents, signer: storage.signer },
      failureLimit: auth.failureLimit,
      bodyBudget,
      originPolicy,
      slices,
      graphiql: config.introspection && knownAnswers === null,
    }),
    sockets,
    callbacks,
    session: createSessionRoute({ admit, sessions: auth.sessions, originPolicy, trustedProxies, clock, log }),
    webhook: createWebhookRoute({ receiver, observer, connectionGuard, arrivals, tests: webhooks.tests, log }),
    webhookPath: config.webhook.path,
    client: createClientRoute(createClientFile(CLIENT_FILE), await readVersion()),
    console: createConsoleRoutes(config.pages.console ? createStaticFiles(CONSOLE_FOLDER) : null, {
      docs: config.pages.docs,
      sandbox: config.reportsRequests,
    }),
    docs: createDocsRoute(config.pages.docs ? createStaticFiles(SITE_FOLDER) : null),
    mcp: mcp?.route ?? null,
    mcpMetadata: mcp?.metadata ?? null,
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
      slices,
      trustedProxies,
      log,
    }),
    isReady: () => store.isWritable(),
    degradedBy: () => degradationOf(events, storage.clock, timeZoneWatch),
  };
  const url = await listener.listen();
  listener.serve(routes, createMisdirectedWebhooks({ receiver, observer, arrivals }));
  parts.use(listener);
  // Before the drain: what waits for events ends at once.
  if (mcp) parts.use(mcp);
  const running = parts.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Folders that can fill up, by the names that metrics give them. PostgreSQL watches its own disk. */
function foldersOf({ recordings }: Base["config"], databaseUrl: string): Record<string, string> {
  const file = fileOfDatabase(databaseUrl);
  return { ...(file !== null && { database: dirname(file) }), recordings: recordings.directory };
}
