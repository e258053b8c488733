// The composition root: a configuration in, a running gateway out. Each part is made in gateway/, in the order below, and
// stopped in the opposite order. Where a part cannot be made yet, the start waits and tries again.
import { dirname } from "node:path";
import { createAuth } from "./auth/createAuth.ts";
import { displayedDatabase } from "./config/databaseUrls.ts";
import { isLoopback, type Config, type UpstreamConfig } from "./config/config.ts";
import type { PurgeTimes } from "./events/retention.ts";
import { createEvents } from "./gateway/createEvents.ts";
import { createGraphql } from "./gateway/createGraphql.ts";
import { createListener, type Listener } from "./gateway/createListener.ts";
import { createServer } from "./gateway/createServer.ts";
import { createService } from "./gateway/createService.ts";
import { createStorage } from "./gateway/createStorage.ts";
import { watchSecret, watchSecrets } from "./gateway/liveSecrets.ts";
import { createTasks } from "./gateway/createTasks.ts";
import { startBackgroundWork } from "./gateway/startBackgroundWork.ts";
import type { OperationPipeline } from "./graphql/operation.ts";
import { readTrustedDocuments } from "./graphql/documents/trustedDocuments.ts";
import type { Logger } from "./logger.ts";
import { createSubgraph } from "./schema/federation/subgraph.ts";
import { schema as wholeGraph } from "./schema/schema.ts";
import { createKnownAnswers } from "./server/graphql/knownAnswers.ts";
import { createMetrics, type Metrics } from "./server/metrics/metrics.ts";
import type { Store } from "./store/store.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { noTracing, type Tracing } from "./tracing/tracing.ts";
import { createLoopTurns, type LoopTurns } from "./util/loopTurns.ts";
import { createTimeSlices } from "./util/timeSlices.ts";
import { createWaiting, type Waiting } from "./util/start/waiting.ts";
import { readVersion } from "./util/version.ts";
import { createEarlyEvents } from "./webhook/earlyEvents.ts";
import { createEndRule } from "./webhook/endRule.ts";
import { createParseCallEnded } from "./webhook/parse.ts";
import { createTimeZoneWatch } from "./webhook/timeZoneWatch.ts";
import { createWebhookArrivals } from "./webhook/webhookArrivals.ts";
import { DAY_MS } from "./util/durations.ts";

/** Config with the service filled in: where none is configured, it is the sandbox. */
export interface GatewayConfig extends Omit<Config, "sandbox" | "upstream" | "logLevel"> {
  upstream: UpstreamConfig;
}

export interface Gateway extends AsyncDisposable {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
  /** Whether its start created the database. */
  hasNewDatabase: boolean;
  /** The database, as people may read it. */
  database: string;
  /** The pipeline of every operation, for this process. */
  operations: OperationPipeline;
}

export interface GatewayOverrides {
  /** How a start waits. By default nothing ends its waiting. */
  waiting?: Waiting;
  // Parts that a test replaces.
  store?: Store;
  upstream?: Upstream;
  /** The machine's clock. */
  clock?: () => number;
  /** The clock runs faster than time. */
  isClockSimulated?: boolean;
  /** When expired data is deleted. */
  purgeTimes?: PurgeTimes;
}

