// A dry run of createTask: everything that it would refuse, the people it calls, its hours, and what it uses of the limits. It sends
// and stores nothing.
import type { CalledAgain } from "../../store/tasks/submissionRow.ts";
import { releaseOf } from "../../util/bodies/bodyTurn.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import type { ExamineTask } from "../callAgain/examineTask.ts";
import { countByCountry, type CountryCount } from "./countByCountry.ts";
import type { SubmitError } from "../submitResult.ts";
import type { Submitter, TaskRules } from "../taskRules.ts";
import type { DescribeSchedule, TaskSchedule } from "./describeSchedule.ts";
import { neededOf, type LimitState } from "../usageLimits.ts";
import { validateCheckTask, type CheckTaskInput } from "../validateCreateTask.ts";

export interface TaskCheck {
  errors: SubmitError[];
  /** The numbers that would be called, each once. Null: the input has mistakes. */
  people: number | null;
  leftOutCount: number;
  /** The people by country code. Empty if the input has mistakes. */
  countries: CountryCount[];
  /** Null: the input has mistakes. */
  schedule: TaskSchedule | null;
  limits: (LimitState & { needed: number })[];
  /** Null: the numbers were in the input, or it has errors before people are known. */
  calledAgain: CalledAgain | null;
}

/** Throws STORE_UNAVAILABLE if the database fails. */
export type CheckTask = (viewer: Submitter, input: CheckTaskInput) => Promise<TaskCheck>;

export interface CheckTaskDeps {
  rules: Pick<TaskRules, "limits">;
  examineTask: ExamineTask;
  describeSchedule: DescribeSchedule;
  slices: TimeSlices;
}

export function createCheckTask({ rules, examineTask, describeSchedule, slices }: CheckTaskDeps): CheckTask {
  return async (viewer, input) => {
    const skips = input.skipDoNotCall === true;
    const read = await slices.run(viewer.name, validateCheckTask(input));
    if ("errors" in read) {
      releaseOf(input.numbers)?.();
      const errors = read.errors.map((error): SubmitError => ({ code: "INVALID_INPUT", ...error }));
      const limits = (await rules.limits(viewer)).map((state) => ({ ...state, needed: 0 }));
      return { errors, people: null, leftOutCount: 0, countries: [], schedule: null, limits, calledAgain: null };
    }
    const task = { request: read.request, skipsDoNotCall: skips, from: input.from ?? null, proposal: null };
    const { errors, request, leftOutCount, limits, callAgain } = await examineTask(viewer, task);
    releaseOf(input.numbers)?.();
    const people = request.numbers.length;
    return {
      errors,
      people,
      leftOutCount,
      countries: await slices.run(viewer.name, countByCountry(request.numbers)),
      schedule: describeSchedule(request.option),
      limits: limits.map((state) => ({ ...state, needed: neededOf(state.limit, people) })),
      calledAgain: callAgain,
    };
  };
}
