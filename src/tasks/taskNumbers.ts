// The numbers of a new task. Each could be called, and no two are the same. Letters are told apart but for their case (A068
// is a line's label). Country codes are not guessed: a number with its code and the same one without are two numbers here.
import { normalizePhone, MAX_PHONE_LENGTH } from "../format/phoneText.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { mistakeInVariables, type VariablesMistake } from "./taskVariables.ts";

export const MAX_NUMBERS = 100_000;

/** As the graph coerces it. */
export interface TaskNumberInput {
  number: string;
  extra?: Record<string, unknown> | null | undefined;
}

/** Returns false where enough mistakes are known, and reading ends. `path` is below `numbers`. */
export type ReportMistake = (mistake: VariablesMistake) => boolean;

/** No part of a number in any writing, and not to be seen: whoever sent it would not find it. Blanks are none of these. */
const UNPRINTABLE = /[^\P{Cc}\s]|\p{Cs}/u;

/** One number in each step. Judges how many they are before any of them. */
export function* readTaskNumbers(
  given: readonly TaskNumberInput[],
  tell: ReportMistake,
): Steps<CreateTaskRequest["numbers"]> {
  const read: CreateTaskRequest["numbers"][number][] = [];
  const firstAt = new Map<string, number>();
  if (given.length === 0) tell({ message: "must hold a number at least", path: [] });
  if (given.length > MAX_NUMBERS) {
    tell({ message: `must hold ${MAX_NUMBERS} numbers at most`, path: [] });
    return read;
  }
  for (const [at, { number, extra }] of given.entries()) {
    const written = number.trim();
    // Its length comes first: nothing else looks at a number that is too long.
    const isRead = written.length <= MAX_PHONE_LENGTH && !UNPRINTABLE.test(written);
    const same = isRead ? normalizePhone(written) : "";
    const mistakes = [
      mistakeInNumber(written, same, firstAt.get(same)),
      extra == null ? null : mistakeInVariables(extra),
    ].map((mistake, field) => mistake && { ...mistake, path: [String(at), FIELDS[field] ?? "", ...mistake.path] });
    for (const mistake of mistakes) if (mistake && !tell(mistake)) return read;
    if (!firstAt.has(same)) firstAt.set(same, at);
    read.push({ number: written, extra: extra ?? null });
    yield;
  }
  return read;
}

const FIELDS = ["number", "extra"];

/** `same`: what is dialled, empty where it is no number. `first`: the place of the same number before. */
function mistakeInNumber(written: string, same: string, first: number | undefined): VariablesMistake | null {
  if (same === "") return { message: whyUnread(written), path: [] };
  if (first === undefined) return null;
  return { message: `is the same number as the one at ${first}: nobody is called twice`, path: [] };
}

function whyUnread(number: string): string {
  if (number.length > MAX_PHONE_LENGTH) return `must have ${MAX_PHONE_LENGTH} characters at most`;
  if (!number.isWellFormed()) return "must be Unicode";
  if (UNPRINTABLE.test(number)) return "must not hold control characters but blanks";
  return number === "" ? "must not be empty" : "must hold a digit or a Latin letter";
}