/** Throws a FinalError where a part can never be made; no part is left running then. */
export async function createGateway(
  config: GatewayConfig,
  log: Logger,
  overrides: GatewayOverrides = {},
): Promise<Gateway> {
  await using parts = new AsyncDisposableStack();
  const waiting = overrides.waiting ?? createWaiting({ log });
  const turns = createLoopTurns();
  const tracing = parts.use(await openTracing(config, log));
  const metrics = await createMetrics({ host: config.host, port: config.metricsPort });
  const { observers } = metrics;
  const listener = parts.use(createListener({ config, observers, turns, tracing, waiting, log }));
  const deps = { config, overrides, waiting, turns, tracing, metrics, listener, log };
  // A proxy without health checks sends requests to a gateway that listens, so it listens early only if it has to wait.
  const made = parts.use(await waiting.until(() => createParts(deps), listener.listenEarly));
  const running = parts.move();
  return { ...made, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

interface PartsDeps {
  config: GatewayConfig;
  overrides: GatewayOverrides;
  waiting: Waiting;
  turns: LoopTurns;
  tracing: Tracing;
  metrics: Metrics;
  listener: Listener;
  log: Logger;
}

/** Throws an Error of one line where a part cannot be made now; no part is left running then. */
async function createParts(deps: PartsDeps): Promise<Gateway> {
  await using parts = new AsyncDisposableStack();
  const { config, overrides, waiting, turns, tracing, metrics, listener, log } = deps;
  const { upstream, requests, recordings, reconcile, taskCorrelation, taskDays } = config;
  const { trustedDocuments, introspection, databaseMustExist } = config;
  const { timeZone } = upstream;
  const schema = config.federation ? createSubgraph(wholeGraph) : wholeGraph;
  const retentionMs = config.retentionDays * DAY_MS;
  const rawRetentionMs = config.rawDeliveryDays * DAY_MS;
  const slices = createTimeSlices(turns);
  const parse = createParseCallEnded(timeZone);
  const whyNoEnd = createEndRule(config.webhook.eventNames);
  /** These may hold phone numbers that were erased. */
  const caches: { forget: () => void }[] = [];
  const onErased = () => caches.forEach((cache) => cache.forget());

  // Before the database is opened and migrated: a start that fails here leaves it usable by the version before.
  const findTrusted =
    trustedDocuments === null ? null : await readTrustedDocuments(trustedDocuments, { schema, introspection });

  const secrets = parts.use(await watchSecrets(config, log));
  const { observers } = metrics;
  const { databaseUrl, bucketKeys } = secrets;
  const storage = parts.use(
    await createStorage({
      ...config,
      databaseUrl,
      databaseMustExist,
      store: overrides.store,
      slices,
      observer: observers.store,
      clock: overrides.clock ?? Date.now,
      clockConfirmedOn: config.clockConfirmedOn,
      retentionMs,
      isClockSimulated: overrides.isClockSimulated ?? false,
      isServiceElsewhere: !isLoopback(new URL(upstream.url).hostname),
      log,
    }),
  );
  const clock = storage.clock.now;
  const service = parts.use(
    await createService({
      storage,
      upstream,
      requests,
      token: secrets.token,
      proxy: secrets.proxy,
      client: overrides.upstream,
      tracing,
      observer: observers.upstream,
      log,
    }),
  );
  caches.push({ forget: () => service.client.invalidateAll() }, storage.assistants);
  const auth = parts.use(
    await createAuth(config, { points: storage.store.rateLimits, signer: storage.signer, clock, log }),
  );
  const data = { storage, service, observers, clock, log };
  const timeZoneWatch = createTimeZoneWatch({ timeZone, log });
  const arrivals = parts.use(createWebhookArrivals({ webhookPath: config.webhook.path, clock, log }));
  const events = parts.use(
    await createEvents({ ...data, recordings, databaseMustExist, bucketKeys, retentionMs, onErased, tracing }),
  );
  const keepsBodies = config.rawDeliveryDays > 0;
  const { quarantine } = storage.store;
  const earlyEvents = createEarlyEvents({ events: events.events, quarantine, parse, keepsBodies });
  parts.use(
    startBackgroundWork({
      ...data,
      events,
      earlyEvents,
      reconcile,
      timeZone,
      retentionMs,
      rawRetentionMs,
      purgeTimes: overrides.purgeTimes,
    }),
  );
  const tasks = parts.use(
    createTasks({ ...data, auth, events, taskCorrelation, taskDays, timeoutMs: requests.timeoutMs, timeZone, slices }),
  );
  const graphql = await createGraphql({
    ...data,
    config,
    schema,
    auth,
    events,
    tasks,
    parse,
    whyNoEnd,
    timeZoneWatch,
    arrivals,
    findTrusted,
    slices,
    tracing,
  });
  caches.push(graphql.pipeline);
  const graphiql = introspection && findTrusted === null;
  const knownAnswers = findTrusted && createKnownAnswers();
  if (knownAnswers) caches.push(knownAnswers);
  const server = parts.use(
    await createServer({
      ...data,
      listener,
      metrics,
      folders: foldersOf(config, databaseUrl()),
      config,
      accepted: secrets.accepted,
      auth,
      events,
      graphql,
      parse,
      whyNoEnd,
      earlyEvents,
      timeZoneWatch,
      arrivals,
      knownAnswers,
      graphiql,
      slices,
      tracing,
      waiting,
    }),
  );

  const running = parts.move();
  const { isNew: hasNewDatabase } = storage.store;
  const [database, operations] = [displayedDatabase(databaseUrl()), graphql.pipeline];
  const dispose = () => running.disposeAsync();
  return { url: server.url, hasNewDatabase, database, operations, [Symbol.asyncDispose]: dispose };
}

/** OpenTelemetry is loaded only if its variables ask for it. */
async function openTracing(config: GatewayConfig, log: Logger): Promise<Tracing> {
  const { tracing, trustedProxies } = config;
  if (tracing === null) return noTracing;
  const { startTracing } = await import("./tracing/startTracing.ts");
  const file = await watchSecret("OTEL_EXPORTER_OTLP_HEADERS", config, log);
  const headers = () => file?.current() ?? tracing.headers ?? "";
  const started = startTracing({ ...tracing, headers, trustedProxies, version: await readVersion(), log });
  const stop = async () => {
    await started[Symbol.asyncDispose]();
    await file?.[Symbol.asyncDispose]();
  };
  return { ...started, [Symbol.asyncDispose]: stop };
}

/** Folders that can fill up, by the names that metrics give them. PostgreSQL watches its own disk. */
function foldersOf({ recordings }: GatewayConfig, databaseUrl: string): Record<string, string> {
  const isFile = databaseUrl.startsWith("file:");
  return { ...(isFile && { database: dirname(databaseUrl.slice("file:".length)) }), recordings: recordings.directory };
}
