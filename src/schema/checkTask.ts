// A mutation although it changes nothing: a query may arrive by GET, and addresses and caches must not hold phone numbers.
import { SUBMITTING } from "../auth/scopes.ts";
import type { TaskCheck as Check, TaskPeriod as Period } from "../tasks/taskCheck.ts";
import { builder, needs, rows, safeText } from "./builder.ts";
import { CheckTaskInput, CreateTaskError } from "./createTask.ts";
import { TaskLimit } from "./enums.ts";

const TaskPeriod = builder.objectRef<Period>("TaskPeriod").implement({
  description:
    "A period of the day in which a task calls. A member is null where its text is in a form that the gateway does not read.",
  ...needs(SUBMITTING),
  fields: (t) => ({
    from: t.exposeString("from", {
      description: "A time of day by the clock of timeZone, such as 09:00.",
      ...safeText("A time that was read."),
    }),
    to: t.exposeString("to", { description: "Such as 12:00.", ...safeText("A time that was read.") }),
    startsAt: t.expose("startsAt", { type: "DateTime", description: "When it begins on the start date." }),
  }),
});

const LimitUse = builder.objectRef<Check["limits"][number]>("LimitUse").implement({
  description: "What a task would use of a limit.",
  ...needs(SUBMITTING),
  fields: (t) => ({
    limit: t.expose("limit", { type: TaskLimit, nullable: false, description: "Which limit it is." }),
    size: t.exposeInt("size", { nullable: false, description: "How many tasks or numbers it allows." }),
    left: t.exposeInt("left", { nullable: false, description: "How many are left now." }),
    needed: t.exposeInt("needed", {
      nullable: false,
      description: "How many the task needs. 0 where the input has mistakes.",
    }),
    freeAt: t.expose("freeAt", {
      type: "DateTime",
      description: "When all of it is free again: the end of the hour or day. Null of NUMBERS_PER_TASK.",
    }),
  }),
});

const TaskCheck = builder.objectRef<Check>("TaskCheck").implement({
  description: "What createTask would do with an input.",
  ...needs(SUBMITTING),
  fields: (t) => ({
    errors: t.expose("errors", {
      type: [CreateTaskError],
      nullable: false,
      description: "Why createTask would refuse it now. Empty: it would send the task.",
    }),
    people: t.exposeInt("people", {
      description: "How many numbers the task calls. Null where the input has mistakes (INVALID_INPUT).",
    }),
    leftOutCount: t.exposeInt("leftOutCount", {
      nullable: false,
      description: "How many numbers skipDoNotCall leaves out.",
    }),
    timeZone: t.exposeString("timeZone", {
      nullable: false,
      description: "The time zone of the service's clock, which the periods follow.",
      ...safeText("The operator's setting."),
    }),
    periods: t.expose("periods", {
      type: [TaskPeriod],
      nullable: false,
      description: "When it calls. Empty where the input has mistakes.",
    }),
    limits: t.expose("limits", {
      type: [LimitUse],
      nullable: false,
      description: "What it uses of the limits of the key or token that count. Empty: there are none.",
    }),
  }),
});

builder.mutationField("checkTask", (t) =>
  t.field({
    type: TaskCheck,
    nullable: false,
    description:
      "A dry run of createTask: it names everything that createTask would refuse, and sends and stores nothing. Needs the scope tasks:create or tasks:propose.",
    ...needs(SUBMITTING, rows(1)),
    args: { input: t.arg({ type: CheckTaskInput, required: true, description: "The task to check." }) },
    resolve: (_, { input }, { checkTask, viewer }) => checkTask(viewer, input),
  }),
);
