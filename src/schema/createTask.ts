import { SEEING_SUBMISSIONS, SUBMITTING } from "../auth/scopes.ts";
import { taskInput } from "../resolvers/callAgain.ts";
import { MAX_NUMBERS } from "../tasks/taskNumbers.ts";
import type { SubmitError, SubmitResult } from "../tasks/submitResult.ts";
import { requests, rows, builder, longest, needs, safeText, SCAN_ROWS } from "./builder.ts";
import { CallAgainInput } from "./callAgain.ts";
import { CreateTaskErrorCode, Language } from "./enums.ts";
import { LimitState } from "./viewerLimits.ts";
import { TaskSubmission } from "./taskSubmissions.ts";

const AssistantGlobalConfigInput = builder.inputType("AssistantGlobalConfigInput", {
  description: "Settings of the new version of the assistant. A field that is null keeps the assistant's own setting.",
  fields: (t) => ({
    welcome: t.string({ description: "The opening line." }),
    prompt: t.string({ description: "The system prompt." }),
    language: t.field({ type: Language, description: "The language it speaks." }),
  }),
});

const AssistantOverrideInput = builder.inputType("AssistantOverrideInput", {
  description: "Creates a new version of the assistant for this task. A field that is null keeps the assistant's own.",
  fields: (t) => ({
    globalConfig: t.field({ type: AssistantGlobalConfigInput, description: "Other settings." }),
    speakerId: t.id({ description: "The service's ID of another voice." }),
  }),
});

const CreateNumberFileMetaInput = builder.inputType("CreateNumberFileMetaInput", {
  description:
    "The columns of the number file. The documentation of the service does not state what the integers mean.",
  fields: (t) => ({
    number: t.int({ required: true, description: "The number column (号码)." }),
    name: t.int({ required: true, description: "The name column (姓名)." }),
    gender: t.int({ required: true, description: "The gender column (性别)." }),
    salesPersonName: t.int({ required: true, description: "The column of the sales person's name (销售姓名)." }),
  }),
});

const CreateTaskOptionInput = builder.inputType("CreateTaskOptionInput", {
  description: "When and how the numbers are called.",
  fields: (t) => ({
    numberFileMeta: t.field({
      type: CreateNumberFileMetaInput,
      required: true,
      description: "The columns of the number file.",
    }),
    lineIds: t.idList({
      required: true,
      description: "The IDs of the outgoing lines, at least one. The service calls them numbers.",
    }),
    periods: t.field({
      type: t.listRef(t.listRef("String")),
      required: true,
      description:
        'The times of day at which calls are made, at least one period, such as [["09:00", "12:00"]]. The service calls them startTime and does not document their format.',
    }),
    startDate: t.string({
      required: true,
      description:
        "The first day of calls, such as 2026-11-20, in the years 2000 to 2199. The service does not document its format.",
    }),
    retryCount: t.int({ required: true, description: "Number of retries, 0 or more." }),
    retryIntervalSeconds: t.int({ required: true, description: "Time between retries in seconds, 0 or more." }),
  }),
});

const TaskNumberInput = builder.inputType("TaskNumberInput", {
  description: "A number to call.",
  ...longest(MAX_NUMBERS),
  fields: (t) => ({
    number: t.string({ required: true, description: "The phone number, at most 64 characters." }),
    extra: t.field({
      type: "JSONObject",
      description: "Variables of this number. They come back as extra of its call-ended event.",
    }),
  }),
});

type InputFields = Parameters<Parameters<typeof builder.inputType>[1]["fields"]>[0];

