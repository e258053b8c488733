// The people of a task: Task.recipients and Task.recipientCounts, and the person of a call.
import {
  callsOfRecipient,
  lastCallOfRecipient,
  MAX_WAIT_MS,
  recipientCounts,
  recipientOfEvent,
  recipientsOf,
  type RecipientConnection as Connection,
  type RecipientCounts as Counts,
} from "../resolvers/recipients.ts";
import type { RecipientOutcome as Outcome } from "../config/hangUpOutcomes.ts";
import { MAX_LIST_LENGTH } from "../resolvers/inputRules.ts";
import type { Edge } from "../resolvers/pageInfo.ts";
import { MAX_ATTEMPT, type OutcomeCount, type Recipient as RecipientRow } from "../store/projections/recipientStore.ts";
import { withoutCorrelationToken } from "../tasks/correlationToken.ts";
import { builder, cursorText, filteredPage, marks, needs, page, rows, scans, textIs } from "./builder.ts";
import { CallEnded } from "./callEnded.ts";
import { EDGE_CURSOR, EDGES, FIRST, MASKED, NODES, UNKNOWN_UNIT } from "./descriptions.ts";
import { PageInfo, pageArgs } from "./pageInfo.ts";
import { Task } from "./task.ts";

const readable = needs("calls:read");
const UP_TO =
  "The place in the log up to which these people are shown, and perhaps more. Null: nothing was read from the log yet.";
const WAIT_FOR = `A cursor of the log, such as that of an event. The answer shows at least what is up to there. If that takes more than ${MAX_WAIT_MS / 1000} seconds, it is STORE_UNAVAILABLE.`;

const RecipientOutcome = builder.enumType("RecipientOutcome", {
  description:
    "What became of the calls of a person in a task. The words of hang-up reasons are in a table, to which HANGUP_OUTCOMES adds.",
  values: {
    REACHED: { description: "One of the calls was answered." },
    NO_ANSWER: { description: "Nobody answered the last call." },
    BUSY: { description: "The line was busy at the last call." },
    REJECTED: { description: "The last call was rejected." },
    FAILED: { description: "The last call could not be put through." },
    OTHER: { description: "Nobody answered the last call, and no reason that the gateway knows says why." },
  } satisfies Record<Outcome, object>,
});

const Recipient = builder.objectRef<RecipientRow>("Recipient");
Recipient.implement({
  description:
    "A person whom a task has called. Calls are to one person if they have the same taskItemId, or the same number in any usual writing. People whom the task has not called yet are not known.",
  ...readable,
  fields: (t) => ({
    outcome: t.expose("outcome", { type: RecipientOutcome, nullable: false, description: "What became of the calls." }),
    attempts: t.exposeInt("attempts", { nullable: false, description: "Number of calls to the person in this task." }),
    talkTime: t.exposeFloat("talkTime", {
      nullable: false,
      description: `Sum of billsec over all calls. ${UNKNOWN_UNIT}`,
    }),
    firstCallAt: t.expose("firstAt", {
      type: "DateTime",
      nullable: false,
      description: "When the first call ended; receivedAt counts where endAt is null.",
    }),
    lastCallAt: t.expose("lastAt", {
      type: "DateTime",
      nullable: false,
      description: "When the last call ended, by the same time.",
    }),
    lastReason: t.exposeString("lastReason", {
      description: "The hang-up reason of the last call, as the service writes it, up to 128 characters.",
    }),
    phone: t.string({
      description: `The number that the last call went to. ${MASKED} Null where the call is no longer in the log.`,
      ...marks(rows(1), textIs("phone")),
      resolve: async (recipient, _, context) => (await lastCallOfRecipient(recipient, context))?.callee ?? null,
    }),
    extra: t.field({
      type: "JSONObject",
      description:
        "The variables given for this number when the task was created, of the last call. Needs the scope people:read.",
      ...needs("people:read", rows(1)),
      resolve: async (recipient, _, context) =>
        withoutCorrelationToken((await lastCallOfRecipient(recipient, context))?.extra ?? null),
    }),
    lastCall: t.field({
      type: CallEnded,
      description: "The newest event of the last call. Null where it is no longer in the log.",
      ...rows(1),
      resolve: (recipient, _, context) => lastCallOfRecipient(recipient, context),
    }),
    calls: t.field({
      type: [CallEnded],
      nullable: false,
      description: "The newest events of the last calls, the newest first.",
      ...page,
      args: { first: t.arg.int({ required: true, defaultValue: 10, description: FIRST }) },
      resolve: (recipient, { first }, context) => callsOfRecipient(recipient, first, context),
    }),
  }),
});

const RecipientEdge = builder.objectRef<Edge<RecipientRow>>("RecipientEdge").implement({
  description: "A person and its cursor.",
  ...readable,
  fields: (t) => ({
    cursor: t.exposeString("cursor", { nullable: false, description: EDGE_CURSOR, ...cursorText }),
    node: t.expose("node", { type: Recipient, nullable: false, description: "The person." }),
  }),
});

