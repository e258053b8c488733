// The composition root: config in, a running gateway out. The only file that wires one.
import { createAuth } from "./auth/createAuth.ts";
import { limitTaskCreation, requestLimitKey, rowLimitKey } from "./auth/rateLimits.ts";
import { cacheCredentials } from "./auth/credentialCache.ts";
import type { Config, UpstreamConfig } from "./config/config.ts";
import type { Services } from "./resolvers/context.ts";
import { createSignal } from "./util/signal.ts";
import { openEventLog } from "./events/eventLog.ts";
import { startDurableReader } from "./events/durableReader.ts";
import { startRetention } from "./events/retention.ts";
import { createBodyBudget } from "./server/body/bodyBudget.ts";
import { createConnectionGuard, noConnectionGuard, guardAdmission } from "./server/connections/connectionGuard.ts";
import { createExecutor } from "./graphql/executor/executor.ts";
import { createGraphqlRoute } from "./server/routes/graphqlRoute.ts";
import { HEARTBEAT } from "./websocket/heartbeat.ts";
import { startMetrics } from "./server/metrics.ts";
import { createRejections } from "./server/connections/rejections.ts";
import { createOperationPipeline } from "./graphql/pipeline.ts";
import { createOriginPolicy } from "./server/originPolicy.ts";
import { createConnectionQuota } from "./server/connections/connectionQuota.ts";
import { createHttpServer } from "./server/httpServer.ts";
import { createRecordingRoute } from "./server/routes/recordingRoute.ts";
import { createSlowReaders } from "./server/connections/slowReaders.ts";
import { createSocketServer } from "./websocket/socketServer.ts";
import { createWebhookRejections } from "./server/routes/webhookRejections.ts";
import { createSubscriberCount } from "./graphql/subscriptions/subscriberCount.ts";
import { createWebhookRoute } from "./server/routes/webhookRoute.ts";
import { readTrustedDocuments } from "./graphql/documents/trustedDocuments.ts";
import { batchByKey } from "./loaders/batchByKey.ts";
import { lazyLoader } from "./loaders/onceByKey.ts";
import { createLoaderFactory } from "./loaders/loaders.ts";
import type { Log } from "./log.ts";
import { createCounters } from "./server/counters.ts";
import { createRecordingAddresses } from "./recordings/recordingAddress.ts";
import { openArchive } from "./recordings/archive.ts";
import { openStorage } from "./recordings/openStorage.ts";
import { createHostRules } from "./recordings/hostRules.ts";
import { schema } from "./schema/schema.ts";
import { createForgetPhone } from "./privacy/erasePhone.ts";
import { createSigner } from "./util/hmac.ts";
import { createTimeSlices } from "./util/timeSlices.ts";
import { startReconciler } from "./reconcile/reconciler.ts";
import { openStore, type Store } from "./store/store.ts";
import { createTaskRegistry } from "./tasks/taskRegistry.ts";
import { createAssistantRegistry, nameOf } from "./tasks/assistantRegistry.ts";
import { startCorrelation } from "./tasks/startCorrelation.ts";
import { createCorrelator } from "./tasks/correlator.ts";
import { createCorrelationTokens } from "./tasks/correlationToken.ts";
import { createSubmissionService } from "./tasks/submissionService.ts";
import { createSubmitTask } from "./tasks/submitTask.ts";
import { observeTasks } from "./tasks/observeTasks.ts";
import { createRequester } from "./upstream/requester.ts";
import { createTaskProgress } from "./tasks/taskProgress.ts";
import { createUpstream } from "./upstream/upstreamClient.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { readVersion } from "./util/version.ts";
import { createParseCallEnded } from "./webhook/parse.ts";
import { createReceiver } from "./webhook/receive.ts";
import { createReprocess } from "./webhook/reprocess.ts";

/** What a gateway is made of: Config with the sandbox's part, where there is one, already filled in. */
export interface GatewayConfig extends Omit<Config, "sandbox" | "upstream" | "logLevel"> {
  upstream: UpstreamConfig;
}

export interface Gateway extends AsyncDisposable {
  /** Where it listens, such as http://127.0.0.1:4000. */
  url: string;
}

/** Parts that a test may bring its own of. */
export interface GatewayOverrides {
  store?: Store;
  upstream?: Upstream;
  clock?: () => number;
}

