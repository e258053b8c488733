// POST /openapi/tasks (service.md 4.3): checks the body strictly and creates the task.
import { z } from "zod";
import { overriddenVersion } from "../world/assistants.ts";
import { extraSchema, integerSchema } from "../bigintJson.ts";
import type { Ids, World } from "../world/world.ts";
import { NO_EXACT_FIELDS, type AssistantVersion, type Task } from "../world/model.ts";
import { createRandom } from "../random.ts";
import { HttpError } from "./response.ts";
import { isDate, isTimeOfDay } from "../timeText.ts";

const period = z
  .array(z.string().refine(isTimeOfDay, "expected hh:mm or hh:mm:ss"))
  .length(2)
  .refine(([start = "", end = ""]) => start < end, "a period must end after it starts");

const createTaskSchema = z.strictObject({
  name: z.string().min(1),
  assistantId: integerSchema,
  assistantOverride: z
    .strictObject({
      globalConfig: z
        .strictObject({
          welcome: z.string().optional(),
          prompt: z.string().optional(),
          language: z.enum(["zh", "en", "jp"]).optional(),
        })
        .optional(),
      speakerId: integerSchema.optional(),
    })
    .optional(),
  option: z.strictObject({
    numberFileMeta: z.strictObject({ 号码: z.int(), 姓名: z.int(), 性别: z.int(), 销售姓名: z.int() }),
    numbers: z.array(integerSchema).min(1),
    startTime: z.array(period).min(1),
    startDate: z.string().refine(isDate, "expected YYYY-MM-DD"),
    retryCount: z.int().min(0),
    retryInterval: z.int().min(0),
  }),
  numbers: z.array(z.strictObject({ number: z.string().min(1), extra: extraSchema.optional() })).min(1),
});

type Body = z.infer<typeof createTaskSchema>;

/** Adds the task, and a new version of its assistant if the body overrides it. Throws an HttpError (400). */
export function createTask(body: unknown, deps: { world: World; ids: Ids; now: () => number; seed: number }): Task {
  const parsed = createTaskSchema.safeParse(body);
  if (!parsed.success) throw new HttpError(400, z.prettifyError(parsed.error));
  const { data } = parsed;
  const used = deps.world.findVersion(data.assistantId);
  if (!used) throw new HttpError(400, "unknown assistantId");
  const version = data.assistantOverride ? newVersion(used.version, data.assistantOverride, deps) : used.version;
  if (version !== used.version) used.assistant.versions.push(version);
  used.assistant.usageCount += 1;
  used.assistant.updatedAt = version === used.version ? used.assistant.updatedAt : deps.now();
  const task = newTask(data, version, deps);
  deps.world.addTask(task);
  return task;
}

function newVersion(
  base: AssistantVersion,
  { globalConfig, speakerId }: NonNullable<Body["assistantOverride"]>,
  deps: { ids: Ids; seed: number },
): AssistantVersion {
  const vid = deps.ids.next("version");
  const random = createRandom(deps.seed, "override", String(vid));
  // Only fields that are present: an absent one must not clear the value of the base version.
  const given = Object.entries({ ...globalConfig, speakerId }).filter(([, value]) => value !== undefined);
  return overriddenVersion(base, Object.fromEntries(given), vid, random);
}

function newTask(
  { name, assistantId, option, numbers }: Body,
  version: AssistantVersion,
  deps: { ids: Ids; now: () => number },
): Task {
  const now = deps.now();
  return {
    id: deps.ids.next("task"),
    name,
    status: "pending",
    createdAt: now,
    updatedAt: now,
    total: numbers.length,
    progress: 0,
    collectionRate: 0,
    done: 0,
    collected: 0,
    // The body has no 备注 column: -1 means no such column.
    fileMeta: { number: option.numberFileMeta.号码, remarks: -1, name: option.numberFileMeta.姓名 },
    lines: option.numbers,
    startDate: option.startDate,
    startTime: option.startTime,
    retryCount: option.retryCount,
    retryInterval: option.retryInterval,
    summary: "",
    suggestion: "",
    assistantId,
    assistantVid: version.vid,
    items: numbers.map(({ number, extra }) => ({
      id: deps.ids.next("item"),
      number,
      extra: extra ?? {},
      attempts: 0,
      done: false,
    })),
    exact: NO_EXACT_FIELDS,
  };
}
