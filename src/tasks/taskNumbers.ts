// Validates the numbers of a new task and their variables. Each number must be callable and of another person than the others. Case is
// ignored in letters (A068 labels a line).
import { noPhoneMessages, readPhone } from "../format/readPhone.ts";
import { createPeople } from "../format/samePerson.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { CORRELATION_KEY } from "./correlationToken.ts";

export const MAX_NUMBERS = 100_000;

/** The input type of the graph. */
export interface TaskNumberInput {
  number: string;
  extra?: Record<string, unknown> | null | undefined;
}

/** Returns false to end the validation. The mistake's `path` is relative to `numbers`. */
export type ReportMistake = (mistake: InputMistake) => boolean;

/** One number per step. It checks their count first. */
export function* validateNumbers(
  given: readonly TaskNumberInput[],
  report: ReportMistake,
): Steps<CreateTaskRequest["numbers"]> {
  const read: CreateTaskRequest["numbers"][number][] = [];
  const findPerson = createPeople();
  if (given.length === 0) report({ message: "must have at least one number", path: [] });
  if (given.length > MAX_NUMBERS) {
    report({ message: `must have at most ${MAX_NUMBERS} numbers`, path: [] });
    return read;
  }
  for (const [at, { number, extra }] of given.entries()) {
    const reading = readPhone(number);
    const mistakes = [
      reading.kind === "none"
        ? { message: noPhoneMessages[reading.reason], path: [] }
        : repeated(findPerson(reading, at)),
      extra == null ? null : validateVariables(extra),
    ].map((mistake, field) => mistake && { ...mistake, path: [String(at), FIELDS[field] ?? "", ...mistake.path] });
    for (const mistake of mistakes) if (mistake && !report(mistake)) return read;
    read.push({ number: reading.kind === "none" ? number : reading.sent, extra: extra ?? null });
    yield;
  }
  return read;
}

const FIELDS = ["number", "extra"];

/** `first`: the index of a number of the same person before it. */
const repeated = (first: number | null): InputMistake | null =>
  first === null ? null : { message: `is the same number as the one at ${first}: nobody is called twice`, path: [] };

/** What is wrong, and where in the input. */
export interface InputMistake {
  message: string;
  path: string[];
}

const MAX_DEPTH = 100;
const MAX_VALUES = 1000;
/**
 * Characters of JSON. The variables come back in the call-ended webhook, whose body is limited to 256 KiB: if the service
 * escapes every character, this many take 192 KiB.
 */
const MAX_JSON_LENGTH = 32_768;

/** Validates the variables of one number (`extra`). The work is bounded by the limits, however large the variables are. */
export function validateVariables(extra: Record<string, unknown>): InputMistake | null {
  if (Object.hasOwn(extra, CORRELATION_KEY)) return { message: "is reserved for the gateway", path: [CORRELATION_KEY] };
  const message = exceededLimit(extra) ?? (JSON.stringify(extra).length > MAX_JSON_LENGTH ? TOO_LONG : null);
  return message === null ? null : { message, path: [] };
}

const TOO_LONG = `must have at most ${MAX_JSON_LENGTH} characters as JSON`;

function exceededLimit(extra: Record<string, unknown>): string | null {
  let left = MAX_VALUES;
  let characters = MAX_JSON_LENGTH;
  function check(value: unknown, levels: number): string | null {
    left -= 1;
    if (left < 0) return `must have at most ${MAX_VALUES} values`;
    if (typeof value === "string") characters -= value.length;
    if (characters < 0) return TOO_LONG;
    // 1e400 is parsed as Infinity, which JSON would write as null.
    if (typeof value === "number" && !Number.isFinite(value)) return "has a number that is too large";
    if (typeof value !== "object" || value === null) return null;
    if (levels === 0) return `must not be nested more than ${MAX_DEPTH} levels deep`;
    for (const key in value) {
      characters -= key.length;
      const excess = check((value as Record<string, unknown>)[key], levels - 1);
      if (excess !== null) return excess;
    }
    return null;
  }
  return check(extra, MAX_DEPTH);
}
