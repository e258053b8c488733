// Loaders that answer with a viewer's own rows only. A row of another viewer is answered like one that does not exist.
import { randomUUID } from "node:crypto";
import { CodedError } from "../../errors.ts";
import type { CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { Loaders } from "../../loaders/loaders.ts";
import type { CallLogRecord } from "../../upstream/upstream.ts";
import { andThen } from "../../util/maybePromise.ts";
import type { KnownLoaders } from "../context.ts";
import type { RowAccess } from "./rowAccess.ts";

export function restrictLoaders(loaders: Loaders, access: RowAccess): Loaders {
  /** The service was asked for these calls alone, so another one means that it ignored the filter. */
  function checked<Page extends { rows: readonly CallLogRecord[] }>(page: Page): Page {
    if (page.rows.every(access.seesCall)) return page;
    throw new CodedError("UPSTREAM_FILTER_IGNORED", "The service's list holds calls that the viewer may not see.");
  }
  return {
    task: {
      async load(taskId) {
        if (!access.seesTaskId(taskId)) return null;
        const task = await loaders.task.load(taskId);
        return task && access.seesTask(task) ? task : null;
      },
    },
    callLogs: {
      async load(query) {
        const own = access.ofCalls(query);
        if (own) return checked(await loaders.callLogs.load(own));
        return { rows: [], total: 0, pageIndex: query.pageIndex, pageSize: query.pageSize };
      },
    },
    // A search reads a range to its end and counts its rows. The rows of others stay in it under names that nobody can ask for.
    // So the search for such a call takes the same requests as the search for a call that does not exist.
    callLogPages: {
      async load(query) {
        const page = await loaders.callLogPages.load(query);
        return { ...page, rows: page.rows.map((row) => (access.seesCall(row) ? row : anonymous(row))) };
      },
    },
    taskCallLogs: {
      async load(key) {
        const filter = access.ofCalls(key.filter);
        if (filter) return checked(await loaders.taskCallLogs.load({ ...key, filter }));
        return { rows: [], total: 0, offset: 0, drift: false };
      },
    },
  };
}

const NAMESPACE = randomUUID();

function anonymous(row: CallLogRecord): CallLogRecord {
  return row.sessionId === null ? row : { ...row, sessionId: `${NAMESPACE} ${row.sessionId}` };
}

export function restrictKnownLoaders(known: KnownLoaders, access: RowAccess): KnownLoaders {
  const ownEvent = (event: CallEndedEvent | null) => (event && access.seesCall(event) ? event : null);
  return {
    headCursor: known.headCursor,
    newestEvent: { load: async (sessionId) => ownEvent(await known.newestEvent.load(sessionId)) },
    newestEvents: (sessionIds) =>
      andThen(known.newestEvents(sessionIds), (events) =>
        events.map((event) => (event instanceof Error ? event : ownEvent(event))),
      ),
    assistant: {
      load: async (version) => (access.seesAssistant(version.assistantId) ? known.assistant.load(version) : null),
    },
    // A recording has neither a task nor an assistant, so it needs an event of its call.
    recording: {
      async load(call) {
        const event = ownEvent(call.event) ?? ownEvent(await known.newestEvent.load(call.sessionId));
        return event && known.recording.load(call);
      },
    },
  };
}
