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

const ofCalls = { window, minCalls: z.int().min(1, "must be at least 1").max(MAX_WINDOW_CALLS).default(20) };

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
  above: z.number().min(0, "must be at least 0").lt(1, "must be below 1: no share is above it"),
});

export const ruleKinds = ["answerRate", "hangUpReason"] as const;
const KIND_RULE = `must be ${ruleKinds.join(" or ")}`;

const rule = z.discriminatedUnion("kind", [answerRate, hangUpReason], {
  error: (issue) => (issue.code === "invalid_union" ? KIND_RULE : undefined),
});

export type AlertRule = z.output<typeof rule>;

const rules = z
  .array(rule)
  .max(MAX_RULES)
  .superRefine((list, context) => {
    for (const [at, each] of list.entries()) {
      const fault = (member: string, message: string) =>
        context.addIssue({ code: "custom", path: [at, member], message });
      if (list.findIndex(({ name }) => name === each.name) !== at) fault("name", "is that of another entry, too");
      if (each.window.calls !== undefined && each.minCalls > each.window.calls)
        fault("minCalls", `must be at most ${each.window.calls}: window.calls never has more`);
    }
  });

/** Throws as readListFile does. */
export const readAlertRules = (file: string): Promise<AlertRule[]> =>
  readListFile(file, rules, (entry) => ("name" in entry ? entry.name : undefined));
