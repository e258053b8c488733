// Whether a viewer's limits allow what a task names: its lines, its assistant, the numbers that it calls and its hours.
import type { CallingHours, ViewerLimits } from "../auth/viewerPolicy.ts";
import { normalizePhone } from "../format/phoneText.ts";
import { readTimeOfDay } from "../format/scheduleText.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { InputError } from "./validateCreateTask.ts";

const MAX_MISTAKES = 100;

/** At most 100 mistakes, and one that says that there are more. No message contains a value of the input. */
export function* findNotAllowed(request: CreateTaskRequest, limits: ViewerLimits): Steps<InputError[]> {
  const errors: InputError[] = [];
  for (const error of mistakes(request, limits)) {
    yield;
    if (!error) continue;
    if (errors.length === MAX_MISTAKES) {
      const message = `has more than ${MAX_MISTAKES} mistakes; only the first ${MAX_MISTAKES} are listed`;
      return [...errors, { message, path: [] }];
    }
    errors.push(error);
  }
  return errors;
}

/** Null: one more part is allowed. */
function* mistakes(
  { assistantId, option, numbers }: CreateTaskRequest,
  { assistantIds, lineIds, callingHours, prefixes }: ViewerLimits,
): Generator<InputError | null, void> {
  if (assistantIds && !assistantIds.includes(assistantId))
    yield { message: `is none of ${HOLDER}`, path: ["assistantId"] };
  const lines = lineIds && new Set(lineIds);
  for (const [at, line] of option.lineIds.entries())
    yield lines && !lines.has(line)
      ? { message: `is none of ${HOLDER}`, path: ["option", "lineIds", String(at)] }
      : null;
  for (const [at, period] of option.periods.entries()) {
    const message = callingHours && !isWithin(period, callingHours) ? outside(callingHours) : null;
    yield message === null ? null : { message, path: ["option", "periods", String(at)] };
  }
  if (!prefixes) return;
  const message = "begins with no prefix that this key or token may call";
  for (const [at, { number }] of numbers.entries())
    yield isCallable(number, prefixes) ? null : { message, path: ["numbers", String(at), "number"] };
}

const HOLDER = "those that this key or token may use";

const outside = ({ from, to }: CallingHours) =>
  `must be two times, such as 09:00 and 12:00, within ${from} to ${to} by the service's clock`;

/** A period in another form than two times is not known to be within the hours. */
function isWithin(period: readonly string[], { from, to }: CallingHours): boolean {
  const [start, end] = period.map(readTimeOfDay);
  if (period.length !== 2 || typeof start !== "number" || typeof end !== "number") return false;
  return start < end && start >= Number(readTimeOfDay(from)) && end <= Number(readTimeOfDay(to));
}

/**
 * Compares the number as it is dialled, without separators. A plus that is not in front makes it unclear which digits are dialled,
 * so such a number is not allowed.
 */
function isCallable(number: string, prefixes: readonly string[]): boolean {
  const dialled = normalizePhone(number);
  const pluses = number.normalize("NFKC").split("+").length - 1;
  if (pluses !== (dialled.startsWith("+") ? 1 : 0)) return false;
  return prefixes.some((prefix) => dialled.startsWith(prefix));
}