const DAY_MS = 86_400_000;
/** How long a subscription's reader waits for anything new before its cursor is moved on. */
const CHECKPOINT_MS = 30_000;

/** Beyond the deadline of a request: how long the lease of a gateway that was killed while it sent may still run. */
const LEASE_MARGIN_MS = 30_000;

/** Throws an Error of one line where a part cannot be had; nothing is left running then. */
export async function createGateway(
  config: GatewayConfig,
  log: Log,
  overrides: GatewayOverrides = {},
): Promise<Gateway> {
  await using parts = new AsyncDisposableStack();
  const clock = overrides.clock ?? Date.now;
  const slices = createTimeSlices();
  const { trustedDocuments: manifest, introspection } = config;
  // Before the database is opened, which a newer version brings up to date: who goes back to the older one must be able to.
  const findTrusted = manifest === null ? null : await readTrustedDocuments(manifest, { schema, introspection });
  const { timeZone } = config.upstream;
  const store = parts.use(overrides.store ?? (await openStore({ url: config.databaseUrl, log })));
  const knownTasks = parts.use(createTaskRegistry({ store: store.knownTasks, clock, log }));
  const assistants = parts.use(createAssistantRegistry({ store: store.knownAssistants, clock, log }));
  const service = parts.use(overrides.upstream ?? createUpstream({ ...config.upstream, ...config.requests, log }));
  const upstream = observeTasks(service, (task) => {
    knownTasks.see(task);
    if (task.assistantRef) assistants.see(task.assistantRef, task.assistant);
  });
  const door = config.trustedProxies > 0 ? noConnectionGuard : createConnectionGuard();
  const {
    requestLimits: rates,
    rowLimits: rowRates,
    failureLimit: refusals,
    holdsScope,
    ...auth
  } = parts.use(await createAuth(config, store.points, log));
  const admit = guardAdmission(auth.admit, door);
  const seal = createSigner(store.sealKey);
  const { damaged, leases, readers, openCalls, recordings, submissions, metTasks, quarantine } = store;
  /** What parts remember for a while and may hold a number that was erased. */
  const memories: { forget: () => void }[] = [{ forget: () => service.invalidateAll() }];
  const onEvent = ({ taskId }: { taskId: string | null }) => service.invalidate(taskId);
  const onErased = () => memories.forEach(({ forget }) => forget());
  const ofLog = { store: store.events, damaged, seal, clock, checkpointMs: CHECKPOINT_MS, onEvent, onErased, log };
  const events = parts.use(await openEventLog(ofLog));
  const retentionMs = config.retentionDays * DAY_MS;
  const { directory, hosts, ownHosts } = config.recordings;
  const storage = parts.use(await openStorage(config.recordings));
  const fetcher = { rules: createHostRules(hosts, ownHosts) };
  const archive = parts.use(
    await openArchive({ events, readers, leases, recordings, storage, directory, fetcher, retentionMs, clock, log }),
  );
  const serviceState = () => service.status().state;
  const addresses = createRecordingAddresses(seal, clock);
  const changes = createSignal();
  parts.use(
    store.onAppend((through) => {
      void events.look(through);
      if (through !== null) return;
      archive.look();
      changes.ring();
    }),
  );
  const alongside = [store.knownTasks, store.knownAssistants, submissions, metTasks, quarantine, archive, store.points];
  parts.use(startRetention({ events: store.events, alongside, leases, retentionMs, clock, log }));
  const toKnown = { name: "known tasks", from: "oldest", handle: knownTasks.tell } as const;
  parts.use(startDurableReader({ ...toKnown, events, readers, leases, log }));
  parts.use(
    startReconciler({ upstream, events, openCalls, leases, timeZone, ...config.reconcile, retentionMs, clock, log }),
  );
  const subscribers = createSubscriberCount();
  const groups = createSubscriberCount();
  const isMarking = config.taskCorrelation === "extra";
  const marks = createCorrelationTokens(seal);
  const patienceMs = config.requests.timeoutMs + LEASE_MARGIN_MS;
  const desk = createSubmissionService({ submissions, leases, changes, correlates: isMarking, log });
  const correlator = createCorrelator({ upstream, submissions, metTasks, marks, changes, clock, log });
  parts.use(startCorrelation({ correlator, events, readers: store.readers, leases, log }));

  const sending = { upstream, submissions, desk, marks: isMarking ? marks : null };
  const submitTask = createSubmitTask({ ...sending, changes, patienceMs, slices, clock, log });
  const parse = createParseCallEnded(timeZone);
  const services: Services = {
    events,
    stats: store.stats,
    quarantine,
    reprocess: createReprocess({ events, quarantine, parse, log }),
    recordings: {
      counts: (reader) => recordings.counts(reader),
      followSettled: () => archive.settled.follow(),
      address: (grant) => addresses.of(grant),
    },
    forgetPhone: createForgetPhone({ eraser: store.eraser, archive, events, log }),
    gateway: { version: await readVersion(), subscribers: subscribers.running, serviceState },
    submitTask: limitTaskCreation(rates, submitTask),
    submissions: desk,
    taskProgress: createTaskProgress({
      upstream,
      events,
      pay: (viewer) => rates.consume(requestLimitKey(viewer)),
      log,
    }),
    knownTasks,
    assistants,
    seal,
    inTurn: store.inTurn,
    slices,
    serviceTimeZone: timeZone,
    clock,
  };
  const receiver = createReceiver({ accepted: config.webhook.accepted, events, quarantine, parse, clock, log });
  const pipeline = createOperationPipeline({
    schema,
    services,
    askerFor: (viewer, signal, allowance) =>
      createRequester({ signal, allowance, beforeSend: () => rates.consume(requestLimitKey(viewer)) }),
    createLoaders: createLoaderFactory(upstream, { timeZone, ...config.lists }),
    createKnown: () => ({
      newestEvent: lazyLoader(() => batchByKey(async (ids) => events.newestOf(ids), String)),
      newestEvents: events.newestOf,
      assistant: lazyLoader(() => batchByKey(assistants.byVersions, nameOf)),
      recording: lazyLoader(() => batchByKey(recordings.bySessions, (sessionId) => sessionId)),
    }),
    subscribers,
    groups,
    refusals,
    introspection,
    execute: createExecutor({ compiles: config.fastPath }),
    tellRequests: config.tellRequests,
    queryBudget: config.queryBudget,
    logBudget: config.logBudget,
    payRows: (viewer, rows) => rowRates.consume(rowLimitKey(viewer), rows),
    findTrusted,
    slices,
    log,
  });
  memories.push(pipeline);
  const graphiql = introspection && findTrusted === null;
  const meters = createCounters();
  const notServed = createRejections(meters.rejections, door);
  const { host, metricsPort, trustedProxies, fastPath } = config;
  const knowsViewers = config.auth.kind !== "open";
  const asking = {
    pipeline,
    admit,
    connectionQuota: createConnectionQuota(),
    knowsViewers,
    trustedProxies,
    counters: meters,
    log,
  };
  const sockets = parts.use(createSocketServer({ ...asking, heartbeatTimes: HEARTBEAT, rejections: notServed }));
  parts.use(
    await startMetrics({
      host,
      port: metricsPort,
      counters: meters,
      store,
      service,
      sockets,
      subscribers,
      groups,
      log,
    }),
  );
  const strangers = parts.use(createWebhookRejections(log));
  const server = createHttpServer({
    graphql: createGraphqlRoute({
      ...asking,
      admit: knowsViewers ? cacheCredentials(admit) : admit,
      fastPath,
      failureLimit: refusals,
      bodyBudget: createBodyBudget(),
      slices,
      graphiql,
    }),
    sockets,
    webhook: createWebhookRoute({ receiver, counters: meters, connectionGuard: door, rejections: strangers, log }),
    webhookPath: config.webhook.path,
    recordings: createRecordingRoute({ addresses, recordings, storage, holdsScope, connectionGuard: door, log }),
    isReady: () => store.isOpen(),
    isDamaged: () => events.isDamaged(),
    originPolicy: createOriginPolicy(config.corsOrigins, trustedProxies),
    loopbackOnly: config.auth.kind === "open" && config.auth.byDefault,
    connectionGuard: door,
    slowReaders: createSlowReaders(),
    rejections: notServed,
    log,
  });
  const url = await server.listen(host, config.port);
  parts.defer(() => server.close(config.drainSeconds * 1000));
  const running = parts.move();
  return { url, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
