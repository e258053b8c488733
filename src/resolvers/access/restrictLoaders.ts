// Loaders that answer with a viewer's own rows only. A row of another viewer is answered like one that does not exist.
import { randomUUID } from "node:crypto";
import { CodedError } from "../../errors.ts";
import type { CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { Loaders } from "../../loaders/loaders.ts";
import type { CallLogRecord } from "../../upstream/upstream.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import type { KnownLoaders } from "../context.ts";
import type { OwnSessions } from "./ownSessions.ts";
import { restrictAlertLoader } from "./restrictAlerts.ts";
import { restrictRecipientLoader } from "./restrictRecipients.ts";
import type { RowAccess } from "./rowAccess.ts";

export function restrictLoaders(loaders: Loaders, access: RowAccess, sessions: OwnSessions): Loaders {
  type Filter = Parameters<RowAccess["ofCalls"]>[0];
  /** The service was asked for these calls alone, so another one means that it ignored the filter. */
  function checked<Page extends { rows: readonly CallLogRecord[] }>(page: Page, filter: Filter): Page {
    if (!page.rows.every((row) => access.isOfQuery(row, filter)))
      throw new CodedError("UPSTREAM_FILTER_IGNORED", "The service's list holds calls that the viewer may not see.");
    for (const { sessionId } of page.rows) sessions.add(sessionId);
    return page;
  }
  return {
    task: {
      async load(taskId) {
        if (!(await access.maySeeTaskId(taskId))) return null;
        const task = await loaders.task.load(taskId);
        return task && (await access.seesTask(task)) ? task : null;
      },
    },
    callLogs: {
      async load(query) {
        const own = await access.ofCalls(query);
        if (own) return checked(await loaders.callLogs.load(own), own);
        return { rows: [], total: 0, pageIndex: query.pageIndex, pageSize: query.pageSize };
      },
    },
    // A search reads a range to its end and counts its rows. The rows of others stay in it under names that nobody can ask for.
    // So the search for such a call takes the same requests as the search for a call that does not exist.
    callLogPages: {
      async load(query) {
        const page = await loaders.callLogPages.load(query);
        const isOwn = async (row: CallLogRecord) =>
          access.findsCalls ? access.seesCall(row) : sessions.has(row.sessionId);
        const areOwn = await Promise.all(page.rows.map(isOwn));
        return { ...page, rows: page.rows.map((row, at) => (areOwn[at] ? row : anonymous(row))) };
      },
    },
    taskCallLogs: {
      async load(key) {
        const filter = await access.ofCalls(key.filter);
        if (filter) return checked(await loaders.taskCallLogs.load({ ...key, filter }), filter);
        return { rows: [], total: 0, offset: 0, drift: false };
      },
    },
  };
}

const NAMESPACE = randomUUID();

function anonymous(row: CallLogRecord): CallLogRecord {
  return row.sessionId === null ? row : { ...row, sessionId: `${NAMESPACE} ${row.sessionId}` };
}

export function restrictKnownLoaders(known: KnownLoaders, access: RowAccess, sessions: OwnSessions): KnownLoaders {
  const ownEvent = (event: CallEndedEvent | null): MaybePromise<CallEndedEvent | null> =>
    andThen(access.seesCall(event), (isOwn) => (isOwn ? event : null));
  const newestEvent = async (sessionId: string) => {
    sessions.check(sessionId);
    return ownEvent(await known.newestEvent.load(sessionId));
  };
  return {
    headCursor: known.headCursor,
    newestEvent: { load: newestEvent },
    newestEvents: (sessionIds) => {
      for (const sessionId of sessionIds) if (sessionId !== null) sessions.check(sessionId);
      return andThen(known.newestEvents(sessionIds), (events) => {
        const own = events.map((event) => (event instanceof Error ? event : ownEvent(event)));
        const isKnown = (event: (typeof own)[number]): event is CallEndedEvent | Error | null =>
          !(event instanceof Promise);
        return own.every(isKnown) ? own : Promise.all(own.map(async (event) => event));
      });
    },
    assistant: {
      load: async (version) => (access.seesAssistant(version.assistantId) ? known.assistant.load(version) : null),
    },
    recipient: restrictRecipientLoader(known.recipient, access, sessions),
    openAlerts: restrictAlertLoader(known.openAlerts, access),
    // A recording has neither a task nor an assistant, so it needs an event of its call.
    recording: {
      async load(call) {
        const event = (await ownEvent(call.event)) ?? (await newestEvent(call.sessionId));
        return event && known.recording.load(call);
      },
    },
  };
}
