// What the handlers answer for each root field unless a test answers it itself: values of the factories.
import type { MutationFields, QueryFields, SubscriptionFields } from "../generated/testingGraph.ts";
import { createEventFeed } from "./eventFeed.ts";
import {
  assistant,
  alert,
  alertConnection,
  alertRule,
  auditEventConnection,
  callEnded,
  callEndedConnection,
  callLog,
  callLogConnection,
  callStats,
  createTaskPayload,
  deliveryAnswer,
  destination,
  destinationLetter,
  discardQuarantinedPayload,
  doNotCall,
  doNotCallPayload,
  factories,
  forgetPhonePayload,
  gatewayStatus,
  historyImport,
  importHistoryPayload,
  knownAssistants,
  knownLines,
  projection,
  quarantinedDeliveryConnection,
  rawDelivery,
  reprocessQuarantinedPayload,
  rereadDeliveriesPayload,
  streamCheckpoint,
  task,
  taskCheck,
  taskConnection,
  taskDecisionPayload,
  taskSubmission,
  taskSubmissionConnection,
  viewer,
  webhookTest,
} from "./factories/index.ts";

type Fields = Record<string, { args: unknown; result: unknown }>;
type Answer<T> = T | Promise<T>;
type Resolvers<Root extends object> = {
  [Name in keyof Root]: Root[Name] extends Fields[string]
    ? (args: Root[Name]["args"]) => Answer<Root[Name]["result"]>
    : never;
};
type Sources<Root extends object> = {
  [Name in keyof Root]: Root[Name] extends Fields[string]
    ? (args: Root[Name]["args"]) => Answer<AsyncIterable<Root[Name]["result"]>>
    : never;
};

/** One function for each root field. It may throw a GraphQLError, with a code in its extensions. */
export interface RootResolvers {
  Query: Resolvers<QueryFields>;
  Mutation: Resolvers<MutationFields>;
  Subscription: Sources<SubscriptionFields>;
}

const versionOf = (versionId: string | null | undefined) => (versionId == null ? {} : { versionId });

/** Ids of factories begin with the name of their type. */
function nodeOf(id: string): QueryFields["node"]["result"] {
  const name = id.split(":")[0] ?? "";
  const factory = Object.values(factories).find((make) => make().__typename === name);
  return factory === undefined ? null : ({ ...factory(), id } as QueryFields["node"]["result"]);
}

/** Items that come at once; then the subscription stays open. */
const open = <T>(...items: T[]): AsyncIterable<T> => createEventFeed<T>().subscribe(...items);

function ended<T>(...items: T[]): AsyncIterable<T> {
  const feed = createEventFeed<T>();
  const subscription = feed.subscribe(...items);
  feed.end();
  return subscription;
}

export const defaultResolvers: RootResolvers = {
  Query: {
    alertRules: () => [alertRule()],
    alerts: () => alertConnection(),
    assistant: ({ assistantId, versionId }) => assistant({ assistantId, ...versionOf(versionId) }),
    assistants: () => knownAssistants(),
    auditEvents: () => auditEventConnection(),
    callEnded: ({ sessionId }) => callEnded({ sessionId }),
    callEndedEvents: () => callEndedConnection(),
    callLog: ({ sessionId }) => callLog({ sessionId }),
    callLogs: () => callLogConnection(),
    callStats: () => callStats(),
    destinationLetters: () => [destinationLetter()],
    destinations: () => [destination()],
    doNotCall: () => doNotCall(),
    gateway: () => gatewayStatus(),
    historyImport: () => historyImport(),
    lines: () => knownLines(),
    node: ({ id }) => nodeOf(id),
    nodes: ({ ids }) => ids.map(nodeOf),
    projections: () => [projection()],
    quarantinedDeliveries: () => quarantinedDeliveryConnection(),
    rawDelivery: () => rawDelivery(),
    serviceTimeZone: () => "Asia/Shanghai",
    task: ({ taskId }) => task({ taskId }),
    taskSubmission: ({ id }) => taskSubmission({ id }),
    taskSubmissionByKey: ({ idempotencyKey }) => taskSubmission({ idempotencyKey }),
    taskSubmissions: () => taskSubmissionConnection(),
    tasks: () => taskConnection(),
    tasksByIds: ({ taskIds }) => taskIds.map((taskId) => task({ taskId })),
    viewer: () => viewer(),
  },
  Mutation: {
    createWebhookTest: () => webhookTest(),
    createTask: ({ input: { idempotencyKey, name, assistantId, numbers } }) => {
      const submission = {
        idempotencyKey,
        name,
        assistantId,
        numberCount: numbers?.length ?? 1,
        status: "ACCEPTED",
      } as const;
      return createTaskPayload({ submission: taskSubmission(submission) });
    },
    acknowledgeAlert: ({ id }) => alert({ id, acknowledgedAt: "2026-11-20T02:06:00.000Z", acknowledgedBy: "web" }),
    approveTask: () => taskDecisionPayload(),
    declineTask: () => taskDecisionPayload({ submission: taskSubmission({ status: "DECLINED" }) }),
    checkTask: ({ input }) => taskCheck({ people: input.numbers?.length ?? 1 }),
    addToDoNotCall: ({ numbers }) => doNotCallPayload({ changed: numbers.length }),
    discardQuarantined: () => discardQuarantinedPayload(),
    cancelHistoryImport: () => historyImport({ state: "CANCELLED" }),
    forgetPhone: () => forgetPhonePayload(),
    importHistory: () => importHistoryPayload(),
    pauseDestination: ({ name }) => destination({ name, state: "PAUSED" }),
    rebuildProjection: ({ name }) => [projection({ name }), projection({ name, build: 2, state: "BUILDING" })],
    removeFromDoNotCall: ({ numbers }) => doNotCallPayload({ changed: numbers.length }),
    reprocessQuarantined: () => reprocessQuarantinedPayload(),
    rereadDeliveries: () => rereadDeliveriesPayload(),
    resumeDestination: ({ name }) => destination({ name }),
    sendDestinationLetter: () => true,
    testDestination: () => deliveryAnswer(),
  },
  Subscription: {
    alertRaised: () => open(),
    callEnded: () => open(),
    callEndedStream: ({ after }) => open(streamCheckpoint(after == null ? {} : { cursor: after })),
    recordingSettled: () => open(),
    taskProgress: ({ taskId }) => open(task({ taskId })),
    taskSubmission: ({ id }) => ended(taskSubmission({ id })),
  },
};
