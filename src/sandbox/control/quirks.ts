// The service's undocumented corners as switches: what service.md calls "not shown" and a real service may do oddly.
import { z } from "zod";
import { idSchema } from "../bigintJson.ts";

const timeFormat = z.enum(["wall", "wallZ", "rfc3339", "epochS", "epochMs"]);

export const quirksSchema = z.strictObject({
  /** null instead of empty lists and maps: items, assistant, collect, answers, numbers, assistant_infos, extra. */
  goNulls: z.boolean(),
  /** 0001-01-01T00:00:00Z instead of a missing or empty time. */
  zeroTimes: z.boolean(),
  /** What a row of the list holds where there is no time; zeroTimes goes before it. */
  missingTimes: z.enum(["absent", "null", "empty"]),
  /** How times are written. Epoch formats are JSON numbers. wallZ: the wall clock, wrongly marked as UTC. */
  callLogTimes: timeFormat,
  taskTimes: timeFormat,
  webhookTimes: timeFormat,
  /**
   * newest, oldest: by the start. newestEnd: calls still going first. byId: by session id. shuffled: without any order,
   * but the same for every page.
   */
  order: z.enum(["newest", "oldest", "newestEnd", "byId", "shuffled"]),
  /** A pageSize above this is silently lowered to it. Null: up to 100. */
  maxPageSize: z.int().min(1).max(100).nullable(),
  /** The pageSize that an answer tells: the one used, or the one asked for. */
  pageSizeTold: z.enum(["used", "asked"]),
  /** items is null on a page beyond the end. */
  nullBeyondEnd: z.boolean(),
  /** Fields nobody has documented, everywhere. */
  extraFields: z.boolean(),
  /** progress and collectionRate with a fraction, such as 33.3. */
  fractionalPercentages: z.boolean(),
  /** The time that startTime and endTime filter. A call without that time is outside every range. */
  rangeField: z.enum(["start", "answer", "end", "create"]),
  /** Whether calls exactly at startTime and endTime are inside: both, only at startTime, only at endTime, none. */
  rangeEnds: z.enum(["inclusive", "endExclusive", "startExclusive", "exclusive"]),
  /** The encoding of assistantIds understood: `1,2`, repeated, `assistantIds[]=`, or all of them. */
  assistantIdsEncoding: z.enum(["any", "comma", "repeat", "brackets"]),
  /** What becomes of assistantIds in another encoding: 400, no filter at all, or a filter by the first id alone. */
  foreignEncoding: z.enum(["refused", "ignored", "first"]),
  /** Parameters that have no effect; what they hold is not even looked at. */
  ignoredParameters: z.array(z.enum(["taskId", "startTime", "endTime", "direction", "phone", "description"])),
  /** Whether `phone` must be the whole number or a part of it. */
  phoneMatch: z.enum(["exact", "contains"]),
  /** Whether recordFile is a path on the base address or a whole URL. */
  recordFile: z.enum(["path", "url"]),
  /** Whether rows of inbound calls leave taskId out or say 0. */
  inboundTaskId: z.enum(["absent", "zero"]),
  /** Ids given out from now on begin here, for instance beyond 2^53. Null: as they come. */
  idsFrom: idSchema.nullable(),
});

export type Quirks = z.infer<typeof quirksSchema>;
export type QuirksInput = z.input<typeof quirksPatchSchema>;
export const quirksPatchSchema = quirksSchema.partial();

/** Exactly service.md; where it shows nothing, the plainest reading (docs/sandbox.md has the list). */
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
