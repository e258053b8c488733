import { createTask } from "../resolvers/createTask.ts";
import type { SubmitError, SubmitResult } from "../tasks/submitTask.ts";
import { asks, builder, needs, safeText } from "./builder.ts";
import { CreateTaskInput } from "./createTaskInput.ts";
import { CreateTaskErrorCode } from "./enums.ts";
import { TaskSubmission } from "./taskSubmission.ts";

const CreateTaskError = builder.objectRef<SubmitError>("CreateTaskError").implement({
  ...needs("tasks:create"),
  fields: (t) => ({
    code: t.expose("code", { type: CreateTaskErrorCode, nullable: false }),
    message: t.exposeString("message", { nullable: false, ...safeText("The gateway's own words, without a value.") }),
    path: t.exposeStringList("path", {
      nullable: false,
      ...safeText("Names of the input and places in its lists."),
      description: 'Where in the input, such as ["numbers", "3", "number"].',
    }),
  }),
});

const CreateTaskPayload = builder.objectRef<SubmitResult>("CreateTaskPayload").implement({
  ...needs("tasks:create"),
  fields: (t) => ({
    submission: t.expose("submission", {
      type: TaskSubmission,
      description: "Null where nothing was submitted: errors says why.",
    }),
    replayed: t.exposeBoolean("replayed", {
      nullable: false,
      description: "The key was used before with this input: this is the first answer again, and nothing was sent.",
    }),
    errors: t.expose("errors", { type: [CreateTaskError], nullable: false }),
  }),
});

builder.mutationField("createTask", (t) =>
  t.field({
    type: CreateTaskPayload,
    description: "Creates an outbound task: it makes real phone calls. Needs the scope tasks:create.",
    ...needs("tasks:create", asks(1)),
    args: { input: t.arg({ type: CreateTaskInput, required: true }) },
    resolve: (_, { input }, context) => createTask(input, context),
  }),
);
