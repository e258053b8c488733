// What is wrong with a setting, in words that quote nothing but names of members and words that can be no secret.
import type { z } from "zod";

/** A rule for a value at a path: `item 2 of limits.prefixes must be …`. A rule about something unknown names it itself. */
export function ruleAt(path: readonly PropertyKey[], rule: string): string {
  if (rule.startsWith("unknown ")) return path.length === 0 ? rule : `${rule} of ${placeOf(path)}`;
  return path.length === 0 ? `it ${rule}` : `${placeOf(path)} ${rule}`;
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((place, part) => {
    if (typeof part === "number") return `item ${part + 1} of ${place}`;
    if (place === "") return String(part);
    return place.startsWith("item ") ? `${String(part)} of ${place}` : `${place}.${String(part)}`;
  }, "");
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "an object",
  record: "an object",
  int: "a whole number",
  number: "a number",
};

/** The rule of an issue whose schema has no words of its own, as the end of a sentence. */
export function ruleOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === "invalid_type")
    return issue.input === undefined ? "is missing" : `must be ${KINDS[issue.expected] ?? issue.expected}`;
  if (issue.code === "unrecognized_keys") return unknownMembers(issue.keys);
  if (issue.code === "invalid_value") return `must be ${issue.values.map(String).join(" or ")}`;
  if (issue.code === "too_small") return "must not be empty";
  if (issue.code === "too_big") return `must have at most ${issue.maximum}`;
  return "is not valid";
}

function unknownMembers(names: readonly string[]): string {
  const shown = names.filter(isPlainWord);
  return shown.length === names.length ? `unknown member ${shown.join(", ")}` : "unknown member";
}

/** A word of a person, such as `scope` or `calls:raed`, and no part of a key or token. */
export function isPlainWord(text: string): boolean {
  return text.length <= 40 && /^[a-z]+([A-Z][a-z]+)*(:[a-z]+)?$/.test(text);
}
