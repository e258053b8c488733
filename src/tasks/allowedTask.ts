// Whether a viewer's limits allow what a task names: its lines, its assistant, the numbers that it calls and its hours.
import type { CalledHours, CallingHours, ViewerLimits } from "../auth/viewerPolicy.ts";
import { readPhone } from "../format/readPhone.ts";
import { readTimeOfDay } from "../format/scheduleText.ts";
import { clockDifferences } from "../format/wallClock.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { InputError } from "./validateCreateTask.ts";

const MAX_MISTAKES = 100;

/** The service's time zone, and epoch milliseconds. */
export interface ServiceClock {
  timeZone: string;
  now: number;
}

/** At most 100 mistakes, and one that says that there are more. No message contains a value of the input. */
export function* findNotAllowed(
  request: CreateTaskRequest,
  limits: ViewerLimits,
  clock: ServiceClock,
): Steps<InputError[]> {
  const ofTask = yield* listed(mistakesOfTask(request, limits));
  if (ofTask.length > MAX_MISTAKES) return ofTask;
  return yield* listed(mistakesOfNumbers(request, limits, clock), ofTask);
}

/** For numbers that the viewer did not write: a number that is not allowed is left out. `errors`: as above, of what is no number. `why`: the first mistake of a number. */
export function* siftAllowed(
  request: CreateTaskRequest,
  limits: ViewerLimits,
  clock: ServiceClock,
): Steps<{ errors: InputError[]; numbers: CreateTaskRequest["numbers"]; why: string | null }> {
  const errors = yield* listed(mistakesOfTask(request, limits));
  const refused = new Set<string | undefined>();
  let why: string | null = null;
  for (const error of mistakesOfNumbers(request, limits, clock)) {
    if (error) refused.add(error.path[1]);
    why ??= error?.message ?? null;
    yield;
  }
  return { errors, numbers: request.numbers.filter((_, at) => !refused.has(String(at))), why };
}

function* listed(found: Iterable<InputError | null>, before: readonly InputError[] = []): Steps<InputError[]> {
  const errors = [...before];
  for (const error of found) {
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
type Mistakes = Generator<InputError | null, void>;

function* mistakesOfTask(
  { assistantId, option }: CreateTaskRequest,
  { assistantIds, lineIds, callingHours }: ViewerLimits,
): Mistakes {
  if (assistantIds && !assistantIds.includes(assistantId))
    yield { message: `is none of ${HOLDER}`, path: ["assistantId"] };
  const lines = lineIds && new Set(lineIds);
  for (const [at, line] of option.lineIds.entries())
    yield lines && !lines.has(line)
      ? { message: `is none of ${HOLDER}`, path: ["option", "lineIds", String(at)] }
      : null;
  for (const [at, period] of option.periods.entries()) {
    const isOutside = callingHours && !isWithin(period, { ...callingHours, differences: [0] });
    const message = isOutside ? outside(callingHours) : null;
    yield message === null ? null : { message, path: ["option", "periods", String(at)] };
  }
}

function* mistakesOfNumbers(
  { option, numbers }: CreateTaskRequest,
  { calledHours = [], prefixes }: ViewerLimits,
  clock: ServiceClock,
): Mistakes {
  // Most tasks are within the hours of each rule, and their numbers need not be looked at.
  const broken: CalledHours[] = [];
  for (const rule of calledHours) {
    if (!areWithin(option.periods, rule, clock)) broken.push(rule);
    yield null;
  }
  if (!prefixes && broken.length === 0) return;
  for (const [at, { number }] of numbers.entries()) {
    const message = mistakeOf(number, prefixes, broken);
    yield message === null ? null : { message, path: ["numbers", String(at), "number"] };
  }
}

/** `broken`: rules that the periods of the task do not keep. */
function mistakeOf(
  number: string,
  prefixes: readonly string[] | undefined,
  broken: readonly CalledHours[],
): string | null {
  const dialled = dialledTexts(number);
  const isAllowed = (text: string) => prefixes?.some((prefix) => text.startsWith(prefix)) ?? true;
  if (prefixes && (dialled === null || !dialled.every(isAllowed)))
    return "begins with no prefix that this key or token may call";
  const rule = broken.find(({ prefix }) => dialled?.some((text) => text.startsWith(prefix)) ?? true);
  if (!rule) return null;
  const { from, to, timeZone } = rule;
  return `may be called from ${from} to ${to} by the clock of ${timeZone} only, and a period of the task is not within them all year, or passes midnight`;
}

const HOLDER = "those that this key or token may use";

const outside = ({ from, to }: CallingHours) =>
  `must be two times, such as 09:00 and 12:00, within ${from} to ${to} by the service's clock`;

/** Whether the periods are within the hours in each season: a task may call for months. */
function areWithin(periods: CreateTaskRequest["option"]["periods"], rule: CalledHours, clock: ServiceClock): boolean {
  const differences = clockDifferences(clock.timeZone, rule.timeZone, clock.now);
  return periods.every((period) => isWithin(period, { ...rule, differences }));
}

const DAY_S = 86_400;

/**
 * A period in another form than two times is not known to be within the hours. `differences`: seconds by which the clock of the
 * hours may be ahead of the service's.
 */
function isWithin(
  period: readonly string[],
  { from, to, differences }: CallingHours & { differences: readonly number[] },
): boolean {
  const [start, end] = period.map(readTimeOfDay);
  if (period.length !== 2 || typeof start !== "number" || typeof end !== "number" || start >= end) return false;
  return differences.every((difference) => {
    const begin = (start + difference + 2 * DAY_S) % DAY_S;
    return begin >= Number(readTimeOfDay(from)) && begin + end - start <= Number(readTimeOfDay(to));
  });
}

/**
 * The number as it is dialled, without separators, and the person's number behind a dial prefix. Null: a plus that is not in front makes it unclear which digits are dialled.
 */
function dialledTexts(number: string): string[] | null {
  const reading = readPhone(number);
  if (reading.kind === "none") return null;
  const pluses = number.normalize("NFKC").split("+").length - 1;
  if (pluses !== (reading.dialled.startsWith("+") ? 1 : 0)) return null;
  return reading.kind === "number" && !reading.dialled.startsWith("00")
    ? [reading.dialled, reading.number]
    : [reading.dialled];
}
