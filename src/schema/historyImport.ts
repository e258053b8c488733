// Imports of calls that ended before the gateway was there: Mutation.importHistory, Mutation.cancelHistoryImport and
// Query.historyImport.
import {
  importHistory,
  latestImport,
  progressOf,
  secondsLeftOf,
  type ImportHistoryResult,
} from "../resolvers/historyImport.ts";
import type { HistoryImport as Import, HistoryImportState as State } from "../store/events/historyImportStore.ts";
import { builder, needs, rows, safeText } from "./builder.ts";

const HistoryImportState = builder.enumType("HistoryImportState", {
  description: "How an import of earlier calls fares.",
  values: {
    RUNNING: { description: "It reads the service's call log, or waits until it can go on." },
    DONE: { description: "Everything was read." },
    CANCELLED: { description: "It was ended by cancelHistoryImport. What it had added stays." },
    FAILED: { description: "It has ended for the reason in problem. What it had added stays." },
  } satisfies Record<State, object>,
});

const HistoryImport = builder.objectRef<Import>("HistoryImport").implement({
  description:
    "An import of calls that ended before the gateway was there. It reads the service's call log from the oldest to the newest, and goes on after a restart, on whichever gateway.",
  ...needs("admin"),
  fields: (t) => ({
    state: t.expose("state", { type: HistoryImportState, nullable: false, description: "How it fares." }),
    problem: t.exposeString("problem", {
      description: "Why it has failed, or why it waits. Null: nothing is wrong.",
      ...safeText("An error of the gateway."),
    }),
    since: t.expose("since", { type: "DateTime", nullable: false, description: "The beginning that was asked for." }),
    until: t.expose("until", {
      type: "DateTime",
      nullable: false,
      description:
        "Its end: the one that was asked for, but at most the time from which on the gateway finds calls by itself.",
    }),
    readThrough: t.expose("readThrough", {
      type: "DateTime",
      nullable: false,
      description: "Everything up to here was read.",
    }),
    progress: t.float({
      nullable: false,
      description: "The part of the time that was read, from 0 to 1.",
      resolve: progressOf,
    }),
    secondsLeft: t.float({
      description:
        "How long it will take at the speed so far. Null where that is not known, while it waits, and when it has ended.",
      resolve: (own, _, { clock }) => secondsLeftOf(own, clock()),
    }),
    windows: t.exposeInt("windows", { nullable: false, description: "Number of stretches of time that were read." }),
    calls: t.exposeFloat("calls", { nullable: false, description: "Number of calls that it added to the log." }),
    tooOld: t.exposeFloat("tooOld", {
      description:
        "Number of calls that it leaves out because they are older than EVENT_RETENTION_DAYS, as the service counts them at the end. Null where they were not counted.",
    }),
    leftOut: t.exposeFloat("leftOut", {
      nullable: false,
      description:
        "Number of other rows that it left out: without a session ID, without an end that can be read, or with contents that cannot be stored.",
    }),
    startedBy: t.exposeString("startedBy", { nullable: false, description: "The viewer that started it." }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: false, description: "When it was started." }),
    endedAt: t.expose("endedAt", { type: "DateTime", description: "When it ended. Null while it runs." }),
  }),
});

const ImportHistoryPayload = builder.objectRef<ImportHistoryResult>("ImportHistoryPayload").implement({
  description: "The result of importHistory.",
  ...needs("admin"),
  fields: (t) => ({
    import: t.expose("import", { type: HistoryImport, nullable: false, description: "The running import." }),
    isNew: t.exposeBoolean("isNew", {
      nullable: false,
      description: "False: another import runs already, which is returned, and nothing was started.",
    }),
  }),
});

builder.queryField("historyImport", (t) =>
  t.field({
    type: HistoryImport,
    description: "The newest import of earlier calls. Null: there never was one. Needs the scope admin.",
    ...needs("admin", rows(1)),
    resolve: (_, __, context) => latestImport(context),
  }),
);

builder.mutationField("importHistory", (t) =>
  t.field({
    type: ImportHistoryPayload,
    description:
      "Reads calls that ended earlier from the service's call log into the event log, in the background. They have the source IMPORTED, and subscriptions leave them out by default. A repeat adds nothing. Needs the scope admin.",
    ...needs("admin", rows(1)),
    args: {
      since: t.arg({ type: "DateTime", required: true, description: "From when on." }),
      until: t.arg({
        type: "DateTime",
        description: "Up to when. Null: up to the time from which on the gateway finds calls by itself.",
      }),
    },
    resolve: (_, args, context) => importHistory(args, context),
  }),
);

builder.mutationField("cancelHistoryImport", (t) =>
  t.field({
    type: HistoryImport,
    description:
      "Ends the running import, and returns the newest one. The calls that it has added stay. Null: there never was one. Needs the scope admin.",
    ...needs("admin", rows(1)),
    resolve: (_, __, { historyImports, viewer }) => historyImports.cancel(viewer.name),
  }),
);