const taskFields = (t: InputFields) => ({
  name: t.string({ required: true, description: "The name of the task, at most 1000 characters." }),
  assistantId: t.id({ required: true, description: "The service's ID of the assistant that makes the calls." }),
  assistantOverride: t.field({
    type: AssistantOverrideInput,
    description: "Changes to the assistant for this task. Null: none.",
  }),
  option: t.field({
    type: CreateTaskOptionInput,
    required: true,
    description: "When and how the numbers are called.",
  }),
  numbers: t.field({
    type: [TaskNumberInput],
    description: `The numbers to call: 1 to ${MAX_NUMBERS}, each only once. Null where \`from\` is given.`,
  }),
  from: t.field({
    type: CallAgainInput,
    description:
      "People of another task to call again, in the place of numbers. People of the never-call list are left out, whether skipDoNotCall is set or not.",
  }),
  skipDoNotCall: t.boolean({
    description:
      "Leaves out numbers that are in the never-call list; TaskSubmission.leftOutCount counts them. By default such a number refuses the whole task.",
  }),
});

const CreateTaskInput = builder.inputType("CreateTaskInput", {
  description: "The task to create.",
  fields: (t) => ({
    idempotencyKey: t.string({
      required: true,
      description:
        "Makes the mutation safe to repeat. The same key with the same input returns the first result and calls nobody twice; with another input it is refused. Use one key per intended task, such as a UUID; at most 255 characters.",
    }),
    ...taskFields(t),
  }),
});

export const CheckTaskInput = builder.inputType("CheckTaskInput", {
  description: "The task to check: the input of createTask without its idempotency key.",
  fields: taskFields,
});

export const CreateTaskError = builder.objectRef<SubmitError>("CreateTaskError").implement({
  description: "Why a task was not created, approved or declined.",
  ...needs(SEEING_SUBMISSIONS),
  fields: (t) => ({
    code: t.expose("code", { type: CreateTaskErrorCode, nullable: false, description: "The kind of error." }),
    message: t.exposeString("message", {
      nullable: false,
      description: "What is wrong, to be read behind the last name of path. It holds no value of the input.",
      ...safeText("The gateway's own words, without a value."),
    }),
    path: t.exposeStringList("path", {
      nullable: false,
      ...safeText("Names of the input and places in its lists."),
      description: 'Where in the input, such as ["numbers", "3", "number"]. Empty for an error of the whole input.',
    }),
    limit: t.field({
      type: LimitState,
      description: "The limit that is too small for the task. Only of LIMIT_EXCEEDED.",
      resolve: ({ limit }) => limit ?? null,
    }),
  }),
});

const CreateTaskPayload = builder.objectRef<SubmitResult>("CreateTaskPayload").implement({
  description: "The result of createTask.",
  ...needs(SUBMITTING),
  fields: (t) => ({
    submission: t.expose("submission", {
      type: TaskSubmission,
      description: "The submission that was sent or proposed. Null where nothing was sent or stored: see errors.",
    }),
    replayed: t.exposeBoolean("replayed", {
      nullable: false,
      description: "The key was used before with this input: this is the first result, and nothing was sent again.",
    }),
    errors: t.expose("errors", {
      type: [CreateTaskError],
      nullable: false,
      description: "Why no task was created. Empty on success.",
    }),
  }),
});

interface CreateArgs {
  input?: { from?: object | null };
}

builder.mutationField("createTask", (t) =>
  t.field({
    type: CreateTaskPayload,
    description:
      "Creates an outbound task, which makes real phone calls. For a viewer with tasks:propose and without tasks:create it waits as PROPOSED for approveTask. Needs the scope tasks:create or tasks:propose.",
    ...needs(
      SUBMITTING,
      rows(({ input }: CreateArgs) => (input?.from ? SCAN_ROWS : 0)),
      requests(({ input }: CreateArgs) => (input?.from ? 2 : 1)),
    ),
    args: { input: t.arg({ type: CreateTaskInput, required: true, description: "The task to create." }) },
    resolve(_, { input }, context) {
      const { viewer } = context;
      const task = taskInput(input, context);
      return viewer.scopes.has("tasks:create") ? context.submitTask(viewer, task) : context.proposeTask(viewer, task);
    },
  }),
);
