// The input of createTask, and where a mistake in it belongs in the form.
import type { graph } from "switchboard-client";
import type { Columns } from "../../../../../src/format/tables/tableColumns.ts";
import { readDate, readEndTime, readTime } from "../../../ui/dateTime/readDateTime.ts";
import type { TaskNumber } from "./checkTable.ts";
import type { Fields } from "./draft.ts";

export const fieldNames = [
  "name",
  "assistantId",
  "lineIds",
  "startDate",
  "periods",
  "retryCount",
  "retryMinutes",
  "numbers",
] as const;
export type FieldName = (typeof fieldNames)[number];

const isId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text);
const isCount = (text: string, most: number): boolean => /^\d{1,6}$/.test(text) && Number(text) <= most;

const isDate = (text: string): boolean => /^\d{4}-/.test(text) && "date" in readDate(text, "ymd");
/** The fields write times so. */
const isTime = (text: string): boolean => readTime(text) === text;
const isEndTime = (text: string): boolean => readEndTime(text) === text;

/** The fields that cannot be sent as they are. */
export function invalidFields(fields: Fields): ReadonlySet<FieldName> {
  const { name, assistantId, lineIds, startDate, periods, retryCount, retryMinutes } = fields;
  const valid: Record<Exclude<FieldName, "numbers">, boolean> = {
    name: name.trim() !== "" && name.length <= 1000,
    assistantId: isId(assistantId),
    lineIds: lineIds.length > 0 && lineIds.every(isId),
    startDate: isDate(startDate),
    periods: periods.length > 0 && periods.every(({ from, until }) => isTime(from) && isEndTime(until) && from < until),
    retryCount: isCount(retryCount, 100),
    retryMinutes: isCount(retryMinutes, 10_000),
  };
  return new Set(fieldNames.filter((field) => field !== "numbers" && !valid[field]));
}

export function inputOf(fields: Fields, columns: Columns, numbers: readonly TaskNumber[]): graph.CheckTaskInput {
  return {
    name: fields.name.trim(),
    assistantId: fields.assistantId,
    option: {
      lineIds: [...fields.lineIds],
      startDate: fields.startDate,
      periods: fields.periods.map(({ from, until }) => [from, until]),
      retryCount: Number(fields.retryCount),
      retryIntervalSeconds: Number(fields.retryMinutes) * 60,
      numberFileMeta: columns,
    },
    ...(fields.from ? { from: { taskId: fields.from.taskId } } : { numbers: [...numbers] }),
  };
}

/** The gateway takes the people from its log: there is no table whose columns these could be. */
export const NO_TABLE: Columns = { number: 0, name: 1, gender: 2, salesPersonName: 3 };

const BY_OPTION: Record<string, FieldName> = {
  lineIds: "lineIds",
  startDate: "startDate",
  periods: "periods",
  retryCount: "retryCount",
  retryIntervalSeconds: "retryMinutes",
  numberFileMeta: "numbers",
};

/** Null for a mistake of the whole input. */
export function fieldOf([first, second = ""]: readonly string[]): FieldName | null {
  if (first === "option") return BY_OPTION[second] ?? null;
  return fieldNames.find((field) => field === first) ?? null;
}
