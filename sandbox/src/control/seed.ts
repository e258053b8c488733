// Adds exact tasks and calls for tests. The tasks are not dialled, and the calls send no events.
import { z } from "zod";
import { extraSchema, idSchema } from "../bigintJson.ts";
import type { Ids, World } from "../world/world.ts";
import type { Call, Task } from "../world/model.ts";
import { createRandom } from "../random.ts";
import { phoneNumber } from "../world/fakeData.ts";
import { HttpError } from "../api/response.ts";
import { dateOf, isDate, isTimeOfDay, parseTime } from "../timeText.ts";
import { SWITCHBOARD_NUMBER } from "../telephony/inboundTraffic.ts";

/** Changes to the JSON of this call or task: fields to leave out, and fields to add or replace. */
const exactFields = { omit: z.array(z.string()).default([]), raw: extraSchema.default(() => ({})) };
/** `YYYY-MM-DD hh:mm:ss` in the service's zone, RFC 3339, or epoch ms. */
const time = z.union([z.string(), z.int()]);
const person = z.strictObject({ number: z.string(), extra: extraSchema.default(() => ({})) });
const count = z.int().min(0);
const assistantSchema = z.strictObject({ id: idSchema, vid: idSchema });

const taskSeed = z.strictObject({
  id: idSchema.optional(),
  name: z.string().default("Seeded task"),
  status: z.enum(["pending", "running", "stop.operate", "stop.timeout", "stop.abnormal", "done"]).default("done"),
  createdAt: time.optional(),
  updatedAt: time.optional(),
  /** Default: the count of `numbers`. */
  total: count.optional(),
  progress: z.number().default(0),
  collectionRate: z.number().default(0),
  lines: z.array(idSchema).default(() => [60n]),
  startDate: z.string().refine(isDate).optional(),
  startTime: z.array(z.array(z.string().refine(isTimeOfDay)).length(2)).default(() => [["09:00", "18:00"]]),
  retryCount: count.default(0),
  retryInterval: count.default(60),
  summary: z.string().default(""),
  suggestion: z.string().default(""),
  /** Default: the first assistant. An unknown id makes `assistant` null. */
  assistantId: idSchema.optional(),
  /** Default: the assistant's newest version. */
  assistantVid: idSchema.optional(),
  /** Open numbers, which POST /sandbox/calls can settle. */
  numbers: z.array(person).default(() => []),
  ...exactFields,
});

const callSeed = z.strictObject({
  sessionId: z.string().min(1).optional(),
  taskId: idSchema.optional(),
  taskItemId: idSchema.optional(),
  kind: z.enum(["phone", "privateTest"]).default("phone"),
  direction: z.enum(["inbound", "outbound"]).optional(),
  caller: z.string().optional(),
  callee: z.string().optional(),
  /** Default: now. */
  startAt: time.optional(),
  /** Default: 3 s after the start. Null: not answered. */
  answerAt: time.nullable().optional(),
  /** Default: 20 s after the answer or start. Null: still active. */
  endAt: time.nullable().optional(),
  createdAt: time.optional(),
  duration: count.optional(),
  billsec: count.optional(),
  assistant: z.array(assistantSchema).optional(),
  extra: extraSchema.default(() => ({})),
  ...exactFields,
});

export const seedSchema = z.strictObject({
  tasks: z.array(taskSeed).default(() => []),
  calls: z.array(callSeed).default(() => []),
});

export type SeedInput = z.input<typeof seedSchema>;
type TaskSeed = z.infer<typeof taskSeed>;
type CallSeed = z.infer<typeof callSeed>;
export interface SeedDeps {
  world: World;
  ids: Ids;
  now: () => number;
  timeZone: string;
}

