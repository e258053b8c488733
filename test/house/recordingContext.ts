// A context for single resolvers that records whether they request the service or read the database. Its answers are empty.
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import type { Context } from "../../src/resolvers/context.ts";
import { callEnded } from "../events/callEnded.ts";
import { world } from "../resolvers/world.ts";

export type Source = "service" | "database";
/** `lists`: it loads lists of calls, which are checked. */
export type Used = Source | "lists";

export const event: CallEndedEvent = {
  ...callEnded({ sessionId: "s-1" }),
  cursor: "c",
  revision: 1,
  source: "WEBHOOK",
  receivedAt: "2026-11-20T09:30:00.000Z",
};

export function recordingContext(): { context: Context; used: Set<Used> } {
  const used = new Set<Used>();
  /** A function that records its call. */
  const source =
    <T>(name: Source, answer: (...args: readonly never[]) => T) =>
    (...args: readonly never[]): T => {
      used.add(name);
      return answer(...args);
    };
  const reads = <T>(answer: T) => source("database", async () => answer);
  const requests = <T>(answer: T) => source("service", async () => answer);
  const lists =
    <T>(answer: T) =>
    async () => {
      used.add("lists");
      return requests(answer)();
    };
  const stream = (name: Source) => source(name, noItems);
  const page = { rows: [], total: 0, pageIndex: 1, pageSize: 100 };
  const counts = {
    calls: 0,
    answered: 0,
    withoutHangup: 0,
    since: null,
    duration: 0,
    billsec: 0,
    called: 0,
    reached: 0,
  };

  const parts = {
    events: {
      page: reads({ events: [], hasMore: false, headCursor: "c" }),
      bySession: reads(null),
      byRevision: reads(null),
      checkRetained: reads(undefined),
      follow: source("database", async () => noItems()),
    },
    stats: {
      totals: reads(counts),
      numbers: reads(counts),
      byHangupReason: reads([]),
      byHangupSide: reads([]),
      byTask: reads([]),
      byAssistant: reads([]),
      byTime: reads([]),
      arrivals: reads([]),
      unreadable: reads([]),
      entries: reads({ events: 0, reconciled: 0 }),
    },
    quarantine: { count: reads(0), page: reads([]), byId: reads(null), remove: reads(null) },
    eventNames: { all: reads([]) },
    audit: { page: reads([]), byId: reads(null) },
    rawDeliveries: {
      show: reads(null),
      reread: reads({ read: 0, changed: 0, unreadable: 0, cursor: "c", hasMore: false }),
    },
    reprocess: reads({ event: null, reason: "x" }),
    recordings: { counts: reads({}), followSettled: source("database", async () => noItems()), address: () => "/x" },
    destinations: {
      list: reads([]),
      change: reads({ definition: {}, state: null }),
      letters: reads([]),
      sendAgain: reads(true),
      test: async () => ({ at: "2026-11-20T00:00:00.000Z", status: 204, text: null }),
    },
    alerts: {
      page: reads([]),
      byId: reads(null),
      acknowledge: reads(null),
      rules: () => [],
      head: reads(0),
      openOf: reads(new Map()),
      follow: source("database", async () => noItems()),
    },
    historyImports: {
      start: reads({ import: null, isNew: true }),
      cancel: reads(null),
      latest: reads(null),
      lacksHistory: reads(false),
    },
    forgetPhone: reads({
      calls: 0,
      submissions: 0,
      events: 0,
      rawDeliveries: 0,
      quarantined: 0,
      recordings: 0,
      proposals: 0,
    }),
    checkTask: reads({
      errors: [],
      people: 0,
      leftOutCount: 0,
      countries: [],
      schedule: null,
      limits: [],
      calledAgain: null,
    }),
    describeSchedule: () => ({
      timeZone: "UTC",
      startDate: null,
      days: null,
      periods: [],
      begin: null,
      startsAt: null,
    }),
    taskLimits: reads([]),
    submitTask: requests({ submission: null, replayed: false, errors: [] }),
    proposeTask: requests({ submission: null, replayed: false, errors: [] }),
    approveTask: requests({ submission: null, replayed: false, errors: [] }),
    declineTask: reads({ submission: null, replayed: false, errors: [] }),
    knownTasks: { page: reads([]) },
    assistants: { latest: reads(null), list: reads([]) },
    lines: { list: reads([]) },
    submissions: {
      page: reads([]),
      byId: reads(null),
      byKey: reads(null),
      overrideOf: reads(null),
      watch: stream("database"),
    },
    recipients: {
      page: reads({ found: [], upTo: null }),
      counts: reads({ found: [], upTo: null }),
      ofCalls: reads(new Map()),
      callsOf: reads([]),
      waitFor: reads(true),
      shows: reads(true),
    },
    projections: { builds: reads([]), rebuild: reads(true) },
    doNotCall: {
      count: reads(0),
      find: reads([]),
      add: reads({ changed: 0, unreadable: [] }),
      remove: reads({ changed: 0, unreadable: [] }),
    },
    taskProgress: source("service", noItems),
    loaders: {
      task: { load: requests(null) },
      callLogs: { load: lists(page) },
      callLogPages: { load: requests(page) },
      taskCallLogs: { load: lists({ rows: [], total: 0, offset: 0, drift: false }) },
    },
    known: {
      headCursor: () => "c",
      newestEvent: { load: reads(null) },
      newestEvents: reads([]),
      assistant: { load: reads(null) },
      recording: { load: reads(null) },
      recipient: { load: reads(null) },
      openAlerts: { load: reads(null) },
    },
  };
  return { context: world({ own: parts as unknown as Partial<Context> }).context, used };
}

function noItems(): AsyncIterableIterator<never> {
  const end = async () => ({ done: true as const, value: undefined });
  return {
    next: end,
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
