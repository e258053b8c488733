// Destinations that take nothing, or were disabled, as rules see them. Each has one alert at a time, however many events it does not take: that it
// takes nothing, or in its place that it was disabled.
import { epochMsOf } from "../format/instant.ts";
import type { DestinationState } from "../store/destinations/destinationStore.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import type { Condition, Finding, Found, Over } from "./conditions.ts";

/** A destination of the file. */
export interface WatchedDestination {
  name: string;
  /** False: the file has switched it off. */
  isOn: boolean;
  getsCalls: boolean;
  /** Null: it has not begun. */
  state: Pick<DestinationState, "run" | "state" | "reason" | "delivered" | "failingSince" | "lastAnswer"> | null;
}

type DestinationRule = Extract<AlertRule, { kind: "destinationFails" }>;
const isOnDestinations = (rule: AlertRule): rule is DestinationRule => rule.kind === "destinationFails";

export const watchesDestinations = (rules: readonly AlertRule[]): boolean => rules.some(isOnDestinations);

/** `since`: in epoch milliseconds. `isSeen`: an earlier look saw the same. Of the others nothing is raised. */
type Standing = { kind: "held" | "disabled" | "other" } | { kind: "failing"; since: number; isSeen: boolean };

/** What a look has seen, in epoch milliseconds. `answeredIn`: the run in which the last attempt was seen first. */
interface Seen {
  run: number;
  delivered: number;
  lastAt: string | undefined;
  answeredIn: number;
  /** Since when it takes nothing. */
  since: number | null;
  /** It was paused or switched off. */
  isHeld: boolean;
  /** When it went on after that: its minutes begin there. */
  from: number;
}

export type LookAtDestinations = (
  rules: readonly AlertRule[],
  destinations: readonly WatchedDestination[],
  now: number,
) => Found;

/**
 * A failure is told when a second look sees it: after a start of the gateway, a destination that is back has that long to take what waited.
 */
export function createDestinationLook(): LookAtDestinations {
  let before: ReadonlyMap<string, Seen> = new Map();
  return (rules, destinations, now) => {
    const seen = new Map<string, Seen>();
    const looked = destinations.map((destination) => {
      const { name } = destination;
      const known = before.get(name);
      const own = seenOf(destination, known, now);
      if (own) seen.set(name, own);
      return { destination, standing: standingOf(destination, own, known) };
    });
    before = seen;
    const found = rules.filter(isOnDestinations).map((rule) => {
      const watched = looked.filter(({ destination: { name } }) => rule.destinations?.includes(name) ?? true);
      const findings = watched.flatMap((each) => findingsOf(rule, each, now));
      return { findings, covered: { rule, subjects: new Set(findings.map(({ subject }) => subject)), at: now } };
    });
    return { findings: found.flatMap(({ findings }) => findings), covered: found.map(({ covered }) => covered) };
  };
}

const isHeld = ({ isOn, state }: WatchedDestination) => !isOn || state?.state === "PAUSED";

/** A chat that takes an alert has answered. A robot that does not, with 200, says why. */
const isRefusal = ({ status, text }: Answer): boolean =>
  text !== null || status === null || status < 200 || status >= 300;

/** Undefined: it has not begun. */
function seenOf(destination: WatchedDestination, known: Seen | undefined, now: number): Seen | undefined {
  const { getsCalls, state } = destination;
  if (!state) return undefined;
  const { run, delivered, failingSince, lastAnswer } = state;
  const lastAt = lastAnswer?.at;
  const answeredIn = known?.lastAt === lastAt ? (known?.answeredIn ?? run) : run;
  const from = known?.isHeld ? now : (known?.from ?? -Infinity);
  const own = { run, delivered, lastAt, answeredIn, from, isHeld: isHeld(destination) };
  if (getsCalls) return { ...own, since: failingSince === null ? null : epochMsOf(failingSince) };
  // A chat that has refused an alert for good counts as not failing, because nothing waits. It has taken nothing all the same, until it takes
  // another one. What it answered before somebody let it go on says nothing.
  const hasRefused = lastAnswer !== null && isRefusal(lastAnswer) && answeredIn === run;
  const last = failingSince ?? (hasRefused ? lastAnswer.at : null);
  if (last === null) return { ...own, since: null };
  const isSame = known?.run === run && known.delivered === delivered;
  return { ...own, since: Math.min(epochMsOf(last), (isSame ? known.since : null) ?? Infinity) };
}

function standingOf(destination: WatchedDestination, seen: Seen | undefined, known: Seen | undefined): Standing {
  if (isHeld(destination)) return { kind: "held" };
  if (destination.state?.state === "DISABLED") return { kind: "disabled" };
  if (!seen || seen.since === null) return { kind: "other" };
  const isSeen = known?.since === seen.since && !known.isHeld;
  return { kind: "failing", since: Math.max(seen.since, seen.from), isSeen };
}

/** Two subjects, so that an alert of the one kind can take the place of the other. Both are always found. */
function findingsOf(
  rule: DestinationRule,
  { destination: { name, state }, standing }: { destination: WatchedDestination; standing: Standing },
  now: number,
): Finding[] {
  const { lastAnswer = null, delivered = 0, failingSince = null } = state ?? {};
  const status = lastAnswer?.status ?? null;
  const condition = (since: number, detail: object): Condition => ({
    at: now,
    value: Math.max(0, Math.floor((now - since) / MINUTE_MS)),
    threshold: rule.minutes,
    detail: { unit: "MINUTES", status, ...detail },
    mark: delivered,
    // It is so as long as it is found.
    tellUntil: Infinity,
  });
  const find = (suffix: string, own: Pick<Finding, "condition" | "over">): Finding => ({
    rule,
    subject: `destination ${name}${suffix}`,
    ...own,
  });
  const end = (suffix: string, over: Over) => find(suffix, { condition: null, over });
  const replaced: Over = { at: now, ending: "NOT_RUNNING" };
  if (standing.kind === "held") return [end("", replaced), end(DISABLED, replaced)];
  // Counted, and not by times: an answer is stored after it came, and the next one may be a refusal.
  const at = status !== null && lastAnswer && !isRefusal(lastAnswer) ? epochMsOf(lastAnswer.at) : now;
  const taken: Over = { at, ending: "RECOVERED", above: delivered };
  const ends = [end("", taken), end(DISABLED, taken)];
  if (standing.kind === "disabled") {
    const since = failingSince === null ? now : epochMsOf(failingSince);
    const own = condition(since, { disabledFor: state?.reason });
    return [...ends, end("", replaced), find(DISABLED, { condition: own })];
  }
  const isLong = standing.kind === "failing" && standing.isSeen && now - standing.since >= rule.minutes * MINUTE_MS;
  return isLong ? [...ends, find("", { condition: condition(standing.since, {}) }), end(DISABLED, replaced)] : ends;
}

const DISABLED = " disabled";
