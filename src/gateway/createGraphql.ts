// What resolvers see, and the pipeline that every GraphQL operation passes, whatever transport it came by.
import type { GraphQLSchema } from "graphql";
import { nameOfTask, type AlertService } from "../alerts/alertService.ts";
import type { Auth } from "../auth/createAuth.ts";
import { limitTaskCreation, listRowLimitKey, requestLimitKey, rowLimitKey } from "../auth/rateLimits.ts";
import type { DestinationService } from "../destinations/destinationService.ts";
import type { FindTrusted } from "../graphql/documents/trustedDocuments.ts";
import { PLAIN_CURSORS } from "../events/cursorView.ts";
import { createEventCursors } from "../events/logEntry.ts";
import { createReread } from "../events/rereadDeliveries.ts";
import { createShowDelivery } from "../events/showDelivery.ts";
import { createExecutor } from "../graphql/executor/executor.ts";
import { createOperationPipeline, type OwnedPipeline } from "../graphql/pipeline.ts";
import { createSubscriberCount, type SubscriberCount } from "../graphql/subscriptions/subscription.ts";
import { batchByKey, batchInOrder, lazyLoader } from "../loaders/keyedLoader.ts";
import { createListChecks } from "../loaders/callLogLoader.ts";
import { createCheckReserve } from "../loaders/checkReserve.ts";
import { createLoaderFactory } from "../loaders/loaders.ts";
import type { HistoryImports } from "../history/historyImports.ts";
import { createForgetPhone } from "../privacy/erasePhone.ts";
import { nameOfCall } from "../recordings/findRecordings.ts";
import type { AgentUse } from "../resolvers/agentUse.ts";
import type { KnownLoaders, Services } from "../resolvers/context.ts";
import { nameOf } from "../tasks/assistantRegistry.ts";
import { createTaskProgress } from "../tasks/taskProgress.ts";
import { createRequester } from "../upstream/requester.ts";
import { readVersion } from "../util/version.ts";
import { createReprocess } from "../webhook/reprocess.ts";
import type { Base } from "./base.ts";
import type { Projections } from "./createProjections.ts";
import type { Events } from "./createEvents.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";
import type { Tasks } from "./createTasks.ts";
import type { Webhooks } from "./createWebhooks.ts";

export interface Graphql {
  pipeline: OwnedPipeline;
  subscribers: SubscriberCount;
  /** Counts subscribers that share their executions. */
  groups: SubscriberCount;
}

export interface GraphqlDeps extends Base {
  schema: GraphQLSchema;
  /** Null: any document may run. */
  findTrusted: FindTrusted | null;
  /** Which agents used which tools. */
  agentUses: () => AgentUse[];
  storage: Storage;
  service: Service;
  auth: Auth;
  webhooks: Webhooks;
  events: Events;
  projections: Projections;
  tasks: Tasks;
  history: HistoryImports;
  destinations: DestinationService;
  alerts: AlertService;
}

export async function createGraphql(deps: GraphqlDeps): Promise<Graphql> {
  const { config, service, auth, slices, tracing, log, findTrusted } = deps;
  const subscribers = createSubscriberCount(deps.observers.subscriptions.ended);
  const groups = createSubscriberCount();
  const { timeZone } = config.upstream;
  const listChecks = createListChecks({ timeZone, ...config.lists, proofs: service.proofs });
  const pipeline = createOperationPipeline({
    schema: deps.schema,
    services: await createServices(deps, subscribers),
    createRequester: (viewer, signal, allowance, responses) => {
      return createRequester({
        signal,
        allowance,
        responses,
        payRateLimit: () => auth.requestLimits.consume(requestLimitKey(viewer)),
        payForRows: (rows) => auth.listRowLimits.consume(listRowLimitKey(viewer), rows),
        waitForSlice: () => slices.waitForSlice(viewer.name),
      });
    },
    createLoaders: createLoaderFactory(service.upstream, listChecks),
    checkReserve: createCheckReserve(service.proofs),
    createKnownLoaders: () => createKnownLoaders(deps),
    subscriberCount: subscribers,
    groupCount: groups,
    observer: deps.observers.subscriptions,
    failureLimit: auth.failureLimit,
    floodLog: auth.floodLog,
    introspection: config.introspection,
    execute: tracing.executor((wrapResolver) => createExecutor({ compiles: config.fastPath, wrapResolver })),
    reportUsage: config.reportsRequests,
    queryBudget: config.queryBudget,
    logBudget: config.logBudget,
    chargeRows: async (viewer, rows) => auth.rowLimits.consume(rowLimitKey(viewer), rows),
    findTrusted,
    slices,
    startDelivery: tracing.startDelivery,
    log,
  });
  return { pipeline: tracing.pipeline(pipeline), subscribers, groups };
}

