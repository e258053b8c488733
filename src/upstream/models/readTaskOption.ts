// The options of a task (service.md, section 2.3). `numbers` are outgoing lines and not people, hence lineIds.
import { z } from "zod";
import { readExactId, readText } from "../../format/fieldParsers.ts";
import type { FieldReader } from "../../format/fieldReader.ts";
import type { TaskOptionRecord } from "../upstream.ts";
import { pickFields } from "./onlyNamed.ts";

/** Required, with any value: a missing key is a broken contract, an odd value costs only itself. */
const present = z.unknown();

export const taskOptionSchema = z.object({
  numberFileMeta: present,
  numbers: present,
  startDate: present,
  startTime: present,
  retryCount: present,
  retryInterval: present,
});

const NAMES = Object.keys(taskOptionSchema.shape);

export const pickOptionFields = (value: unknown): unknown => pickFields(NAMES, value);

export function readTaskOption(value: z.infer<typeof taskOptionSchema>, reader: FieldReader): TaskOptionRecord {
  return {
    numberFileMeta: readColumns(value.numberFileMeta, reader),
    lineIds: reader.list("lineIds", value.numbers, readExactId),
    startDate: reader.text("startDate", value.startDate),
    periods: reader.list("periods", value.startTime, (period, place) => readPeriod(period, place, reader)),
    retryCount: reader.count("retryCount", value.retryCount),
    retryInterval: reader.count("retryInterval", value.retryInterval),
  };
}

/**
 * As parseExactInOrder gives it: an object's keys in the service's order, as pairs. Which keys there are is not fixed: the
 * document names other ones where a task is created.
 */
function readColumns(value: unknown, reader: FieldReader): TaskOptionRecord["numberFileMeta"] {
  const pairs = reader.list("numberFileMeta", value, (pair) =>
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" ? (pair as [string, unknown]) : undefined,
  );
  return pairs.flatMap(([key, column]) => {
    const read = reader.count("numberFileMeta", column);
    return read === null ? [] : [{ key, value: read }];
  });
}

/** Undefined for what is no list; its place is noted by whoever reads the list that it is in. */
function readPeriod(period: unknown, place: string, reader: FieldReader): string[] | undefined {
  if (period !== null && !Array.isArray(period)) return undefined;
  return reader.list(place, period, readText).filter((time) => time !== null);
}
