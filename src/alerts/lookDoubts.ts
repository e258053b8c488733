// What looks at tasks cannot tell, for people: in the log once, and for all gateways as long as it is so.
import type { Logger } from "../logger.ts";

/** By the names of rules. */
export type DoubtsOfRules = ReadonlyMap<string, readonly string[]>;

interface Doubt {
  subject: string;
  doubts: readonly string[];
}

/** What a look has found of a rule. `isStill`: whether what was doubtful of a subject before still is, where the look did not judge it. */
export interface JudgedRule {
  rule: string;
  judged: readonly Doubt[];
  isStill: (subject: string) => boolean;
}

export interface LookDoubtsDeps {
  /** Keeps them for all gateways. Rejects where the database fails. */
  save: (doubts: DoubtsOfRules) => Promise<void>;
  log: Logger;
}

export function createLookDoubts({ save, log }: LookDoubtsDeps): { note(rules: readonly JudgedRule[]): Promise<void> } {
  /** Those of the last look, by the rule's name. */
  let before: ReadonlyMap<string, readonly Doubt[]> = new Map();
  return {
    async note(rules) {
      const now = new Map<string, readonly Doubt[]>();
      for (const { rule, judged, isStill } of rules) {
        const subjects = new Set(judged.map(({ subject }) => subject));
        const own = before.get(rule) ?? [];
        const still = own.filter(({ subject }) => !subjects.has(subject) && isStill(subject));
        const found = [...judged, ...still].filter(({ doubts }) => doubts.length > 0);
        const told = new Set(own.flatMap(keyedTexts).map(([key]) => key));
        for (const [key, text] of new Map(found.flatMap(keyedTexts)))
          if (!told.has(key)) log.warn({ rule }, `what a rule watches cannot be told: ${text}`);
        now.set(rule, found);
      }
      before = now;
      await save(new Map([...now].map(([rule, found]) => [rule, textsOf(found)])));
    },
  };
}

const textsOf = (found: readonly Doubt[]): string[] => [...new Set(found.flatMap(({ doubts }) => doubts))];

/** Texts that differ in their numbers alone are the same doubt about a subject, and one without numbers is about all. */
function keyedTexts({ subject, doubts }: Doubt): [key: string, text: string][] {
  return doubts.map((text) => {
    const kind = text.replaceAll(/\d+(?:, \d+)*/g, "#").replaceAll("tasks", "task");
    return [/\d/.test(text) ? `${subject} ${kind}` : kind, text];
  });
}
