// Conditions that a look finds, such as the use of a limit: unlike what the log shows, they are not found again by reading it. Each look tells what
// holds; the states in the database say what was raised, so that each alert is raised once on however many gateways.
import { epochMsOf, instantOf } from "../format/instant.ts";
import type { AlertChange, Judgement, StateKey, StoredState } from "../store/alerts/alertWrites.ts";
import type { AlertRule } from "./alertFile.ts";
import type { Ending, SubjectState } from "./callWindow.ts";
import { countingOf } from "./judgeCall.ts";
import { NEWS_MS } from "./judge.ts";

/** The name that the states have. There is no cursor. */
export const CONDITIONS = "conditions";

export interface Condition {
  /** When the alert is raised: one alert of a rule and a subject has an instant. Epoch milliseconds, as the others. */
  at: number;
  /** The instant that it is about, such as the end of a task's hours: nothing is raised of it, or of one before it, twice. Default: `at`. */
  of?: number;
  value: number;
  threshold: number;
  /** Further words, as JSON (alertText.ts). */
  detail: object;
  /** When it is over by itself. */
  until?: number | undefined;
  /** A count that the alert keeps (Over). */
  mark?: number | undefined;
  /** People are told of it until then. Default: two hours after the instant that it is about. */
  tellUntil?: number | undefined;
}

/** What a look found of a subject. A subject that nothing is known of is left out, and stays as it is. */
export interface Finding {
  rule: AlertRule;
  subject: string;
  taskId?: string | undefined;
  assistantId?: string | undefined;
  /** Null: it does not hold. */
  condition: Condition | null;
  /** When and why an open alert is over. Without a condition only. */
  over?: Over | undefined;
}

/** `isOfBefore`: only an alert that was raised before that instant. `of`: only one that is about this instant. `above`: only one whose mark is below this. */
export interface Over {
  at: number;
  ending: Ending;
  isOfBefore?: boolean;
  of?: number;
  above?: number;
}

/** What a rule watches now, where it does not name it: an open alert about another subject is over. */
export interface Covered {
  rule: AlertRule;
  subjects: ReadonlySet<string>;
  at: number;
}

export interface Found {
  findings: readonly Finding[];
  covered: readonly Covered[];
}

/** Rejects where nothing can be found now: open alerts stay as they are. */
export type FindConditions = (rules: readonly AlertRule[], signal: AbortSignal) => Promise<Found>;

interface ConditionState extends SubjectState {
  until: number | null;
  /** The newest instant that an alert was about. */
  raised: number | null;
  mark: number | null;
}

export const keysOf = ({ findings }: Found): StateKey[] =>
  findings.filter(({ condition }) => condition !== null).map(({ rule, subject }) => ({ rule: rule.name, subject }));

/** `states`: those of the findings, and all that are open. */
export function judgeConditions({ findings, covered }: Found, states: readonly StoredState[], now: number): Judgement {
  const byKey = new Map(states.map((row) => [nameOf(row), row]));
  const changed = new Map<string, StoredState>();
  const changes: AlertChange[] = [];
  function write(key: StateKey, counting: string, state: ConditionState): void {
    const { rule, subject } = key;
    const isOpen = state.openSince !== null;
    const row = { rule, subject, counting, reader: CONDITIONS, isOpen, at: instantOf(state.at) };
    const stored = { ...row, state: JSON.stringify(state) };
    byKey.set(nameOf(key), stored);
    changed.set(nameOf(key), stored);
  }
  function end(row: StoredState, { at, ending, isOfBefore = false, of, above }: Over): void {
    const state = parse(row);
    if (state.openSince === null || (isOfBefore && state.openSince >= at)) return;
    if (of !== undefined && state.raised !== of) return;
    if (above !== undefined && (state.mark === null || state.mark >= above)) return;
    const { rule, subject } = row;
    const [raisedAt, resolvedAt] = [instantOf(state.openSince), instantOf(Math.max(at, state.openSince))];
    changes.push({ kind: "resolved", rule, subject, raisedAt, resolvedAt, ending, isTold: state.isTold });
    write(row, row.counting, { ...state, openSince: null, isTold: false, isGood: true });
  }
  for (const row of states) {
    if (row.reader !== CONDITIONS || !row.isOpen) continue;
    const { until } = parse(row);
    if (until !== null && until <= now) end(row, { at: until, ending: "PERIOD_OVER" });
  }
  for (const { rule, subjects, at } of covered)
    for (const row of byKey.values())
      if (row.rule === rule.name && row.reader === CONDITIONS && row.isOpen && row.counting === countingOf(rule))
        if (!subjects.has(row.subject)) end(row, { at, ending: "RULE_CHANGED" });
  for (const { rule, subject, taskId = null, assistantId = null, condition, over } of findings) {
    const key = { rule: rule.name, subject };
    const counting = countingOf(rule);
    const row = byKey.get(nameOf(key));
    // A state that the rule of this name made before it was changed. The judge of calls ends what is open.
    const isOwn = row?.counting === counting && row.reader === CONDITIONS;
    if (row && !isOwn && row.isOpen) continue;
    if (condition === null) {
      if (row && isOwn && over) end(row, over);
      continue;
    }
    const before = row && isOwn ? parse(row) : null;
    const { at, of = at, value, threshold, detail, until = null, mark = null, tellUntil = of + NEWS_MS } = condition;
    // Found before the end of the period, and written after it.
    if (until !== null && until <= now) continue;
    if (before && (before.openSince !== null || (before.raised ?? -Infinity) >= of)) continue;
    const raisedAt = instantOf(at);
    const words = JSON.stringify(detail);
    const alert = { rule: rule.name, subject, kind: rule.kind, taskId, assistantId, raisedAt };
    changes.push({ kind: "raised", alert: { ...alert, value, threshold, calls: 0, detail: words } });
    const isTold = now <= tellUntil;
    if (isTold) changes.push({ kind: "told", ...key, raisedAt });
    write(key, counting, { calls: [], at, openSince: at, isTold, isGood: false, until, raised: of, mark });
  }
  return { states: [...changed.values()], changes };
}

const nameOf = ({ rule, subject }: StateKey) => `${rule} ${subject}`;

const parse = ({ state, at }: StoredState): ConditionState => ({
  until: null,
  mark: null,
  raised: epochMsOf(at),
  ...(JSON.parse(state) as SubjectState),
});
