// Reads the numbers and variables of recipients from the log: the number of the newest call, and the variables of the newest call that has
// some, because a call that reconciliation found has none.
import type { CallEndedEvent } from "../../events/callEndedEvent.ts";
import type { EventLog } from "../../events/eventLog.ts";
import type { Recipient, RecipientStore } from "../../store/projections/recipientStore.ts";
import { withoutCorrelationToken } from "../correlationToken.ts";

export interface CalledNumber {
  /** As the log has it. Null: it has none. */
  number: string | null;
  extra: Record<string, unknown> | null;
  /** The service's ID of the number in the task, as the newest call has it. */
  taskItemId: string | null;
}

export interface RecipientNumbersDeps {
  events: Pick<EventLog, "newestOf">;
  recipients: Pick<RecipientStore, "callsOfAll">;
}

/** In the order of the recipients. Null: their calls are not in the log any more, or an entry is damaged. */
export type ReadNumbers = (taskId: string, recipients: readonly Recipient[]) => Promise<(CalledNumber | null)[]>;

/** Earlier calls in which variables are looked for. */
const MAX_EARLIER = 20;

export function createReadNumbers({ events, recipients: store }: RecipientNumbersDeps): ReadNumbers {
  const newestOf = async (sessionIds: readonly string[]) => {
    const found = await events.newestOf(sessionIds);
    return found.map((event) => (event instanceof Error ? null : event));
  };

  /** By the session ID of the last call. */
  async function earlierVariables(taskId: string, lastSessions: readonly string[]) {
    if (lastSessions.length === 0) return new Map<string, CalledNumber["extra"]>();
    const calls = await store.callsOfAll(taskId, lastSessions);
    const earlier = Array.from(calls, ([last, sessions]) => [last, sessions.slice(1, 1 + MAX_EARLIER)] as const);
    const sessionIds = earlier.flatMap(([, sessions]) => sessions);
    const all = await newestOf(sessionIds);
    const bySession = new Map(sessionIds.map((id, at) => [id, all[at] ?? null]));
    return new Map(
      earlier.map(([last, sessions]) => {
        const withSome = sessions.map((id) => variablesOf(bySession.get(id) ?? null)).find((extra) => extra !== null);
        return [last, withSome ?? null];
      }),
    );
  }

  return async (taskId, recipients) => {
    const newest = await newestOf(recipients.map(({ lastSession }) => lastSession));
    const without = recipients.filter(({ attempts }, at) => attempts > 1 && variablesOf(newest[at] ?? null) === null);
    const earlier = await earlierVariables(
      taskId,
      without.map(({ lastSession }) => lastSession),
    );
    return recipients.map(({ lastSession }, at) => {
      const event = newest[at] ?? null;
      if (event === null) return null;
      const { callee: number, taskItemId } = event;
      return { number, taskItemId, extra: variablesOf(event) ?? earlier.get(lastSession) ?? null };
    });
  };
}

/** Null: none. */
function variablesOf(event: CallEndedEvent | null): CalledNumber["extra"] {
  const extra = withoutCorrelationToken(event?.extra ?? null);
  return extra === null || Object.keys(extra).length === 0 ? null : extra;
}
