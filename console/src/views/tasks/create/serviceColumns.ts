// The columns of a table of people, as the service names them.
import type { ColumnName } from "../../../../../src/format/tables/tableColumns.ts";

export const SERVICE_NAMES: Record<ColumnName, string> = {
  number: "号码",
  name: "姓名",
  gender: "性别",
  salesPersonName: "销售姓名",
};
export const serviceColumns = Object.keys(SERVICE_NAMES) as ColumnName[];

/** Such as Phone number (号码). `word`: what the column holds, in the reader's language. */
export function columnTitle(name: keyof typeof SERVICE_NAMES, word: string): string {
  const service = SERVICE_NAMES[name];
  return word === service ? service : `${word} (${service})`;
}
