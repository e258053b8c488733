// Calling people of a task again: the input, and what is shown of it.
import { SEEING_SUBMISSIONS } from "../auth/scopes.ts";
import type { CalledAgain as CalledAgainRow, LeftOut, LeftOutReason as Reason } from "../store/tasks/submissionRow.ts";
import { builder, needs, requests } from "./builder.ts";
import { RecipientFilter } from "./recipient.ts";
import { Task } from "./task.ts";

export const CallAgainInput = builder.inputType("CallAgainInput", {
  description:
    "People of a task who were not reached, in the place of numbers: the gateway takes their numbers and variables from the log. Needs the scope calls:read, but not people:read.",
  fields: (t) => ({
    taskId: t.id({
      required: true,
      description:
        "The service's ID of the task, which must be over: done, or stopped for 15 minutes without calls. The service may still call people of another one.",
    }),
    filter: t.field({
      type: RecipientFilter,
      description:
        "Which people. Null: all who were not reached. REACHED alone is refused, because nobody who was reached is called again.",
    }),
  }),
});

const LeftOutReason = builder.enumType("LeftOutReason", {
  description: "Why a person of a task is not called again. New values may be added.",
  values: {
    REACHED: {
      description:
        "Was reached: in this task, in the one that it came from by calling again, or in another one that came from it, in any writing of the number.",
    },
    ALREADY_BEING_CALLED: {
      description:
        "Is in another submission that calls people of these tasks again: one that waits for an approval, or whose task is not over. Or in any other one whose task the gateway does not know: it may be one of these tasks.",
    },
    DO_NOT_CALL: { description: "Is in the never-call list." },
    NOT_ALLOWED: {
      description:
        "The limits of the viewer do not allow a call to the number, or not in these hours. An approval applies those of the viewer that proposed the task.",
    },
    UNREADABLE: {
      description:
        "The number of the newest call is masked, missing or not callable, or the variables break the rules of createTask.",
    },
    NOT_IN_LOG: { description: "The newest call is no longer in the log: it expired or was erased meanwhile." },
  } satisfies Record<Reason, object>,
});

const LeftOutCount = builder.objectRef<LeftOut>("LeftOutCount").implement({
  description: "How many people are left out for a reason.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    reason: t.expose("reason", { type: LeftOutReason, nullable: false, description: "The first reason that holds." }),
    people: t.exposeInt("people", { nullable: false, description: "Number of people." }),
  }),
});

export const CalledAgain = builder.objectRef<CalledAgainRow>("CalledAgain").implement({
  description:
    "What a submission that calls people of a task again came from, and whom it leaves out. It names nobody.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    taskId: t.exposeID("taskId", {
      nullable: false,
      description: "The service's ID of the task whose people are called again.",
    }),
    task: t.field({
      type: Task,
      description: "The task. Null where the service has it no more, or this viewer does not see it.",
      ...requests(1),
      resolve: ({ taskId }, _, { loaders }) => loaders.task.load(taskId),
    }),
    leftOut: t.expose("leftOut", {
      type: [LeftOutCount],
      nullable: false,
      description: "People who match the filter and are not called, by reason. An approval counts them anew.",
    }),
    withoutVariables: t.exposeInt("withoutVariables", {
      nullable: false,
      description: "Number of people who are called without variables, because no call of theirs in the log has some.",
    }),
  }),
});
