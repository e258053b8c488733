// Groups the calls of a task by person, and sums up a person's calls. The result depends on the set of calls alone, not on their order.
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";

/** By which a call is known to be to a person. Two calls of a task with a common `key` are to one person, unless both state other codes. */
export interface PersonKey {
  /** A keyed hash of a number in one country, or of the service's ID of the number in the task. */
  key: string;
  /** The country code that the number states. Null: none, so that it fits each. */
  code: string | null;
}

/** What the newest revision of a call contributes. */
export interface RecipientCall {
  sessionId: string;
  /** The position of the revision in the log. */
  seq: number;
  taskId: string;
  /** None: nobody knows whom it was to, and it counts as a person of its own. */
  keys: readonly PersonKey[];
  /** The call's end, or the time of receipt. */
  endedAt: string;
  outcome: RecipientOutcome;
  /** In the service's unit. */
  talkTime: number;
  reason: string | null;
}

export interface RecipientSummary {
  /** The session ID of the first call. */
  recipient: string;
  outcome: RecipientOutcome;
  attempts: number;
  talkTime: number;
  firstAt: string;
  lastAt: string;
  lastSession: string;
  lastReason: string | null;
}

/** Calls of one task, by person; each person's calls in the order of time. */
export function groupByPerson<Call extends Pick<RecipientCall, "sessionId" | "keys" | "endedAt">>(
  calls: readonly Call[],
): Call[][] {
  const parents = calls.map((_, at) => at);
  const rootOf = (at: number): number => {
    const parent = parents[at] as number;
    return parent === at ? at : (parents[at] = rootOf(parent));
  };
  const join = ([first, ...others]: readonly number[]) => {
    for (const other of others) parents[rootOf(other)] = rootOf(first as number);
  };
  const withKey = new Map<string, { at: number; code: string | null }[]>();
  for (const [at, { keys }] of calls.entries())
    for (const { key, code } of keys) withKey.getOrInsertComputed(key, () => []).push({ at, code });
  for (const members of withKey.values()) {
    // Nobody knows of which country a number without its code is, and then nobody may be called twice.
    const isOpen = members.some(({ code }) => code === null);
    for (const group of Map.groupBy(members, ({ code }) => (isOpen ? null : code)).values())
      join(group.map(({ at }) => at));
  }
  const people = Map.groupBy(calls.keys(), rootOf);
  return Array.from(people.values(), (places) => places.map((at) => calls[at] as Call).toSorted(byTime));
}

type Timed = Pick<RecipientCall, "endedAt" | "sessionId">;
const byTime = (a: Timed, b: Timed) => compare(a.endedAt, b.endedAt) || compare(a.sessionId, b.sessionId);
/** By code unit, as both databases do. */
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** A person who was reached once is reached; else the last call decides. `calls`: of one person, at least one, in the order of time. */
export function summaryOf(calls: readonly RecipientCall[]): RecipientSummary {
  const [first, last] = [calls[0] as RecipientCall, calls.at(-1) as RecipientCall];
  return {
    recipient: first.sessionId,
    outcome: calls.some(({ outcome }) => outcome === "REACHED") ? "REACHED" : last.outcome,
    attempts: calls.length,
    talkTime: calls.reduce((sum, { talkTime }) => sum + talkTime, 0),
    firstAt: first.endedAt,
    lastAt: last.endedAt,
    lastSession: last.sessionId,
    lastReason: last.reason,
  };
}
