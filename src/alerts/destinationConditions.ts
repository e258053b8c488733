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

/** Instants are epoch milliseconds. Of `unknown` nothing is raised, and nothing ends: nobody has tried it since it was let go on. */
type Standing =
  | { kind: "unknown" | "held" | "disabled" }
  /** `isSeen`: an earlier look saw the same. */
  | { kind: "failing"; since: number; isSeen: boolean }
  | { kind: "taking"; at: number };

/** What a look has seen. `answeredIn`: the run in which the last attempt was seen first. */
interface Seen {
  run: number;
  delivered: number;
  lastAt: string | undefined;
  answeredIn: number;
  since: number | null;
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
      const { name, state } = destination;
      const known = before.get(name);
      const own = state && seenOf(destination, state, known);
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

/** An erasure takes the texts of answers. A failure without status then looks like what a folder has taken, at an instant before any new alert. */
const hasFailed = ({ status, text }: Answer): boolean =>
  status === null ? text !== null : status < 200 || status >= 300;

function seenOf(
  { getsCalls }: WatchedDestination,
  { run, delivered, failingSince, lastAnswer }: NonNullable<WatchedDestination["state"]>,
  known: Seen | undefined,
): Seen {
  const lastAt = lastAnswer?.at;
  const answeredIn = known?.lastAt === lastAt ? (known?.answeredIn ?? run) : run;
  const own = { run, delivered, lastAt, answeredIn };
  if (getsCalls) return { ...own, since: failingSince === null ? null : epochMsOf(failingSince) };
  // A chat that has refused an alert for good counts as not failing, because nothing waits. It has taken nothing all the same, until it takes
  // another one. What it answered before somebody let it go on says nothing.
  const hasRefused = lastAnswer !== null && hasFailed(lastAnswer) && answeredIn === run;
  const last = failingSince ?? (hasRefused ? lastAnswer.at : null);
  if (last === null) return { ...own, since: null };
  const isSame = known?.run === run && known.delivered === delivered;
  return { ...own, since: Math.min(epochMsOf(last), (isSame ? known.since : null) ?? Infinity) };
}

function standingOf({ isOn, state }: WatchedDestination, seen: Seen | null, known: Seen | undefined): Standing {
  if (!isOn || state?.state === "PAUSED") return { kind: "held" };
  if (!state || !seen) return { kind: "unknown" };
  if (state.state === "DISABLED") return { kind: "disabled" };
  if (seen.since !== null) return { kind: "failing", since: seen.since, isSeen: known?.since === seen.since };
  const { lastAnswer } = state;
  if (lastAnswer === null || hasFailed(lastAnswer)) return { kind: "unknown" };
  return { kind: "taking", at: epochMsOf(lastAnswer.at) };
}

/** Two subjects, so that an alert of the one kind can take the place of the other. Both are always found. */
function findingsOf(
  rule: DestinationRule,
  { destination: { name, state }, standing }: { destination: WatchedDestination; standing: Standing },
  now: number,
): [failing: Finding, disabled: Finding] {
  const status = state?.lastAnswer?.status ?? null;
  const condition = (since: number, detail: object): Condition => ({
    at: now,
    value: Math.max(0, Math.floor((now - since) / MINUTE_MS)),
    threshold: rule.minutes,
    detail: { unit: "MINUTES", status, ...detail },
    // It is so as long as it is found.
    tellUntil: Infinity,
  });
  const find = (suffix: string, own: Pick<Finding, "condition" | "over">): Finding => ({
    rule,
    subject: `destination ${name}${suffix}`,
    ...own,
  });
  const both = (failing: Condition | Over | null, disabled: Condition | Over | null): [Finding, Finding] => [
    find("", asFound(failing)),
    find(" disabled", asFound(disabled)),
  ];
  const replaced: Over = { at: now, ending: "NOT_RUNNING" };
  if (standing.kind === "held") return both(replaced, replaced);
  if (standing.kind === "disabled") {
    const since = state?.failingSince == null ? now : epochMsOf(state.failingSince);
    return both(replaced, condition(since, { disabledFor: state?.reason }));
  }
  if (standing.kind === "taking") {
    // What it took before the alert does not end it.
    const over: Over = { at: standing.at, ending: "RECOVERED", isOfBefore: true };
    return both(over, over);
  }
  const isLong = standing.kind === "failing" && standing.isSeen && now - standing.since >= rule.minutes * MINUTE_MS;
  return isLong ? both(condition(standing.since, {}), replaced) : both(null, null);
}

const asFound = (own: Condition | Over | null): Pick<Finding, "condition" | "over"> =>
  own === null ? { condition: null } : "ending" in own ? { condition: null, over: own } : { condition: own };