async function createServices(deps: GraphqlDeps, subscribers: SubscriberCount): Promise<Services> {
  const { config, storage, service, auth, webhooks, projections, tasks, slices, log } = deps;
  const { parse, whyNoEnd, keepsBodies } = webhooks;
  const clock = storage.clock.now;
  const { events, archive, addresses } = deps.events;
  const { store } = storage;
  const { quarantine, rawDeliveries, recordings } = store;
  const cursors = createEventCursors(storage.signer);
  return {
    events,
    stats: store.stats,
    quarantine,
    eventNames: store.eventNames,
    reprocess: createReprocess({
      events,
      quarantine,
      parse,
      whyNoEnd,
      keepsBodies,
      clock,
      log,
    }),
    rawDeliveries: {
      show: createShowDelivery({ events, rawDeliveries, audit: store.audit, cursors, clock }),
      reread: createReread({ events, rawDeliveries, audit: store.audit, cursors, parse, clock }),
    },
    audit: store.audit,
    recordings: {
      counts: (reader) => recordings.counts(reader),
      followSettled: () => archive.settled.follow(),
      address: (grant) => addresses.create(grant),
    },
    forgetPhone: createForgetPhone({
      eraser: store.eraser,
      archive,
      events,
      clock,
      log,
    }),
    gateway: {
      version: await readVersion(),
      subscribers: subscribers.running,
      service: () => service.client.status(),
      timesAheadMs: webhooks.timeZoneWatch.aheadMs,
      webhooks: webhooks.arrivals.status,
      issueWebhookTest: webhooks.tests.issue,
      agentUses: deps.agentUses,
    },
    historyImports: deps.history,
    destinations: deps.destinations,
    alerts: deps.alerts,
    submitTask: limitTaskCreation(auth.requestLimits, tasks.submitTask),
    proposeTask: limitTaskCreation(auth.requestLimits, tasks.proposeTask),
    approveTask: limitTaskCreation(auth.requestLimits, tasks.approveTask),
    declineTask: tasks.declineTask,
    checkTask: tasks.checkTask,
    describeSchedule: tasks.describeSchedule,
    taskLimits: tasks.rules.limits,
    submissions: tasks.submissions,
    submittedTasks: tasks.submittedTasks,
    doNotCall: tasks.doNotCall,
    taskProgress: createTaskProgress({
      upstream: service.upstream,
      events,
      pay: (viewer) => auth.requestLimits.consume(requestLimitKey(viewer)),
      log,
    }),
    knownTasks: storage.tasks,
    recipients: projections.recipients,
    projections,
    assistants: storage.assistants,
    lines: storage.lines,
    named: config.named,
    signer: storage.signer,
    cursors: PLAIN_CURSORS,
    hiddenCursors: cursors.hidden,
    queuedRead: store.queuedRead,
    slices,
    serviceTimeZone: config.upstream.timeZone,
    clock,
  };
}

function createKnownLoaders({
  storage: { assistants },
  events: { events, archive },
  projections: { recipients },
  alerts,
  tracing,
}: GraphqlDeps): KnownLoaders {
  const { batch } = tracing;
  return {
    headCursor: events.markHead(),
    newestEvent: lazyLoader(() => batchInOrder(batch("events", async (ids) => events.newestOf(ids)))),
    newestEvents: events.newestOf,
    assistant: lazyLoader(() => batchByKey(batch("assistants", assistants.byVersions), nameOf)),
    recipient: lazyLoader(() => batchByKey(batch("recipients", recipients.ofCalls), (sessionId: string) => sessionId)),
    recording: lazyLoader(() => batchByKey(batch("recordings", archive.find), nameOfCall)),
    openAlerts: lazyLoader(() => batchByKey(batch("alerts", alerts.openOf), nameOfTask)),
  };
}
