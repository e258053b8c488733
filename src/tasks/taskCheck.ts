// A dry run of createTask: everything that it would refuse, the people it calls, its hours, and what it uses of the limits. It sends
// and stores nothing.
import { instantOf, type Instant } from "../format/instant.ts";
import { readDate, readTimeOfDay, writeTimeOfDay } from "../format/scheduleText.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { releaseOf } from "../util/bodies/bodyTurn.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { SubmitError } from "./submitResult.ts";
import type { Submitter, TaskRules } from "./taskRules.ts";
import { neededOf, type LimitState } from "./usageLimits.ts";
import { validateCheckTask, type CheckTaskInput } from "./validateCreateTask.ts";

export interface TaskCheck {
  errors: SubmitError[];
  /** The numbers that would be called, each once. Null: the input has mistakes. */
  people: number | null;
  leftOutCount: number;
  timeZone: string;
  /** Empty if the input has mistakes. */
  periods: TaskPeriod[];
  limits: (LimitState & { needed: number })[];
}

/** Null where the text is in a form that the gateway does not read. */
export interface TaskPeriod {
  /** Times of day by the service's clock, such as 09:00. */
  from: string | null;
  to: string | null;
  /** When it begins on the start date. */
  startsAt: Instant | null;
}

/** Throws STORE_UNAVAILABLE if the database fails. */
export type CheckTask = (viewer: Submitter, input: CheckTaskInput) => Promise<TaskCheck>;

export interface CheckTaskDeps {
  rules: TaskRules;
  /** The service's IANA zone. */
  timeZone: string;
  slices: TimeSlices;
}

export function createCheckTask({ rules, timeZone, slices }: CheckTaskDeps): CheckTask {
  return async (viewer, input) => {
    const skips = input.skipDoNotCall === true;
    const read = await slices.run(viewer.name, validateCheckTask(input));
    if ("errors" in read) {
      releaseOf(input.numbers)?.();
      const errors = read.errors.map((error): SubmitError => ({ code: "INVALID_INPUT", ...error }));
      const limits = (await rules.limits(viewer)).map((state) => ({ ...state, needed: 0 }));
      return { errors, people: null, leftOutCount: 0, timeZone, periods: [], limits };
    }
    const { errors, request, leftOutCount, limits } = await rules.examine(viewer, read.request, skips);
    releaseOf(input.numbers)?.();
    const people = request.numbers.length;
    return {
      errors,
      people,
      leftOutCount,
      timeZone,
      periods: periodsOf(request.option, timeZone),
      limits: limits.map((state) => ({ ...state, needed: neededOf(state.limit, people) })),
    };
  };
}

function periodsOf({ periods, startDate }: CreateTaskRequest["option"], timeZone: string): TaskPeriod[] {
  const date = readDate(startDate);
  return periods.map((period) => {
    const [from, to] = period.length === 2 ? period.map(readTimeOfDay) : [];
    return {
      from: textOf(from),
      to: textOf(to),
      startsAt: typeof from === "number" ? instantAt(date, from, timeZone) : null,
    };
  });
}

function textOf(time: number | string | undefined): string | null {
  return typeof time === "number" ? writeTimeOfDay(time) : null;
}

function instantAt(date: Temporal.PlainDate | string, seconds: number, timeZone: string): Instant | null {
  if (typeof date === "string") return null;
  const begin = date.toPlainDateTime().add({ seconds });
  return instantOf(begin.toZonedDateTime(timeZone).epochMilliseconds);
}
