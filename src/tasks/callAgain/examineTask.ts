// Examines a task: applies the rules of tasks to it, and where it calls people of another task again, makes them its numbers before.
import type { CallAgainStore } from "../../store/tasks/callAgainStore.ts";
import type { NewCallAgain } from "../../store/tasks/callAgainWrites.ts";
import { leftOutReasons, type CalledAgain, type LeftOut, type LeftOutReason } from "../../store/tasks/submissionRow.ts";
import type { RecipientFilter } from "../../store/projections/recipientStore.ts";
import type { CreateTaskRequest } from "../../upstream/upstream.ts";
import type { Signer } from "../../util/hmac.ts";
import type { Steps, TimeSlices } from "../../util/timeSlices.ts";
import type { SubmitError } from "../submitResult.ts";
import { MAX_NUMBERS } from "../taskNumbers.ts";
import type { ExaminedTask, SiftedNumbers, Submitter, TaskRules } from "../taskRules.ts";
import { createPeopleSet, readPerson, writePeople } from "./campaignPeople.ts";
import type { ChoosePeople, ChosenPeople, ChosenPerson } from "./choosePeople.ts";
import type { CallAgainSource } from "./callAgainSource.ts";
import { sourceError } from "./sourceTask.ts";

export interface TaskToExamine {
  request: CreateTaskRequest;
  skipsDoNotCall: boolean;
  /** Null: the numbers are in the request. */
  from: CallAgainSource | null;
  /** The id of a proposal that is approved: of the numbers in the request, those are left that would be chosen now. */
  proposal: string | null;
}

export interface ExaminedPeople extends ExaminedTask {
  /** To be stored with the submission. Null: the numbers were in the request, or there are errors before they are known. */
  callAgain: (CalledAgain & Omit<NewCallAgain, keyof CalledAgain>) | null;
}

/** Changes nothing. Throws STORE_UNAVAILABLE and UPSTREAM_*, before anything is sent. */
export type ExamineTask = (viewer: Submitter, task: TaskToExamine) => Promise<ExaminedPeople>;

export interface ExamineTaskDeps {
  rules: Pick<TaskRules, "examine" | "sift" | "countLimits" | "limits">;
  choosePeople: ChoosePeople;
  signer: Pick<Signer, "digest">;
  store: Pick<CallAgainStore, "lastReceivedAt">;
  slices: Pick<TimeSlices, "run">;
  clock: () => number;
}

export function createExamineTask({ rules, choosePeople, signer, store, slices, clock }: ExamineTaskDeps): ExamineTask {
  async function refused(viewer: Submitter, request: CreateTaskRequest, error: SubmitError): Promise<ExaminedPeople> {
    const none = { ...request, numbers: [] };
    return { errors: [error], request: none, leftOutCount: 0, limits: await rules.limits(viewer), callAgain: null };
  }

  return async (viewer, { request, skipsDoNotCall, from, proposal }) => {
    if (!from) return { ...(await rules.examine(viewer, request, skipsDoNotCall)), callAgain: null };
    const task = await from.load();
    const notNow = sourceError({ task, lastReceivedAt: await store.lastReceivedAt(from.taskId) }, clock());
    if (notNow) return refused(viewer, request, notNow);
    const chosen = await choosePeople(viewer.name, from, proposal);
    const { wanted, others } =
      proposal === null
        ? { wanted: chosen.people, others: [] }
        : await slices.run(viewer.name, stillChosen(request.numbers, chosen.people));
    if (wanted.length > MAX_NUMBERS) return refused(viewer, request, tooMany);
    // Nobody can take a number out of a list that nobody sees, so people who are listed or not allowed are always left out.
    const numbers = [...wanted, ...others].map(({ number, extra }) => ({ number, extra }));
    const sifted = await rules.sift(viewer, { ...request, numbers });
    const isWanted = new Set(numbers.slice(0, wanted.length));
    const called = sifted.numbers.filter((each) => isWanted.has(each));
    const callAgain = {
      ...describe(from, { chosen, sifted, called }),
      // Others may call those who are left out.
      people: await slices.run(viewer.name, writePeople(signer, called)),
      guard: chosen.guard,
    };
    if (called.length === 0 && sifted.errors.length === 0)
      return { ...(await refused(viewer, request, nobodyOf(sifted))), callAgain };
    const counted = await rules.countLimits(viewer, called.length);
    return {
      errors: sifted.errors.length > 0 ? sifted.errors : counted.errors,
      request: { ...request, numbers: called },
      leftOutCount: sifted.listed,
      limits: counted.limits,
      callAgain,
    };
  };
}

interface Decided {
  chosen: ChosenPeople;
  sifted: SiftedNumbers;
  called: CreateTaskRequest["numbers"];
}

function describe(
  { taskId, filter }: CallAgainSource,
  { chosen: { leftOut }, sifted: { listed, notAllowed }, called }: Decided,
): CalledAgain & { filter: RecipientFilter } {
  const counts = new Map<LeftOutReason, number>([...leftOut, ["DO_NOT_CALL", listed], ["NOT_ALLOWED", notAllowed]]);
  return {
    taskId,
    filter,
    leftOut: leftOutReasons.flatMap((reason): LeftOut[] => {
      const people = counts.get(reason) ?? 0;
      return people === 0 ? [] : [{ reason, people }];
    }),
    withoutVariables: called.filter(({ extra }) => extra === null).length,
  };
}

type Numbers = CreateTaskRequest["numbers"];

/**
 * `wanted`: the numbers that an approver decided on, without people who would not be chosen now. `others`: people who would be chosen now and
 * are not among them; the reasons why some are left out count them, too. One number per step.
 */
function* stillChosen(
  numbers: Numbers,
  people: readonly ChosenPerson[],
): Steps<{ wanted: Numbers; others: readonly ChosenPerson[] }> {
  const chosen = createPeopleSet();
  for (const { keys } of people) {
    chosen.add(keys);
    yield;
  }
  const wanted: Numbers[number][] = [];
  const known = createPeopleSet();
  for (const each of numbers) {
    const person = readPerson(each.number);
    if (person && chosen.has(person.keys)) wanted.push(each);
    if (person) known.add(person.keys);
    yield;
  }
  const others: ChosenPerson[] = [];
  for (const person of people) {
    if (!known.has(person.keys)) others.push(person);
    yield;
  }
  return { wanted, others };
}

const nobody: SubmitError = {
  code: "NOBODY_TO_CALL",
  message:
    "leaves nobody to call: each of these people was reached, is being called, or is left out for another reason",
  path: ["from"],
};
/** The hours and the limits can be changed, unlike what became of people who were reached. */
const nobodyOf = ({ notAllowed, whyNotAllowed }: SiftedNumbers): SubmitError =>
  whyNotAllowed === null
    ? nobody
    : {
        code: "NOT_ALLOWED",
        message: `leaves nobody to call: ${notAllowed} of those who are left out may not be called, the first because the number ${whyNotAllowed}`,
        path: ["from"],
      };
const tooMany: SubmitError = {
  code: "INVALID_INPUT",
  message: `has more than ${MAX_NUMBERS} people: narrow the filter`,
  path: ["from"],
};
