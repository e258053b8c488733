// How much of its limits each key has used, as rules see it.
import type { AlertRule } from "./alertFile.ts";
import type { Finding } from "./conditions.ts";
import { epochMsOf } from "../format/instant.ts";

/** A limit that counts, of a key. */
export interface UsedLimit {
  /** The name of the key, and never the key. */
  viewer: string;
  limit: "tasksPerHour" | "tasksPerDay" | "numbersPerHour" | "numbersPerDay";
  size: number;
  used: number;
  /** The end of the hour or day. */
  freeAt: string;
}

type KeyLimitRule = Extract<AlertRule, { kind: "keyLimit" }>;
const isOnLimits = (rule: AlertRule): rule is KeyLimitRule => rule.kind === "keyLimit";

export const watchesLimits = (rules: readonly AlertRule[]): boolean => rules.some(isOnLimits);

/** An alert stays open until the hour or day ends, also where a task is taken back or the limit becomes larger. */
export function findLimits(rules: readonly AlertRule[], used: readonly UsedLimit[], now: number): Finding[] {
  return rules
    .filter(isOnLimits)
    .flatMap((rule) => used.filter((own) => isNamed(rule, own)).map((own) => findingOf(rule, own, now)));
}

function isNamed({ keys, limits }: KeyLimitRule, { viewer, limit }: UsedLimit): boolean {
  return (keys?.includes(viewer) ?? true) && (limits?.includes(limit) ?? true);
}

function findingOf(rule: KeyLimitRule, { viewer, limit, size, used, freeAt }: UsedLimit, now: number): Finding {
  const { atLeast: threshold } = rule;
  const subject = `key ${limit} ${viewer}`;
  const until = epochMsOf(freeAt);
  const detail = { limit, size, used, freeAt };
  const isFull = used / size >= threshold && until > now;
  return { rule, subject, condition: isFull ? { at: now, value: used / size, threshold, detail, until } : null };
}
