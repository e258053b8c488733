// What refuses a task whose input is valid: the viewer's limits and the never-call list. createTask and checkTask share it.
import type { Viewer } from "../auth/scopes.ts";
import { epochMsOf } from "../format/instant.ts";
import type { Quota } from "../store/tasks/quota.ts";
import type { Usage, UsageStore } from "../store/tasks/usageStore.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import { findNotAllowed, siftAllowed } from "./allowedTask.ts";
import { listedErrors, type DoNotCallList } from "./doNotCallList.ts";
import type { SubmitError } from "./submitResult.ts";
import { exceededLimit, limitStates, neededOf, periodsAt, withoutTask, type LimitState } from "./usageLimits.ts";
import type { InputError } from "./validateCreateTask.ts";

/** The viewer in whose name a task is sent. */
export type Submitter = Pick<Viewer, "name" | "limits">;

export interface ExaminedTask {
  /** Empty: the task may be sent. */
  errors: SubmitError[];
  /** The request without the numbers that are left out. */
  request: CreateTaskRequest;
  leftOutCount: number;
  /** The viewer's limits before this task. */
  limits: LimitState[];
}

export interface SiftedNumbers {
  /** What is not allowed beside numbers. */
  errors: SubmitError[];
  numbers: CreateTaskRequest["numbers"];
  notAllowed: number;
  /** What is wrong with the first number that is not allowed, without the number: the end of a sentence. */
  whyNotAllowed: string | null;
  listed: number;
}

export interface CountedTask {
  numberCount: number;
  /** When it is claimed, which decides in which hour and day it counts. */
  countedAt: string;
}

export interface TaskRules {
  /** Changes nothing. Throws STORE_UNAVAILABLE if the database fails. */
  examine(viewer: Submitter, request: CreateTaskRequest, skipsDoNotCall: boolean): Promise<ExaminedTask>;
  /**
   * For numbers that the viewer did not write, and so cannot correct: those that it may not call, or that are listed, are left out. Changes
   * nothing. Throws STORE_UNAVAILABLE if the database fails.
   */
  sift(viewer: Submitter, request: CreateTaskRequest): Promise<SiftedNumbers>;
  /** What the limits that count say of a task with so many numbers. Throws STORE_UNAVAILABLE if the database fails. */
  countLimits(viewer: Submitter, numberCount: number): Promise<Pick<ExaminedTask, "errors" | "limits">>;
  /** The viewer's limits at the claim of a submission: other submissions may have been counted since it was examined. */
  quota(viewer: Submitter, task: CountedTask): Quota & { refusalsOf: (usage: Usage) => SubmitError[] };
  /** The viewer's limits that count. Throws STORE_UNAVAILABLE if the database fails. */
  limits(viewer: Submitter): Promise<LimitState[]>;
}

export interface TaskRulesDeps {
  usage: Pick<UsageStore, "of">;
  doNotCall: Pick<DoNotCallList, "find">;
  /** The service's IANA zone. */
  timeZone: string;
  slices: TimeSlices;
  clock: () => number;
}

export function createTaskRules({ usage, doNotCall, timeZone, slices, clock }: TaskRulesDeps): TaskRules {
  async function limits(viewer: Submitter): Promise<LimitState[]> {
    const context = { usage: null, now: periodsAt(clock(), timeZone), timeZone };
    const unused = limitStates(viewer.limits, context);
    // The others do not depend on what was sent before.
    if (unused.every(({ freeAt }) => freeAt === null)) return unused;
    return limitStates(viewer.limits, { ...context, usage: await usage.of(viewer.name) });
  }

  return {
    limits,
    async countLimits(viewer, numberCount) {
      const states = await limits(viewer);
      const exceeded = exceededLimit(states, numberCount);
      return { errors: exceeded ? [limitError(exceeded, numberCount)] : [], limits: states };
    },
    async sift(viewer, request) {
      const sifting = viewer.limits && siftAllowed(request, viewer.limits, { timeZone, now: clock() });
      const sifted = sifting
        ? await slices.run(viewer.name, sifting)
        : { errors: [], numbers: request.numbers, why: null };
      const phones = sifted.numbers.map(({ number }) => number);
      const listed = new Set(await doNotCall.find(phones, viewer.name));
      return {
        errors: sifted.errors.map(refusal),
        numbers: sifted.numbers.filter((_, at) => !listed.has(at)),
        notAllowed: request.numbers.length - sifted.numbers.length,
        whyNotAllowed: sifted.why,
        listed: listed.size,
      };
    },
    quota(viewer, { countedAt, numberCount }) {
      const periods = periodsAt(epochMsOf(countedAt), timeZone);
      const refusalsOf = (usage: Usage): SubmitError[] => {
        const before = withoutTask(usage, numberCount);
        const exceeded = exceededLimit(
          limitStates(viewer.limits, { usage: before, now: periods, timeZone }),
          numberCount,
        );
        return exceeded ? [limitError(exceeded, numberCount)] : [];
      };
      return { periods, refusalsOf, allows: (usage) => refusalsOf(usage).length === 0 };
    },
    async examine(viewer, request, skipsDoNotCall) {
      const states = await limits(viewer);
      const finding = viewer.limits && findNotAllowed(request, viewer.limits, { timeZone, now: clock() });
      const notAllowed = finding ? await slices.run(viewer.name, finding) : [];
      if (notAllowed.length > 0) return { errors: notAllowed.map(refusal), request, leftOutCount: 0, limits: states };
      const { numbers } = request;
      const phones = numbers.map(({ number }) => number);
      const listed = new Set(await doNotCall.find(phones, viewer.name));
      const isRefused = listed.size > 0 && (!skipsDoNotCall || listed.size === numbers.length);
      const errors = isRefused ? listedErrors(listed).map(notToCall) : [];
      const sent = { ...request, numbers: numbers.filter((_, at) => !listed.has(at)) };
      const exceeded = errors.length === 0 ? exceededLimit(states, sent.numbers.length) : undefined;
      if (exceeded) errors.push(limitError(exceeded, sent.numbers.length));
      return { errors, request: sent, leftOutCount: listed.size, limits: states };
    },
  };
}

const refusal = (error: InputError): SubmitError => ({ code: "NOT_ALLOWED", ...error });
const notToCall = (error: InputError): SubmitError => ({ code: "DO_NOT_CALL", ...error });
const UNITS = { Task: "in a task", Hour: "in an hour", Day: "in a day" } as const;

function limitError(state: LimitState, numberCount: number): SubmitError {
  const { limit, size, left, freeAt } = state;
  const [, what = "", unit = "Task"] = /^(numbers|tasks)Per(Task|Hour|Day)$/.exec(limit) ?? [];
  const needed = neededOf(limit, numberCount);
  const again = freeAt === null ? "" : `; it is free again at ${freeAt}`;
  const rule = `${size} ${what} ${UNITS[unit as keyof typeof UNITS]}`;
  const message = `exceeds the limit of ${rule}: ${left} are left, and ${needed} are needed${again}`;
  return { code: "LIMIT_EXCEEDED", message, path: [], limit: state };
}
