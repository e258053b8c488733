// Validates the input of createTask (service.md, section 4.3) before anything is stored or sent. The fields come first, then the
// numbers in small steps. It stops after 100 mistakes.
import { z } from "zod";
import { FIRST_YEAR, LAST_YEAR, readDate, readTimeOfDay } from "../format/scheduleText.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import type { CallAgainSource } from "./callAgain/callAgainSource.ts";
import { validateNumbers, type ReportMistake, type TaskNumberInput } from "./taskNumbers.ts";

export interface InputError {
  /** Follows the last name of the path: `must not be empty`. */
  message: string;
  /** Where in the input, by the graph's names. */
  path: string[];
}

/** The input of checkTask. The graph has checked its types only. */
export type CheckTaskInput = z.input<typeof taskFields> & {
  /** Empty where `from` is given. */
  numbers: TaskNumberInput[];
  /** In the place of numbers. */
  from?: CallAgainSource | null | undefined;
  /** Leaves out the numbers of the never-call list; without it they are a mistake. */
  skipDoNotCall?: boolean | null | undefined;
};

/** The input of createTask. */
export type CreateTaskInput = CheckTaskInput & { idempotencyKey: string };

const MAX_MISTAKES = 100;
const MAX_NAME_LENGTH = 1000;

const id = z.string().regex(/^[1-9]\d{0,18}$/, "must be a positive integer");
const filled = z.string().refine((text) => text.trim() !== "", "must not be empty");
const notNegative = z.int().nonnegative("must not be negative");

const startDate = filled
  .refine((text) => readDate(text) !== "impossible", "is not a date of the calendar")
  .refine((text) => readDate(text) !== "implausible", `must have a year from ${FIRST_YEAR} to ${LAST_YEAR}`);
const time = filled.refine((text) => readTimeOfDay(text) !== "impossible", "is not a time of a day");
const period = z
  .array(time)
  .min(1, "must have its times")
  .refine((times) => times.length < 2 || new Set(times).size > 1, "must not end when it begins");

const idempotencyKey = z
  .string()
  .min(1, "must not be empty")
  .max(255, "must have at most 255 characters")
  // The store would replace half a character, and two different keys would become equal.
  .refine((key) => key.isWellFormed(), "must be well-formed Unicode")
  .refine((key) => !key.includes("\0"), "must not contain NUL");

/** Everything but the numbers and the idempotency key, which checkTask does not need. */
const taskFields = z.object({
  // The name is stored with the submission, and PostgreSQL cannot store NUL.
  name: filled
    .max(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`)
    .refine((name) => !name.includes("\0"), "must not contain NUL"),
  assistantId: id,
  assistantOverride: z
    .object({
      globalConfig: z
        .object({
          welcome: z.string().nullish(),
          prompt: z.string().nullish(),
          language: z.enum(["zh", "en", "jp"]).nullish(),
        })
        .nullish(),
      speakerId: id.nullish(),
    })
    .nullish(),
  option: z.object({
    numberFileMeta: z.object({ number: z.int(), name: z.int(), gender: z.int(), salesPersonName: z.int() }),
    lineIds: z.array(id).min(1, "must have at least one line"),
    periods: z.array(period).min(1, "must have at least one period"),
    startDate,
    retryCount: notNegative,
    retryIntervalSeconds: notNegative,
  }),
});

const createTaskFields = z.object({ idempotencyKey, ...taskFields.shape });

export type Validated = { request: CreateTaskRequest } | { errors: InputError[] };

/**
 * Returns the request to send, or all mistakes with their paths, at most 100. No message contains a value of the input.
 */
export const validateCreateTask = (input: CreateTaskInput): Steps<Validated> => validate(input, createTaskFields);

/** The same without an idempotency key. */
export const validateCheckTask = (input: CheckTaskInput): Steps<Validated> => validate(input, taskFields);

function* validate(input: CheckTaskInput, schema: typeof taskFields): Steps<Validated> {
  const fields = schema.safeParse(input);
  const issues = fields.error?.issues ?? [];
  const errors: InputError[] = issues.map(({ message, path }) => ({ message, path: path.map(String) }));
  const report: ReportMistake = ({ message, path }) => {
    errors.push({ message, path: ["numbers", ...path] });
    return errors.length <= MAX_MISTAKES;
  };
  const numbers = input.from ? [] : yield* validateNumbers(input.numbers, report);
  if (errors.length > MAX_MISTAKES) {
    const more = {
      message: `has more than ${MAX_MISTAKES} mistakes; only the first ${MAX_MISTAKES} are listed`,
      path: ["numbers"],
    };
    return { errors: [...errors.slice(0, MAX_MISTAKES), more] };
  }
  if (!fields.success || errors.length > 0) return { errors };
  const { name, assistantId, assistantOverride, option } = fields.data;
  return {
    request: {
      name,
      assistantId,
      option,
      assistantOverride: assistantOverride ? overrideOf(assistantOverride) : null,
      numbers,
    },
  };
}

function overrideOf({
  globalConfig,
  speakerId,
}: NonNullable<z.output<typeof taskFields>["assistantOverride"]>): CreateTaskRequest["assistantOverride"] {
  return {
    globalConfig: globalConfig
      ? {
          welcome: globalConfig.welcome ?? null,
          prompt: globalConfig.prompt ?? null,
          language: globalConfig.language ?? null,
        }
      : null,
    speakerId: speakerId ?? null,
  };
}
