import { MAX_NUMBERS } from "../tasks/taskNumbers.ts";
import { builder, longest } from "./builder.ts";
import { Language } from "./enums.ts";

const AssistantGlobalConfigInput = builder.inputType("AssistantGlobalConfigInput", {
  fields: (t) => ({ welcome: t.string(), prompt: t.string(), language: t.field({ type: Language }) }),
});

const AssistantOverrideInput = builder.inputType("AssistantOverrideInput", {
  description: "Creates a new version of the assistant for this task.",
  fields: (t) => ({ globalConfig: t.field({ type: AssistantGlobalConfigInput }), speakerId: t.id() }),
});

const CreateNumberFileMetaInput = builder.inputType("CreateNumberFileMetaInput", {
  fields: (t) => ({
    number: t.int({ required: true, description: "号码" }),
    name: t.int({ required: true, description: "姓名" }),
    gender: t.int({ required: true, description: "性别" }),
    salesPersonName: t.int({ required: true, description: "销售姓名" }),
  }),
});

const CreateTaskOptionInput = builder.inputType("CreateTaskOptionInput", {
  fields: (t) => ({
    numberFileMeta: t.field({ type: CreateNumberFileMetaInput, required: true }),
    lineIds: t.idList({
      required: true,
      description: "IDs of the outgoing lines (the service calls them numbers).",
    }),
    periods: t.field({
      type: t.listRef(t.listRef("String")),
      required: true,
      description: "Execution time periods (the service calls them startTime).",
    }),
    startDate: t.string({ required: true }),
    retryCount: t.int({ required: true }),
    retryIntervalSeconds: t.int({ required: true }),
  }),
});

const TaskNumberInput = builder.inputType("TaskNumberInput", {
  ...longest(MAX_NUMBERS),
  fields: (t) => ({
    number: t.string({ required: true }),
    extra: t.field({
      type: "JSONObject",
      description: "Variables for this number; they come back as extra in its call-ended event.",
    }),
  }),
});

export const CreateTaskInput = builder.inputType("CreateTaskInput", {
  fields: (t) => ({
    idempotencyKey: t.string({
      required: true,
      description:
        "Makes the mutation safe to repeat, also by a client that repeats by itself: the same key with the same input gives the first answer again and calls nobody twice; with another input it is refused. Make one per intended task, such as a UUID.",
    }),
    name: t.string({ required: true }),
    assistantId: t.id({ required: true }),
    assistantOverride: t.field({ type: AssistantOverrideInput }),
    option: t.field({ type: CreateTaskOptionInput, required: true }),
    numbers: t.field({
      type: [TaskNumberInput],
      required: true,
      description: "At least one, none twice.",
    }),
  }),
});