const RecipientConnection = builder.objectRef<Connection>("RecipientConnection").implement({
  description: "A page of people whom a task has called.",
  ...readable,
  fields: (t) => ({
    edges: t.expose("edges", { type: [RecipientEdge], nullable: false, description: EDGES }),
    nodes: t.field({
      type: [Recipient],
      nullable: false,
      description: NODES,
      resolve: ({ edges }) => edges.map(({ node }) => node),
    }),
    pageInfo: t.expose("pageInfo", { type: PageInfo, nullable: false, description: "The place of this page." }),
    upTo: t.exposeString("upTo", { description: UP_TO, ...cursorText }),
  }),
});

const OutcomeCounts = builder.objectRef<OutcomeCount>("OutcomeCount").implement({
  description: "The people with one outcome.",
  ...readable,
  fields: (t) => ({
    outcome: t.expose("outcome", { type: RecipientOutcome, nullable: false, description: "The outcome." }),
    recipients: t.exposeInt("recipients", { nullable: false, description: "Number of people." }),
    attempts: t.exposeInt("attempts", { nullable: false, description: "Number of calls to them." }),
    talkTime: t.exposeFloat("talkTime", {
      nullable: false,
      description: `Sum of billsec over these calls. ${UNKNOWN_UNIT}`,
    }),
  }),
});

const RecipientCounts = builder.objectRef<Counts>("RecipientCounts").implement({
  description: "How many people a task has called, by outcome.",
  ...readable,
  fields: (t) => ({
    recipients: t.exposeInt("recipients", {
      nullable: false,
      description: "Number of people whom the task has called.",
    }),
    attempts: t.exposeInt("attempts", { nullable: false, description: "Number of calls to them." }),
    talkTime: t.exposeFloat("talkTime", {
      nullable: false,
      description: `Sum of billsec over these calls. ${UNKNOWN_UNIT}`,
    }),
    byOutcome: t.expose("byOutcome", {
      type: [OutcomeCounts],
      nullable: false,
      description: "The people by outcome, the most first. An outcome that nobody has is left out.",
    }),
    notCalled: t.exposeInt("notCalled", {
      description:
        "Number of people whom the task has not called yet: total less recipients. A number that is twice in the task, and calls that are not in the log (from before it began, expired or erased), make it too high; masked numbers make it too low. Null where the service states no total, or a smaller one than recipients.",
    }),
    upTo: t.exposeString("upTo", { description: UP_TO, ...cursorText }),
  }),
});

export const RecipientFilter = builder.inputType("RecipientFilter", {
  description: "A person must match every given field; null matches everybody.",
  fields: (t) => ({
    outcome: t.field({
      type: [RecipientOutcome],
      description: "People with one of these outcomes; an empty list matches nobody.",
    }),
    reasons: t.field({
      type: t.listRef("String", { required: false }),
      description: `People whose last call has one of these hang-up reasons, as they are written; null in the list: no reason. At most ${MAX_LIST_LENGTH}; an empty list matches nobody.`,
    }),
    minAttempts: t.int({ description: "People with at least this number of calls." }),
    maxAttempts: t.int({ description: "People with at most this number of calls." }),
    minTalkTime: t.float({ description: `People with at least this sum of billsec. ${UNKNOWN_UNIT}` }),
    since: t.field({ type: "DateTime", description: "People whose lastCallAt is at or after this instant." }),
    until: t.field({ type: "DateTime", description: "People whose lastCallAt is before this instant." }),
  }),
});

builder.objectFields(Task, (t) => ({
  recipients: t.field({
    type: RecipientConnection,
    description:
      "The people whom this task has called, in the order in which the log got their first calls: somebody who is called again keeps the place. Not for viewers with access to some assistants only.",
    ...filteredPage,
    args: {
      ...pageArgs,
      filter: t.arg({ type: RecipientFilter, description: "Which people. Null: all." }),
      waitFor: t.arg.string({ description: WAIT_FOR }),
    },
    resolve: ({ taskId }, args, context) => recipientsOf(taskId, args, context),
  }),
  recipientCounts: t.field({
    type: RecipientCounts,
    description:
      "How many people this task has called, by outcome. Not for viewers with access to some assistants only.",
    ...scans(1),
    args: { waitFor: t.arg.string({ description: WAIT_FOR }) },
    resolve: (task, args, context) => recipientCounts(task, args, context),
  }),
}));

const NOT_SHOWN =
  "Null for an inbound call, for one without a task, and while the people of the task do not show the event, which takes a moment after it came. Not for viewers with access to some assistants only.";

builder.objectFields(CallEnded, (t) => ({
  attempt: t.int({
    description: `The number of this call among the calls to the person in the task, from 1, in the order of their ends. Null also beyond ${MAX_ATTEMPT}. ${NOT_SHOWN}`,
    ...rows(1),
    resolve: async (event, _, context) => (await recipientOfEvent(event, context))?.attempt ?? null,
  }),
  recipient: t.field({
    type: Recipient,
    description: `The person whom the task called. ${NOT_SHOWN}`,
    ...rows(1),
    resolve: (event, _, context) => recipientOfEvent(event, context),
  }),
}));
