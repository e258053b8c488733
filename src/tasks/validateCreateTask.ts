// The rules of a new task (service.md, section 4.3), checked before anything is kept or sent: the few fields first, then
// its numbers in small steps, and no more of them than it takes to tell enough mistakes.
import { z } from "zod";
import type { Steps } from "../util/timeSlices.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { readTaskNumbers, type TaskNumberInput } from "./taskNumbers.ts";

export interface InputError {
  /** Reads behind the path's last name: `must not be empty`. */
  message: string;
  /** Where in the input, in the graph's names. */
  path: string[];
}

/** The input of the mutation, coerced by the graph; nothing of it is checked yet but its types. */
export type CreateTaskInput = z.input<typeof taskFields> & { numbers: TaskNumberInput[] };

/** More are not told, and not looked for. */
const MOST_MISTAKES = 100;
const LONGEST_NAME = 1000;

const id = z.string().regex(/^[1-9]\d{0,18}$/, "must be a positive integer");
const filled = z.string().refine((text) => text.trim() !== "", "must not be empty");
const notNegative = z.int().nonnegative("must not be negative");

const startDate = filled.refine(isPossibleDate, "is not a date of the calendar");
const time = filled.refine(isPossibleTime, "is not a time of a day");
const period = z
  .array(time)
  .min(1, "must have its times")
  .refine((times) => times.length < 2 || new Set(times).size > 1, "must not end when it begins");

/** Everything but the numbers. */
const taskFields = z.object({
  idempotencyKey: z
    .string()
    .min(1, "must not be empty")
    .max(255, "must have 255 characters at most")
    // Half a character is mended by the store, and two keys would be one.
    .refine((key) => key.isWellFormed(), "must be Unicode")
    .refine((key) => !key.includes("\0"), "must not hold a NUL"),
  // Kept with the submission: PostgreSQL's texts know no NUL.
  name: filled
    .max(LONGEST_NAME, `must have ${LONGEST_NAME} characters at most`)
    .refine((name) => !name.includes("\0"), "must not hold a NUL"),
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
    lineIds: z.array(id).min(1, "must name a line at least"),
    periods: z.array(period).min(1, "must hold a period at least"),
    startDate,
    retryCount: notNegative,
    retryIntervalSeconds: notNegative,
  }),
});

/**
 * The request to send, or its mistakes with their places: every one, up to a hundred. Messages hold no value of the
 * input.
 */
export function* readCreateTaskInput(
  input: CreateTaskInput,
): Steps<{ request: CreateTaskRequest } | { errors: InputError[] }> {
  const fields = taskFields.safeParse(input);
  const issues = fields.error?.issues ?? [];
  const errors: InputError[] = issues.map(({ message, path }) => ({ message, path: path.map(String) }));
  const numbers = yield* readTaskNumbers(input.numbers, ({ message, path }) => {
    errors.push({ message, path: ["numbers", ...path] });
    return errors.length <= MOST_MISTAKES;
  });
  if (errors.length > MOST_MISTAKES) {
    const more = { message: `has more mistakes than the ${MOST_MISTAKES} that are told`, path: ["numbers"] };
    return { errors: [...errors.slice(0, MOST_MISTAKES), more] };
  }
  if (!fields.success || errors.length > 0) return { errors };
  const { idempotencyKey: _, assistantOverride, ...rest } = fields.data;
  return { request: { ...rest, assistantOverride: assistantOverride ? overrideOf(assistantOverride) : null, numbers } };
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

/** The format of startDate is not documented: only what begins like a calendar date is held to the calendar. */
function isPossibleDate(text: string): boolean {
  const [, year, month, day] = /^\s*(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)/.exec(text)?.toSpliced(2, 1) ?? [];
  if (year === undefined) return true;
  try {
    const date = { year: Number(year), month: Number(month), day: Number(day) };
    return Temporal.PlainDate.from(date, { overflow: "reject" }).year === date.year;
  } catch {
    return false;
  }
}

/** Nor is that of a time: only what looks like one of a clock is held to it. 24:00 is the end of a day. */
function isPossibleTime(text: string): boolean {
  const [, hour, minute, second] = /^\s*(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/.exec(text) ?? [];
  if (hour === undefined) return true;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second ?? 0);
  return Number(minute) < 60 && Number(second ?? 0) < 60 && seconds <= 86_400;
}
