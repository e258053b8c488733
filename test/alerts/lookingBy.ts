// Looks at conditions without a database.
import { judgeConditions, keysOf, type FindConditions } from "../../src/alerts/conditions.ts";
import type { AlertRule } from "../../src/alerts/alertFile.ts";
import type { StoredState } from "../../src/store/alerts/alertWrites.ts";

/** A look at that instant. `isOpen`: an alert is open after it. `raised`: how many it has raised. */
export function lookingBy(find: FindConditions, rules: readonly AlertRule[]) {
  const states = new Map<string, StoredState>();
  const { signal } = new AbortController();
  return async (now: number): Promise<{ isOpen: boolean; raised: number }> => {
    const findings = await find(rules, signal);
    const keys = keysOf(findings).map(({ subject }) => subject);
    const given = [...states.values()].filter(({ isOpen, subject }) => isOpen || keys.includes(subject));
    const judged = judgeConditions(findings, given, now);
    for (const state of judged.states) states.set(state.subject, state);
    const isOpen = [...states.values()].some((state) => state.isOpen);
    return { isOpen, raised: judged.changes.filter(({ kind }) => kind === "raised").length };
  };
}
