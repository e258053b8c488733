// A mutation although it changes nothing: a query may arrive by GET, and addresses and caches must not hold phone numbers.
import { SUBMITTING } from "../auth/scopes.ts";
import type { TaskCheck as Check } from "../tasks/check/taskCheck.ts";
import { taskInput } from "../resolvers/callAgain.ts";
import { builder, needs, requests, rows, SCAN_ROWS } from "./builder.ts";
import { CalledAgain } from "./callAgain.ts";
import { CheckTaskInput, CreateTaskError } from "./createTask.ts";
import { TaskLimit } from "./enums.ts";
import { CountryCount, TaskSchedule } from "./taskSchedule.ts";

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

interface CheckArgs {
  input?: { from?: object | null };
}

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
    countries: t.expose("countries", {
      type: [CountryCount],
      nullable: false,
      description: "The people by country code, the most first. Empty where the input has mistakes.",
    }),
    schedule: t.expose("schedule", {
      type: TaskSchedule,
      description: "When it calls. Null where the input has mistakes.",
    }),
    limits: t.expose("limits", {
      type: [LimitUse],
      nullable: false,
      description: "What it uses of the limits of the key or token that count. Empty: there are none.",
    }),
    calledAgainFrom: t.field({
      type: CalledAgain,
      description:
        "The task whose people it calls again, and how many of them it leaves out. Null where the input has numbers, and for an input whose people cannot be chosen: see errors.",
      resolve: ({ calledAgain }) => calledAgain,
    }),
  }),
});

builder.mutationField("checkTask", (t) =>
  t.field({
    type: TaskCheck,
    nullable: false,
    description:
      "A dry run of createTask: it names everything that createTask would refuse, and sends and stores nothing. Needs the scope tasks:create or tasks:propose.",
    ...needs(
      SUBMITTING,
      rows(({ input }: CheckArgs) => (input?.from ? SCAN_ROWS : 1)),
      requests(({ input }: CheckArgs) => (input?.from ? 1 : 0)),
    ),
    args: { input: t.arg({ type: CheckTaskInput, required: true, description: "The task to check." }) },
    resolve: (_, { input }, context) => context.checkTask(context.viewer, taskInput(input, context)),
  }),
);
