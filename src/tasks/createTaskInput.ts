// The rules of a new task (service.md, section 4.3), all checked at once before anything is kept or sent.
import { z } from "zod";
import { isDeeperThan } from "../dialect/depth.ts";
import { isWritable } from "../dialect/exactJson.ts";
import type { CreateTaskRequest } from "../upstream/upstream.ts";
import { MARK_KEY } from "./mark.ts";
import { taskNumbers } from "./taskNumbers.ts";

export interface InputError {
  /** Reads behind the path's last name: `must not be empty`. */
  message: string;
  /** Where in the input, in the graph's names. */
  path: string[];
}

/** The input of the mutation, coerced by the graph; nothing of it is checked yet but its types. */
export type CreateTaskInput = z.input<typeof createTaskInput>;

const id = z.string().regex(/^[1-9]\d{0,18}$/, "must be a positive integer");
const filled = z.string().refine((text) => text.trim() !== "", "must not be empty");
const DEEPEST = 100;
/** Taken as it is: z.record would lose a variable called `__proto__`. */
const variables = z
  .custom<Record<string, unknown>>((value) => typeof value === "object" && !Array.isArray(value))
  .refine((value) => !isDeeperThan(DEEPEST, value), {
    message: `must not be nested more than ${DEEPEST} levels deep`,
    abort: true,
  })
  // 1e400 is read as Infinity, which would be sent as null.
  .refine(isWritable, "holds a number that is too large")
  .refine((value) => !Object.hasOwn(value, MARK_KEY), { message: "is a key of the gateway's own", path: [MARK_KEY] });
const notNegative = z.int().nonnegative("must not be negative");

const startDate = filled.refine(isPossibleDate, "is not a date of the calendar");
const time = filled.refine(isPossibleTime, "is not a time of a day");
const period = z
  .array(time)
  .min(1, "must have its times")
  .refine((times) => times.length < 2 || new Set(times).size > 1, "must not end when it begins");

const createTaskInput = z.object({
  idempotencyKey: z
    .string()
    .min(1, "must not be empty")
    .max(255, "must have 255 characters at most")
    // Half a character is mended by the store, and two keys would be one.
    .refine((key) => key.isWellFormed(), "must be Unicode")
    .refine((key) => !key.includes("\0"), "must not hold a NUL"),
  // Kept with the submission: PostgreSQL's texts know no NUL.
  name: filled.refine((name) => !name.includes("\0"), "must not hold a NUL"),
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
  numbers: taskNumbers(variables.nullish()),
});

/** The request to send, or every mistake with its place. Messages hold no value of the input. */
export function readCreateTaskInput(
  input: CreateTaskInput,
): { request: CreateTaskRequest } | { errors: [InputError, ...InputError[]] } {
  const parsed = createTaskInput.safeParse(input);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ message, path }) => ({ message, path: path.map(String) }));
    return { errors: errors as [InputError, ...InputError[]] };
  }
  const { idempotencyKey: _, assistantOverride, numbers, ...rest } = parsed.data;
  return {
    request: {
      ...rest,
      assistantOverride: assistantOverride ? overrideOf(assistantOverride) : null,
      numbers: numbers.map(({ number, extra }) => ({ number: number.written, extra: extra ?? null })),
    },
  };
}

function overrideOf({
  globalConfig,
  speakerId,
}: NonNullable<z.output<typeof createTaskInput>["assistantOverride"]>): CreateTaskRequest["assistantOverride"] {
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
