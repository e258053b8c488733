// What the schema says of a field beyond its type: the scope that it needs, and what it costs.
import { getNamedType, type GraphQLField } from "graphql";
import { neededText } from "../../src/auth/scopes.ts";
import { MAX_FIRST, MAX_LIST_LENGTH } from "../../src/resolvers/inputRules.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { extensionsOf } from "../../src/schema/extensions.ts";

export type Field = GraphQLField<unknown, unknown>;

/** The scope of a field or an input field; empty: it has none of its own. */
export function scopeOf(field: { extensions: Readonly<object> }): string {
  const { scope } = extensionsOf(field);
  if (scope === undefined) return "";
  return scope === null ? "none" : neededText(scope).replaceAll(/[a-z]+:[a-z]+|admin/g, "`$&`");
}

/** Whether the description ends with a scope that the table shows in a column of its own. */
export const withoutScope = (description: string | null | undefined) =>
  (description ?? "").replaceAll(/ ?Needs the scope [^.]+\./g, "").trim();

const ANY_ID = nodeId("Task", "1");
const COSTLY_ID = nodeId("CallLog", "1");
const list = (length: number, id: string) => Array.from({ length }, () => id);
/** Arguments that ask for the least and for the most. */
const LEAST = { id: ANY_ID, ids: [ANY_ID], taskIds: ["1"], after: null, filter: null };
const MOST = {
  id: COSTLY_ID,
  ids: list(MAX_LIST_LENGTH, COSTLY_ID),
  taskIds: list(MAX_LIST_LENGTH, "1"),
  first: MAX_FIRST,
  after: "cursor",
  filter: { phone: "1" },
};

/** Requests to the service, and rows of the log. Empty: neither. */
export function costOf(field: Field): string {
  const { requests, rows } = extensionsOf(field);
  return [spread(field, requests, "request"), spread(field, rows, "row")].filter((part) => part !== "").join(", ");
}

type Count = (args: Readonly<Record<string, unknown>>) => number;

function spread(field: Field, count: Count | undefined, unit: string): string {
  if (!count) return "";
  const choices = field.args.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    return "getValues" in named ? named.getValues().map(({ value }) => ({ [name]: value })) : [];
  });
  const tried = [{}, ...choices].flatMap((choice) => [
    count({ ...defaultsOf(field), ...LEAST, ...choice }),
    count({ ...defaultsOf(field), ...MOST, ...choice }),
  ]);
  const [least, most] = [Math.min(...tried), Math.max(...tried)];
  if (most === 0) return "";
  const figure = least === most ? `${most}` : `${least} to ${most}`;
  return `${figure} ${unit}${most === 1 ? "" : "s"}`;
}

function defaultsOf(field: Field): Record<string, unknown> {
  return Object.fromEntries(
    field.args
      .map(({ name, defaultValue }) => [name, defaultValue] as const)
      .filter(([, value]) => value !== undefined),
  );
}
