// The options of a task (service.md, section 2.3). `numbers` are outgoing lines and not people, hence lineIds.
import { z } from "zod";
import { exactId, nilList, text } from "../../dialect/fields.ts";
import type { Reader } from "../../dialect/reader.ts";
import type { TaskOptionRecord } from "../upstream.ts";
import { onlyNamed } from "./onlyNamed.ts";

const present = z.unknown();

export const taskOptionSchema = z.object({
  // As parseExactInOrder gives it: an object's keys in the service's order. Which keys there are is not fixed: the
  // document names other ones where a task is created.
  numberFileMeta: nilList(z.tuple([z.string(), present])),
  numbers: nilList(exactId),
  startDate: present,
  startTime: nilList(nilList(text)),
  retryCount: present,
  retryInterval: present,
});

const NAMES = Object.keys(taskOptionSchema.shape);

export const namedOfOption = (value: unknown): unknown => onlyNamed(NAMES, value);

export function readTaskOption(value: z.infer<typeof taskOptionSchema>, reader: Reader): TaskOptionRecord {
  return {
    numberFileMeta: value.numberFileMeta.flatMap(([key, column]) => {
      const read = reader.count("numberFileMeta", column);
      return read === null ? [] : [{ key, value: read }];
    }),
    lineIds: value.numbers,
    startDate: reader.text("startDate", value.startDate),
    periods: value.startTime.map((period) => period.filter((time) => time !== null)),
    retryCount: reader.count("retryCount", value.retryCount),
    retryInterval: reader.count("retryInterval", value.retryInterval),
  };
}
