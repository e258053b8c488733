// Which rules an entry of the log is for, and what it says to each of them.
import { hash } from "node:crypto";
import { columnText, isEnd, reportedAnswered, type CallEndedEvent } from "../events/callEndedEvent.ts";
import { epochMsOf } from "../format/instant.ts";
import type { Signer } from "../util/hmac.ts";
import { HOUR_MS } from "../util/durations.ts";
import type { AlertRule, WindowRule } from "./alertFile.ts";

/** What an alert is about: `task 12`, `assistant 7` or `all`. */
export type Subject = string;

/** A call that came later after its end counts for no rule: it tells nothing of how things are now. */
export const LATE_MS = HOUR_MS;

/** When the call ended. A service whose clock is ahead does not move the windows into the future. */
export function endOf({ endAt, receivedAt }: CallEndedEvent): number {
  const received = epochMsOf(receivedAt);
  return endAt === null ? received : Math.min(epochMsOf(endAt), received);
}

export const isLate = (event: CallEndedEvent): boolean => epochMsOf(event.receivedAt) - endOf(event) > LATE_MS;

/** An outbound call of now, and not of an import. */
export const isOfNow = ({ source, direction }: CallEndedEvent): boolean =>
  source !== "IMPORTED" && direction !== "inbound";

export const judgeable = (event: CallEndedEvent): boolean => isOfNow(event) && isEnd(event);

/** Whether an entry counts: such a call, and the gateway learned of it in time. */
export const counts = (event: CallEndedEvent): boolean => judgeable(event) && !isLate(event);

/** The subjects of a rule to which a call belongs. */
export function subjectsOf({ of, tasks, assistants }: WindowRule, event: CallEndedEvent): Subject[] {
  const taskId = columnText(event.taskId);
  const own = [...new Set(event.assistants.map(({ assistantId }) => columnText(assistantId)))];
  const named = assistants ? own.filter((id) => assistants.includes(id)) : own;
  if (tasks && (taskId === null || !tasks.includes(taskId))) return [];
  if (assistants && named.length === 0) return [];
  if (of === "all") return ["all"];
  if (of === "assistant") return named.map((id) => `assistant ${id}`);
  return taskId === null ? [] : [`task ${taskId}`];
}

/** The entries of a reader, as rules see them. */
export interface JudgedEntries<Entry> {
  /** The name of the reader and its cursor. Its states have it, too. */
  reader: string;
  /** Whether a rule is on such entries. */
  isFor(rule: AlertRule): rule is WindowRule;
  /** The call of an entry, and when it happened, in epoch milliseconds. Null: it counts for no rule. */
  read(entry: Entry): { call: CallEndedEvent; at: number } | null;
  /** Whether it is one of those that the rule looks for. Null: that is not known, and it does not count. */
  isHit(rule: WindowRule, entry: Entry): boolean | null;
}

/** Its cursor is where the rules are in the log. */
export const ALERTS_READER = "alerts";

export const endedCalls: JudgedEntries<CallEndedEvent> = {
  reader: ALERTS_READER,
  isFor: (rule): rule is WindowRule => rule.kind === "answerRate" || rule.kind === "hangUpReason",
  read: (call) => (counts(call) ? { call, at: endOf(call) } : null),
  isHit(rule, call) {
    if (rule.kind === "answerRate") return reportedAnswered(call);
    if (rule.kind !== "hangUpReason" || call.hangupReason === null) return null;
    return rule.reasons.includes(call.hangupReason);
  },
};

/** A session ID may be made of a phone number, so that states hold a keyed hash. */
export const keyOf = (signer: Pick<Signer, "digest">, { sessionId }: CallEndedEvent): string =>
  signer.digest("alert call", sessionId).slice(0, 12);

/** Changes where what a rule has counted is not what it would count now. Limits and times of rules do not change it. */
export function countingOf(rule: AlertRule): string {
  const { kind, reasons, keys, limits, minutes, ...more }: Partial<Record<string, unknown>> = rule;
  // The default, also where it is written out.
  const of = isOnEachTask(rule) ? undefined : more["of"];
  const [tasks, assistants] = isOnEachTask(rule) ? [] : [more["tasks"], more["assistants"]];
  // Members of later kinds are appended where they are defined, so that they change nothing of a rule without them.
  const later = keys === undefined && limits === undefined ? [] : [keys, limits];
  if (minutes !== undefined) later.push(minutes);
  return hash("sha256", JSON.stringify([kind, of, tasks, assistants, reasons, ...later]), "hex").slice(0, 16);
}

/** Whether a rule looks at each task on its own. */
export const isOnEachTask = (rule: AlertRule): boolean =>
  rule.kind === "peopleLeft" || (rule.kind === "noCalls" && (rule.of ?? "task") === "task");

/** Whether a rule that names the tasks at which it looks still names that of a subject. True of other rules. */
export const stillNames = (rule: AlertRule, subject: Subject): boolean =>
  !isOnEachTask(rule) || !("tasks" in rule) || (rule.tasks?.some((id) => subject === `task ${id}`) ?? true);
