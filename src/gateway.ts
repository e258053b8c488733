// The composition root: a configuration in, a running gateway out. Each part is made in gateway/, in the order below, and
// stopped in the opposite order. Where a part cannot be made yet, the start waits and tries again.
import { createAuth } from "./auth/createAuth.ts";
import { displayedDatabase } from "./config/databaseUrls.ts";
import type { Base, GatewayConfig, GatewayOverrides } from "./gateway/base.ts";
import { createDestinations } from "./gateway/createDestinations.ts";
import { createAlerts } from "./gateway/createAlerts.ts";
import { createEvents } from "./gateway/createEvents.ts";
import { createGraphql } from "./gateway/createGraphql.ts";
import { createHistory } from "./gateway/createHistory.ts";
import { createProjections } from "./gateway/createProjections.ts";
import { createListener } from "./gateway/createListener.ts";
import { createServer, type ServerDeps } from "./gateway/createServer.ts";
import { createService } from "./gateway/createService.ts";
import { createStorage } from "./gateway/createStorage.ts";
import { createTasks } from "./gateway/createTasks.ts";
import { createWebhooks } from "./gateway/createWebhooks.ts";
import { watchSecret, watchSecrets } from "./gateway/liveSecrets.ts";
import { startBackgroundWork } from "./gateway/startBackgroundWork.ts";
import { createOwnRequests } from "./graphql/documents/ownRequests.ts";
import { readTrustedDocuments } from "./graphql/documents/trustedDocuments.ts";
import type { OperationPipeline } from "./graphql/operation.ts";
import type { Logger } from "./logger.ts";
import { createSubgraph } from "./schema/federation/subgraph.ts";
import { schema as wholeGraph } from "./schema/schema.ts";
import { createKnownAnswers } from "./server/graphql/knownAnswers.ts";
import { createMetrics } from "./server/metrics/metrics.ts";
import { noTracing, type Tracing } from "./tracing/tracing.ts";
import { createLoopTurns } from "./util/loopTurns.ts";
import { createWaiting } from "./util/start/waiting.ts";
import { createTimeSlices } from "./util/timeSlices.ts";
import { readVersion } from "./util/version.ts";

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

/** Throws a FinalError where a part can never be made; no part is left running then. */
export async function createGateway(
  config: GatewayConfig,
  log: Logger,
  overrides: GatewayOverrides = {},
): Promise<Gateway> {
  await using parts = new AsyncDisposableStack();
  const waiting = overrides.waiting ?? createWaiting({ log });
  const turns = createLoopTurns();
  const slices = createTimeSlices(turns);
  const tracing = parts.use(await openTracing(config, log));
  const metrics = await createMetrics({ host: config.host, port: config.metricsPort });
  const { observers } = metrics;
  const base = { config, overrides, observers, tracing, turns, slices, waiting, log };
  const listener = parts.use(createListener(base));
  // A proxy without health checks sends requests to a gateway that listens, so it listens early only if it has to wait.
  const made = parts.use(await waiting.until(() => createParts(base, { metrics, listener }), listener.listenEarly));
  const running = parts.move();
  return { ...made, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Throws an Error of one line where a part cannot be made now; no part is left running then. */
async function createParts(base: Base, server: Pick<ServerDeps, "metrics" | "listener">): Promise<Gateway> {
  await using parts = new AsyncDisposableStack();
  const { config, log } = base;
  const { trustedDocuments, introspection } = config;
  const schema = config.federation ? createSubgraph(wholeGraph) : wholeGraph;
  /** These may hold phone numbers that were erased. */
  const caches: { forget: () => void }[] = [];
  const onErased = () => caches.forEach((cache) => cache.forget());

  // Before the database is opened and migrated: a start that fails here leaves it usable by the version before.
  const findTrusted =
    trustedDocuments === null ? null : await readTrustedDocuments(trustedDocuments, { schema, introspection });
  const mcp =
    config.mcp && (await (await import("./mcp/createMcp.ts")).readMcp(config.mcp, { schema, introspection, log }));

  const secrets = parts.use(await watchSecrets(config, log));
  const storage = parts.use(await createStorage({ ...base, secrets }));
  const service = parts.use(await createService({ ...base, secrets, storage }));
  caches.push({ forget: () => service.client.invalidateAll() }, storage.assistants);
  const limits = { points: storage.store.rateLimits, signer: storage.signer, clock: storage.clock.now, log };
  const auth = parts.use(await createAuth(config, limits));
  const events = parts.use(await createEvents({ ...base, secrets, storage, service, onErased }));
  const webhooks = parts.use(createWebhooks({ ...base, secrets, storage, events }));
  const projections = parts.use(createProjections({ ...base, storage, events }));
  const tasks = parts.use(createTasks({ ...base, storage, service, auth, events, projections }));
  const ownRequests = createOwnRequests();
  const { trust } = ownRequests;
  const destinationDeps = { ...base, schema, findTrusted, trust, storage, events };
  const destinations = parts.use(await createDestinations(destinationDeps));
  const alerts = parts.use(await createAlerts({ ...base, storage, service, auth, events, destinations }));
  // These add events, which new destinations and rules get: they have their places by now.
  parts.use(startBackgroundWork({ ...base, storage, service, events, webhooks }));
  const history = parts.use(await createHistory({ ...base, storage, service, events }));
  const made = { ...base, secrets, storage, service, auth, events, projections, webhooks, history, tasks };
  const runnable = findTrusted && ownRequests.withOwn(findTrusted);
  const agentUses = mcp?.uses ?? (() => []);
  const graphqlDeps = {
    ...made,
    schema,
    findTrusted: runnable,
    destinations: destinations.service,
    alerts: alerts.service,
    agentUses,
  };
  const graphql = await createGraphql(graphqlDeps);
  destinations.start(graphql, alerts.told);
  const knownAnswers = findTrusted && createKnownAnswers();
  caches.push(graphql.pipeline, ...(knownAnswers ? [knownAnswers] : []));
  const { url } = parts.use(await createServer({ ...made, ...server, graphql, knownAnswers, mcp, trust }));

  const running = parts.move();
  return {
    url,
    hasNewDatabase: storage.store.isNew,
    database: displayedDatabase(secrets.databaseUrl()),
    operations: graphql.pipeline,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
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
