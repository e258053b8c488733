// What a rule knows of a subject: the last calls, and whether an alert is open. A step follows from the state and the call alone, never from
// the clock, so that the same log always gives the same alerts.
import { HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import { countOf, MAX_WINDOW_CALLS, minCallsOf, thresholdOf, type WindowRule } from "./alertFile.ts";

/** A call as a rule counts it: a key, when it ended, and whether it is one of those that the rule looks for. */
export type CountedCall = [key: string, at: number, hit: 0 | 1];

export interface SubjectState {
  /** In the order of their ends. */
  calls: CountedCall[];
  /** The newest end that was seen. Times are epoch milliseconds. */
  at: number;
  /** When the open alert was raised. Null: none is open. */
  openSince: number | null;
  /** Whether people were told of it. */
  isTold: boolean;
  /** Whether the last window that had enough calls was good. */
  isGood: boolean;
}

/**
 * RECOVERED: the window was good again. NO_CALLS: a day went by without a call. RULE_CHANGED: the rule is gone, or counts other calls. PERIOD_OVER: the
 * hour or day of the limit is over, or the task may call again. NOT_RUNNING: the task has stopped, or its hours are over.
 */
export const endings = ["RECOVERED", "NO_CALLS", "RULE_CHANGED", "PERIOD_OVER", "NOT_RUNNING"] as const;
export type Ending = (typeof endings)[number];

export interface Measured {
  /** A share, from 0 to 1, or a number where the rule asks for one. */
  value: number;
  calls: number;
}

export type Change =
  | ({ kind: "raised"; at: number } & Measured)
  | { kind: "resolved"; raisedAt: number; at: number; ending: Ending };

/** An alert ends after so long without a call. */
export const SILENT_MS = 24 * HOUR_MS;

export const emptyState = (): SubjectState => ({ calls: [], at: 0, openSince: null, isTold: false, isGood: true });

/** Null: the window has too few calls, and says nothing. */
export function measure(rule: WindowRule, { calls }: SubjectState): Measured | null {
  if (calls.length < minCallsOf(rule)) return null;
  const hits = calls.reduce((sum, [, , hit]) => sum + hit, 0);
  return { value: countOf(rule) === null ? hits / calls.length : hits, calls: calls.length };
}

export function isBad(rule: WindowRule, { value }: Measured): boolean {
  const threshold = thresholdOf(rule);
  if (rule.kind === "answerRate") return value < threshold;
  return countOf(rule) === null ? value > threshold : value >= threshold;
}

/**
 * Ends what is over at that instant: an alert whose window was good when its cool-down ended, or that had no call for a day. No call that ended
 * before the instant may follow.
 */
export function settle(rule: WindowRule, state: SubjectState, to: number): [SubjectState, Change[]] {
  const { openSince } = state;
  if (openSince === null) return [state, []];
  const cooled = openSince + rule.coolDownMinutes * MINUTE_MS;
  const due = state.isGood ? cooled : state.at + SILENT_MS;
  if (to < due) return [state, []];
  const ending = state.isGood ? "RECOVERED" : "NO_CALLS";
  // Calls of before the silence say nothing of those after it.
  const calls = state.isGood ? state.calls : [];
  return [{ ...state, calls, openSince: null }, [{ kind: "resolved", raisedAt: openSince, at: due, ending }]];
}

/**
 * Takes a call. `hit` null: nothing is known of it, and it does not count. The cool-down is the least time that an alert is open, so that one that
 * goes up and down is one alert; too few calls neither raise nor end one.
 */
export function addCall(
  rule: WindowRule,
  before: SubjectState,
  { key, at, hit }: { key: string; at: number; hit: boolean | null },
): [SubjectState, Change[]] {
  const [settled, changes] = settle(rule, before, at);
  const state = { ...settled, at: Math.max(settled.at, at), calls: windowOf(rule, settled, { key, at, hit }) };
  const measured = measure(rule, state);
  if (measured === null) return [state, changes];
  const { openSince } = state;
  const isGood = !isBad(rule, measured);
  if (openSince === null)
    return isGood
      ? [{ ...state, isGood }, changes]
      : [
          { ...state, isGood, openSince: state.at, isTold: false },
          [...changes, { kind: "raised", at: state.at, ...measured }],
        ];
  if (!isGood || state.at < openSince + rule.coolDownMinutes * MINUTE_MS) return [{ ...state, isGood }, changes];
  const resolved = { kind: "resolved", raisedAt: openSince, at: state.at, ending: "RECOVERED" } as const;
  return [{ ...state, isGood, openSince: null }, [...changes, resolved]];
}

/** A further revision of a call takes the place of the one before. */
function windowOf(
  { window }: WindowRule,
  { calls, at: newest }: SubjectState,
  { key, at, hit }: { key: string; at: number; hit: boolean | null },
): CountedCall[] {
  const since = window.minutes === undefined ? -Infinity : Math.max(newest, at) - window.minutes * MINUTE_MS;
  const kept: CountedCall[] = [];
  let isPlaced = hit === null || at <= since;
  const place = () => {
    if (!isPlaced) kept.push([key, at, hit ? 1 : 0]);
    isPlaced = true;
  };
  // One pass: a window has up to 1,000 calls, and each call is one of many rules.
  for (const call of calls) {
    const [other, ended] = call;
    if (other === key || ended <= since) continue;
    if (ended > at || (ended === at && other > key)) place();
    kept.push(call);
  }
  place();
  const most = window.calls ?? MAX_WINDOW_CALLS;
  return kept.length > most ? kept.slice(-most) : kept;
}
