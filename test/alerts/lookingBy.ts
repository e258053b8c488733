// Looks at conditions without a database.
import { judgeConditions, keysOf, type FindConditions } from "../../src/alerts/conditions.ts";
import type { AlertRule } from "../../src/alerts/alertFile.ts";
import type { StoredState } from "../../src/store/alerts/alertWrites.ts";

/** A look at that instant. `open`: the subjects of alerts that are open after it. `raised`: how many it has raised. */
export function lookingBy(find: FindConditions, rules: readonly AlertRule[]) {
  const states = new Map<string, StoredState>();
  const { signal } = new AbortController();
  return async (now: number): Promise<{ isOpen: boolean; open: string[]; raised: number }> => {
    const found = await find(rules, signal);
    const keys = keysOf(found).map(({ subject }) => subject);
    const given = [...states.values()].filter(({ isOpen, subject }) => isOpen || keys.includes(subject));
    const judged = judgeConditions(found, given, now);
    for (const state of judged.states) states.set(state.subject, state);
    const open = [...states.values()].filter(({ isOpen }) => isOpen).map(({ subject }) => subject);
    return { isOpen: open.length > 0, open, raised: judged.changes.filter(({ kind }) => kind === "raised").length };
  };
}