/** Replaces tasks and calls with the same id. Throws an HttpError (400) before it adds anything. */
export function applySeed(
  seed: z.infer<typeof seedSchema>,
  deps: SeedDeps,
): { taskIds: string[]; sessionIds: string[] } {
  const tasks = seed.tasks.map((task) => createTask(task, deps));
  const seededTasks = new Map(tasks.map((task) => [task.id, task]));
  const calls = seed.calls.map((call) =>
    createCall(call, (id) => seededTasks.get(id) ?? deps.world.tasks.get(id), deps),
  );
  for (const task of tasks) deps.world.addTask(task);
  for (const call of calls) deps.world.addCall(call);
  return { taskIds: tasks.map(({ id }) => String(id)), sessionIds: calls.map(({ sessionId }) => sessionId) };
}

function createTask(seed: TaskSeed, { world, ids, now, timeZone }: SeedDeps): Task {
  const { omit, raw, numbers, ...given } = seed;
  const createdAt = parseInstant(seed.createdAt, timeZone) ?? now();
  const assistantId = seed.assistantId ?? [...world.assistants.keys()][0] ?? 0n;
  return {
    ...given,
    id: seed.id ?? ids.next("task"),
    createdAt,
    updatedAt: parseInstant(seed.updatedAt, timeZone) ?? createdAt,
    total: seed.total ?? numbers.length,
    done: 0,
    collected: 0,
    fileMeta: { number: 0, remarks: 2, name: 1 },
    startDate: seed.startDate ?? dateOf(createdAt, timeZone),
    assistantId,
    assistantVid: seed.assistantVid ?? world.findVersion(assistantId)?.version.vid ?? 0n,
    items: numbers.map((each) => ({ ...each, id: ids.next("item"), attempts: 0, done: false })),
    exact: { omit, raw },
  };
}

function createCall(seed: CallSeed, taskBy: (id: bigint) => Task | undefined, deps: SeedDeps): Call {
  const { world, ids, now, timeZone } = deps;
  const sessionId = seed.sessionId ?? ids.session();
  const direction = seed.direction ?? (seed.taskId === undefined ? "inbound" : "outbound");
  const customer = phoneNumber(createRandom("seeded", sessionId), "zh");
  const task = seed.taskId === undefined ? undefined : taskBy(seed.taskId);
  const [assistant] = world.assistants.values();
  const startAt = parseInstant(seed.startAt, timeZone) ?? now();
  const answerAt = seed.answerAt === null ? null : (parseInstant(seed.answerAt, timeZone) ?? startAt + 3000);
  const endAt = seed.endAt === null ? null : (parseInstant(seed.endAt, timeZone) ?? (answerAt ?? startAt) + 20_000);
  const length = (from: number | null) => (from === null || endAt === null ? 0 : Math.round((endAt - from) / 1000));
  return {
    sessionId,
    taskId: seed.taskId ?? null,
    taskItemId: seed.taskItemId ?? null,
    kind: seed.kind,
    direction,
    caller: seed.caller ?? (direction === "inbound" ? customer : "A060"),
    callee: seed.callee ?? (direction === "inbound" ? SWITCHBOARD_NUMBER : customer),
    createdAt: parseInstant(seed.createdAt, timeZone) ?? startAt,
    startAt,
    answerAt,
    endAt,
    ringTime: Math.round(((answerAt ?? endAt ?? startAt) - startAt) / 1000),
    duration: seed.duration ?? length(startAt),
    billsec: seed.billsec ?? length(answerAt),
    hangupSide: "callee",
    hangupReason: answerAt === null ? "no answer" : "normal",
    assistants: seed.assistant ?? defaultAssistant(task, assistant?.id ?? 0n, world),
    extra: seed.extra,
    isRecorded: true,
    exact: { omit: seed.omit, raw: seed.raw },
  };
}

function defaultAssistant(task: Task | undefined, fallback: bigint, world: World): { id: bigint; vid: bigint }[] {
  if (task) return [{ id: task.assistantId, vid: task.assistantVid }];
  const version = world.findVersion(fallback)?.version;
  return version ? [{ id: fallback, vid: version.vid }] : [];
}

function parseInstant(given: string | number | undefined, timeZone: string): number | undefined {
  if (typeof given !== "string") return given;
  const read = parseTime(given, timeZone);
  if (read === null) throw new HttpError(400, `${given} is not a time: use YYYY-MM-DD hh:mm:ss, RFC 3339 or epoch ms`);
  return read;
}
