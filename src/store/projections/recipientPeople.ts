// Groups the calls of a task by person, and sums them up. The result depends on the set of calls alone, not on their order. What is known of a
// person can be joined with a new call, or with what is known of another one, without its calls.
import type { Signer } from "../../util/hmac.ts";
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";

/** By which a call is known to be to a person. Two calls of a task with a common `key` are to one person, unless both state other codes. */
export interface PersonKey {
  /** A keyed hash of a number in one country, or the service's ID of the number in the task. It has no space and no colon. */
  key: string;
  /** The country code that the number states. Null: none, so that it fits each. */
  code: string | null;
}

/** The key of a text that names a person within a task. */
export const recipientKey = (signer: Pick<Signer, "digest">, taskId: string, text: string): string =>
  signer.digest("recipient", `${taskId} ${text}`);

/** `key` or `key:code`, between spaces. */
export const textOfKeys = (keys: readonly PersonKey[]): string =>
  keys.map(({ key, code }) => (code === null ? key : `${key}:${code}`)).join(" ");

export function keysOfText(text: string): PersonKey[] {
  if (text === "") return [];
  return text.split(" ").map((one) => {
    const [key = "", code = null] = one.split(":");
    return { key, code };
  });
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
  /** REACHED if one of the calls is; else that of the last call. */
  outcome: RecipientOutcome;
  attempts: number;
  talkTime: number;
  firstAt: string;
  lastAt: string;
  lastSession: string;
  lastReason: string | null;
}

export function summaryOf({ outcome, talkTime, endedAt, sessionId, reason }: RecipientCall): RecipientSummary {
  const last = { lastAt: endedAt, lastSession: sessionId, lastReason: reason };
  return { outcome, attempts: 1, talkTime, firstAt: endedAt, ...last };
}

/** The two have no call in common. */
export function joinSummaries(a: RecipientSummary, b: RecipientSummary): RecipientSummary {
  const later = isLater(a, b) ? a : b;
  return {
    outcome: [a, b].some(({ outcome }) => outcome === "REACHED") ? "REACHED" : later.outcome,
    attempts: a.attempts + b.attempts,
    talkTime: a.talkTime + b.talkTime,
    firstAt: a.firstAt < b.firstAt ? a.firstAt : b.firstAt,
    lastAt: later.lastAt,
    lastSession: later.lastSession,
    lastReason: later.lastReason,
  };
}

/** By code unit, as both databases compare. */
const isLater = (a: RecipientSummary, b: RecipientSummary): boolean =>
  a.lastAt === b.lastAt ? a.lastSession > b.lastSession : a.lastAt > b.lastAt;

/** Groups what has keys, of one task, by person. */
export function groupByPerson<Known extends { keys: readonly PersonKey[] }>(all: readonly Known[]): Known[][] {
  const parents = all.map((_, at) => at);
  const rootOf = (at: number): number => {
    const parent = parents[at] as number;
    return parent === at ? at : (parents[at] = rootOf(parent));
  };
  const join = ([first, ...others]: readonly number[]) => {
    for (const other of others) parents[rootOf(other)] = rootOf(first as number);
  };
  const withKey = new Map<string, { at: number; code: string | null }[]>();
  for (const [at, { keys }] of all.entries())
    for (const { key, code } of keys) {
      const members = withKey.get(key);
      if (members) members.push({ at, code });
      else withKey.set(key, [{ at, code }]);
    }
  for (const members of withKey.values()) {
    // Most people of a batch are called once in it.
    if (members.length === 1) continue;
    // Nobody knows of which country a number without its code is, and then nobody may be called twice.
    const isOpen = members.some(({ code }) => code === null);
    for (const group of Map.groupBy(members, ({ code }) => (isOpen ? null : code)).values())
      join(group.map(({ at }) => at));
  }
  return Array.from(Map.groupBy(all.keys(), rootOf).values(), (places) => places.map((at) => all[at] as Known));
}
