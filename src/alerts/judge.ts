// Judges entries of the log by the rules, and open alerts by the time.
import { instantOf, epochMsOf } from "../format/instant.ts";
import type { AlertChange, Judgement, OpenAlert, StateKey, StoredState } from "../store/alerts/alertWrites.ts";
import { HOUR_MS } from "../util/durations.ts";
import type { Signer } from "../util/hmac.ts";
import { countOf, thresholdOf, type AlertRule, type WindowRule } from "./alertFile.ts";
import { addCall, emptyState, settle, type Change, type SubjectState } from "./callWindow.ts";
import { countingOf, keyOf, LATE_MS, stillNames, subjectsOf, type JudgedEntries } from "./judgeCall.ts";

/** People are told of an alert while its calls are not older: what a reader that comes late finds of other days is no news. */
export const NEWS_MS = 2 * HOUR_MS;

export interface Judge<Entry> {
  /** The states that an entry may change. */
  keysOf(entry: Entry): StateKey[];
  judge(entries: readonly Entry[], states: readonly StoredState[]): Judgement;
  /**
   * What the time, and a change of the rules, mean for open alerts. `through`: all entries that were received before that instant were judged.
   * `alerts`: they end where no state has them any more, because the log shows other calls than before.
   */
  settle(open: { states: readonly StoredState[]; alerts: readonly OpenAlert[] }, through: number): Judgement;
}

export interface JudgeDeps<Entry> {
  /** What the reader reads. */
  of: JudgedEntries<Entry>;
  rules: readonly AlertRule[];
  signer: Pick<Signer, "digest">;
  /** Epoch milliseconds. It decides only what is told, and when an alert without further calls ends. */
  now: number;
}

interface Known {
  key: StateKey;
  rule: WindowRule;
  counting: string;
  reader: string;
  state: SubjectState;
}

export function createJudge<Entry>({ of, rules, signer, now }: JudgeDeps<Entry>): Judge<Entry> {
  const byName = new Map(rules.map((rule) => [rule.name, { rule, counting: countingOf(rule) }]));
  const own = rules.filter(of.isFor);
  function targetsOf(entry: Entry) {
    const read = of.read(entry);
    if (read === null) return [];
    const { call, at } = read;
    return own.flatMap((rule) =>
      subjectsOf(rule, call).map((subject) => ({ rule, key: { rule: rule.name, subject }, call, at })),
    );
  }

  /** `changes`: what the step makes of the state before. */
  function changesOf(
    { key, rule, state: before }: Known,
    [state, changes]: [SubjectState, Change[]],
  ): [SubjectState, AlertChange[]] {
    const made = changes.map((change) => changeOf(change, { key, rule, isTold: before.isTold }));
    const { openSince, isTold, at } = state;
    if (openSince === null || isTold || now - at > NEWS_MS) return [state, made];
    return [{ ...state, isTold: true }, [...made, { kind: "told", ...key, raisedAt: instantOf(openSince) }]];
  }
  return {
    keysOf: (entry) => targetsOf(entry).map(({ key }) => key),
    judge(entries, stored) {
      const known = new Map<string, Known>();
      const changed = new Set<Known>();
      const changes: AlertChange[] = [];
      const before = new Map(stored.map((state) => [nameOf(state), state]));
      function find(key: StateKey, rule: WindowRule, at: number): Known {
        const found = known.get(nameOf(key));
        if (found) return found;
        const { counting } = byName.get(rule.name) ?? { counting: "" };
        const row = before.get(nameOf(key));
        const state = row && row.counting === counting ? parse(row) : emptyState();
        if (row && row.counting !== counting) changes.push(...ruleChanged(row, at));
        const subject = { key, rule, counting, reader: of.reader, state };
        known.set(nameOf(key), subject);
        return subject;
      }
      for (const entry of entries)
        for (const { key, rule, call, at } of targetsOf(entry)) {
          const subject = find(key, rule, at);
          const counted = { key: keyOf(signer, call), at, hit: of.isHit(rule, entry) };
          const [state, made] = changesOf(subject, addCall(rule, subject.state, counted));
          subject.state = state;
          changes.push(...made);
          changed.add(subject);
        }
      return { states: [...changed].map(storedOf), changes };
    },
    settle({ states: stored, alerts }, through) {
      const states: StoredState[] = [];
      const changes: AlertChange[] = [];
      for (const row of stored) {
        const { rule, counting } = byName.get(row.rule) ?? {};
        if (rule && counting === row.counting && stillNames(rule, row.subject)) {
          if (!of.isFor(rule)) continue;
          const subject = { key: row, rule, counting, reader: of.reader, state: parse(row) };
          // Calls of the last hour may still come.
          const [state, made] = settle(rule, subject.state, Math.min(now, through) - LATE_MS);
          if (made.length === 0) continue;
          states.push(storedOf({ ...subject, state }));
          changes.push(...made.map((change) => changeOf(change, { key: row, rule, isTold: subject.state.isTold })));
          continue;
        }
        states.push({ ...row, isOpen: false, counting: "" });
        changes.push(...ruleChanged(row, now));
      }
      const kept = new Set(stored.map((row) => `${nameOf(row)} ${openSinceOf(row)}`));
      for (const alert of alerts)
        if (!kept.has(`${nameOf(alert)} ${alert.raisedAt}`)) {
          const resolvedAt = instantOf(Math.max(now, epochMsOf(alert.raisedAt)));
          changes.push({ kind: "resolved", ...alert, resolvedAt, ending: "RULE_CHANGED" });
        }
      return { states, changes };
    },
  };
}

const nameOf = ({ rule, subject }: StateKey) => `${rule} ${subject}`;
const parse = ({ state }: StoredState) => JSON.parse(state) as SubjectState;

function openSinceOf(row: StoredState): string | null {
  const { openSince } = parse(row);
  return openSince === null ? null : instantOf(openSince);
}

const storedOf = ({ key: { rule, subject }, counting, reader, state }: Known): StoredState => ({
  rule,
  subject,
  counting,
  reader,
  isOpen: state.openSince !== null,
  at: instantOf(state.at),
  state: JSON.stringify(state),
});

function ruleChanged(row: StoredState, at: number): AlertChange[] {
  const { openSince, isTold } = parse(row);
  if (openSince === null || !row.isOpen) return [];
  const { rule, subject } = row;
  const resolvedAt = instantOf(Math.max(at, openSince, epochMsOf(row.at)));
  return [
    { kind: "resolved", rule, subject, raisedAt: instantOf(openSince), resolvedAt, ending: "RULE_CHANGED", isTold },
  ];
}

function changeOf(
  change: Change,
  { key: { rule: name, subject }, rule, isTold }: Pick<Known, "key" | "rule"> & { isTold: boolean },
): AlertChange {
  if (change.kind === "resolved") {
    const { raisedAt, at, ending } = change;
    const [raised, resolvedAt] = [instantOf(raisedAt), instantOf(at)];
    return { kind: "resolved", rule: name, subject, raisedAt: raised, resolvedAt, ending, isTold };
  }
  const [of, id = null] = subject.split(" ");
  return {
    kind: "raised",
    alert: {
      rule: name,
      subject,
      kind: rule.kind,
      taskId: of === "task" ? id : null,
      assistantId: of === "assistant" ? id : null,
      raisedAt: instantOf(change.at),
      value: change.value,
      threshold: thresholdOf(rule),
      calls: change.calls,
      detail: JSON.stringify({
        window: rule.window,
        ...("reasons" in rule && { reasons: rule.reasons }),
        ...(countOf(rule) !== null && { unit: "COUNT" }),
      }),
    },
  };
}
