// The rules of alerts, as ALERTS_FILE has them.
import { z } from "zod";
import { readListFile } from "../auth/listFile.ts";

/** More calls are not kept of a subject. An answer rate needs no more. */
export const MAX_WINDOW_CALLS = 1000;
const MAX_RULES = 100;
const MAX_MINUTES = 24 * 60;
const NAME_RULE = "must have 1 to 40 lower-case letters, digits and hyphens, and begin with a letter";

const ids = z.array(z.string().regex(/^[1-9]\d{0,30}$/, "must be an ID in digits")).min(1);
const minutes = z.int().min(1, "must be at least 1").max(MAX_MINUTES);

const window = z
  .strictObject({
    calls: z.int().min(1, "must be at least 1").max(MAX_WINDOW_CALLS).optional(),
    minutes: minutes.optional(),
  })
  .refine((own) => (own.calls === undefined) !== (own.minutes === undefined), "must have either calls or minutes");

const common = {
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, NAME_RULE),
  of: z.enum(["task", "assistant", "all"]).default("task"),
  tasks: ids.optional(),
  assistants: ids.optional(),
  coolDownMinutes: minutes.default(60),
};

const count = z.int().min(1, "must be at least 1").max(MAX_WINDOW_CALLS);
const ofCalls = { window, minCalls: count.default(20) };
const share = z.number().min(0, "must be at least 0").lt(1, "must be below 1: no share is above it");

const answerRate = z.strictObject({
  ...common,
  kind: z.literal("answerRate"),
  ...ofCalls,
  below: z.number().gt(0, "must be above 0: no rate is below it").max(1, "must be at most 1"),
});

const hangUpReason = z.strictObject({
  ...common,
  kind: z.literal("hangUpReason"),
  ...ofCalls,
  reasons: z.array(z.string().min(1)).min(1),
  above: share,
});

const recordingsLost = z
  .strictObject({
    ...common,
    kind: z.literal("recordingsLost"),
    ...ofCalls,
    above: share.optional(),
    atLeast: count.optional(),
  })
  .refine((own) => (own.above === undefined) !== (own.atLeast === undefined), "must have either above or atLeast");

/** The limits of a key that count what it has sent. */
export const usedLimits = ["tasksPerHour", "tasksPerDay", "numbersPerHour", "numbersPerDay"] as const;

const keyLimit = z.strictObject({
  name: common.name,
  kind: z.literal("keyLimit"),
  keys: z.array(z.string().min(1)).min(1).optional(),
  limits: z.array(z.enum(usedLimits)).min(1).optional(),
  atLeast: z.number().gt(0, "must be above 0").max(1, "must be at most 1, which is all of a limit"),
});

/** A silence of more minutes is not looked for: a look reads the calls of that time. */
const MAX_SILENT_MINUTES = 240;
/** The service is asked about so many tasks a minute. */
export const MAX_WATCHED_TASKS = 50;
/** A larger number is a mistake. */
const MAX_PEOPLE = 10_000_000;

const ofTasks = {
  /** Those that the gateway knows, where it is not said. */
  tasks: ids.optional(),
  /** Those of these alone, as the service shows the task. */
  assistants: ids.optional(),
};

const noCalls = z.strictObject({
  name: common.name,
  kind: z.literal("noCalls"),
  /** Each of its tasks, where it is not said. */
  of: common.of.unwrap().optional(),
  ...ofTasks,
  minutes: z.int().min(1, "must be at least 1").max(MAX_SILENT_MINUTES, `must be at most ${MAX_SILENT_MINUTES}`),
});

const peopleLeft = z.strictObject({
  name: common.name,
  kind: z.literal("peopleLeft"),
  ...ofTasks,
  atLeast: z.int().min(1, "must be at least 1").max(MAX_PEOPLE).default(1),
});

const destinationFails = z.strictObject({
  name: common.name,
  kind: z.literal("destinationFails"),
  /** Those of DESTINATIONS_FILE, where it is not said. */
  destinations: z.array(z.string().min(1)).min(1).optional(),
  minutes,
});

const kinds = [answerRate, hangUpReason, recordingsLost, keyLimit, noCalls, peopleLeft, destinationFails] as const;
export const ruleKinds = [
  "answerRate",
  "hangUpReason",
  "recordingsLost",
  "keyLimit",
  "noCalls",
  "peopleLeft",
  "destinationFails",
] as const;
const KIND_RULE = `must be ${ruleKinds.slice(0, -1).join(", ")} or ${ruleKinds.at(-1)}`;

const rule = z.discriminatedUnion("kind", kinds, {
  error: (issue) => (issue.code === "invalid_union" ? KIND_RULE : undefined),
});

export type AlertRule = z.output<typeof rule>;
/** On the last calls, or recordings, of a subject. */
export type WindowRule = Extract<AlertRule, { window: unknown }>;
/** On what the service shows of tasks. */
export type TaskRule = Extract<AlertRule, { kind: "noCalls" | "peopleLeft" }>;

/** Whether a rule is about tasks that are looked at. */
export const watchesTasks = (rule: AlertRule): rule is TaskRule =>
  rule.kind === "noCalls" || rule.kind === "peopleLeft";

const rules = z
  .array(rule)
  .max(MAX_RULES)
  .superRefine((list, context) => {
    const watched = new Set<string>();
    for (const [at, each] of list.entries()) {
      const fault = (member: string, message: string) =>
        context.addIssue({ code: "custom", path: [at, member], message });
      if (list.findIndex(({ name }) => name === each.name) !== at) fault("name", "is that of another entry, too");
      if (watchesTasks(each)) {
        for (const taskId of each.tasks ?? []) watched.add(taskId);
        if (watched.size > MAX_WATCHED_TASKS)
          fault("tasks", `makes more than ${MAX_WATCHED_TASKS} tasks of rules of the kinds noCalls and peopleLeft`);
      }
      if (!("window" in each)) continue;
      const { calls = Infinity } = each.window;
      const least = countOf(each) ?? each.minCalls;
      if (least > calls)
        fault(countOf(each) === null ? "minCalls" : "atLeast", `must be at most ${calls}: window.calls never has more`);
    }
  });

/** The number that a rule asks for in place of a share. */
export const countOf = (rule: WindowRule): number | null =>
  rule.kind === "recordingsLost" ? (rule.atLeast ?? null) : null;

/** With fewer calls in its window a rule says nothing. A number of recordings is a number, of however many. */
export const minCallsOf = (rule: WindowRule): number => (countOf(rule) === null ? rule.minCalls : 1);

/** The value at which, or beyond which, an alert is raised. */
export function thresholdOf(rule: WindowRule): number {
  if (rule.kind === "answerRate") return rule.below;
  return countOf(rule) ?? rule.above ?? 0;
}

/** Throws as readListFile does. */
export const readAlertRules = (file: string): Promise<AlertRule[]> =>
  readListFile(file, rules, (entry) => ("name" in entry ? entry.name : undefined));
