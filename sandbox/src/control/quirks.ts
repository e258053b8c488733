// Quirks: switches for behaviour that service.md does not show, and in which a real service may be odd.
import { z } from "zod";
import { idSchema } from "../bigintJson.ts";

const timeFormat = z.enum(["wall", "wallZ", "rfc3339", "epochS", "epochMs"]);

export const quirksSchema = z.strictObject({
  /** Writes null for empty lists and maps: items, assistant, collect, answers, numbers, assistant_infos, extra. */
  goNulls: z.boolean(),
  /** Writes 0001-01-01T00:00:00Z for a missing or empty time. */
  zeroTimes: z.boolean(),
  /** What a row of the list holds for a missing time; zeroTimes has precedence. */
  missingTimes: z.enum(["absent", "null", "empty"]),
  /** How times are written. Epoch formats are JSON numbers. wallZ: the wall clock, wrongly marked as UTC. */
  callLogTimes: timeFormat,
  taskTimes: timeFormat,
  webhookTimes: timeFormat,
  /**
   * newest, oldest: by the start. newestEnd: by the end, active calls first. byId: by session id. shuffled: in no order, but
   * the same for every page.
   */
  order: z.enum(["newest", "oldest", "newestEnd", "byId", "shuffled"]),
  /** A larger pageSize is silently lowered to this. Null: 100. */
  maxPageSize: z.int().min(1).max(100).nullable(),
  /** The pageSize in an answer: the one used, or the one requested. */
  pageSizeTold: z.enum(["used", "asked"]),
  /** items is null on a page after the last. */
  nullBeyondEnd: z.boolean(),
  /** Adds undocumented fields everywhere. */
  extraFields: z.boolean(),
  /** Writes progress and collectionRate with a fraction, such as 33.3. */
  fractionalPercentages: z.boolean(),
  /** The time that startTime and endTime filter. A call without it is outside every range. */
  rangeField: z.enum(["start", "answer", "end", "create"]),
  /** Whether calls exactly at startTime and endTime are included: both, only startTime, only endTime, none. */
  rangeEnds: z.enum(["inclusive", "endExclusive", "startExclusive", "exclusive"]),
  /** The accepted encoding of assistantIds: `1,2`, repeated, `assistantIds[]=`, or all of them. */
  assistantIdsEncoding: z.enum(["any", "comma", "repeat", "brackets"]),
  /** What happens to assistantIds in another encoding: 400, no filter, a filter by the first id alone, or no call. */
  foreignEncoding: z.enum(["refused", "ignored", "first", "nothing"]),
  /** Parameters that have no effect; their values are not checked either. */
  ignoredParameters: z.array(z.enum(["taskId", "startTime", "endTime", "direction", "phone", "description"])),
  /** Whether `phone` must be the whole number, or may be a part of it. */
  phoneMatch: z.enum(["exact", "contains"]),
  /** Whether recordFile is a path on the base address or a whole URL. */
  recordFile: z.enum(["path", "url"]),
  /** Whether rows of inbound calls have no taskId, or 0. */
  inboundTaskId: z.enum(["absent", "zero"]),
  /** New ids start here, for instance beyond 2^53. Null: no change. */
  idsFrom: idSchema.nullable(),
});

export type Quirks = z.infer<typeof quirksSchema>;
export type QuirksInput = z.input<typeof quirksPatchSchema>;
export const quirksPatchSchema = quirksSchema.partial();

/** Follows service.md exactly; where it shows nothing, its plainest reading (listed in docs/sandbox.md). */
export const DEFAULT_QUIRKS: Quirks = {
  goNulls: false,
  zeroTimes: false,
  missingTimes: "absent",
  callLogTimes: "wall",
  taskTimes: "rfc3339",
  webhookTimes: "wall",
  order: "newest",
  maxPageSize: null,
  pageSizeTold: "used",
  nullBeyondEnd: false,
  extraFields: false,
  fractionalPercentages: false,
  rangeField: "start",
  rangeEnds: "inclusive",
  assistantIdsEncoding: "any",
  foreignEncoding: "refused",
  ignoredParameters: [],
  phoneMatch: "exact",
  recordFile: "path",
  inboundTaskId: "absent",
  idsFrom: null,
};
