// What the schema says of its types, fields and input fields beyond GraphQL: scopes, costs, masking. builder.ts has the functions
// that set these members; extensionsOf reads them.
import type { NeededScope } from "../auth/scopes.ts";
import type { FilterName } from "../config/variables.ts";

type Count = (args: Readonly<Record<string, unknown>>) => number;

/** By the filters' names; without a value, a filter is not used. */
export type ListFilter = Readonly<Partial<Record<FilterName, unknown>>>;

export interface SchemaExtensions {
  /** The scope that a field or an input field needs; a list: one of them. On a type: that its fields need, unless they have their own. Null: none. */
  scope?: NeededScope | null;
  /** On a field: requests to the service that its resolver makes at worst. */
  requests?: Count;
  /** On a field that loads lists of calls: their filter. */
  listFilter?: (args: Readonly<Record<string, unknown>>) => ListFilter;
  /** On a field: rows of the database that its resolver reads at worst. */
  rows?: Count;
  /** On a field whose result is a list of an abstract type: how many objects of each type it has at worst. */
  typeCounts?: (args: Readonly<Record<string, unknown>>) => ReadonlyMap<string, number>;
  /** On a root field of subscriptions: its results are the events or all items of the log after the cursor in the argument `after`. */
  logContent?: "events" | "items";
  /** On a type: its values are for one viewer alone, whatever scopes others have. */
  ofViewer?: true;
  /** On an input type: the limit of a list of it. Such a type has no ids and needs no scope. */
  longest?: number;
  /** On a field with text: how numbers in it are masked; as in prose by default. */
  textIs?: "phone" | "body" | "prose";
  /** On a field with text: why it is never masked. */
  safeText?: string;
}

/** Reads the marks of a type, a field or an input field of the schema. */
export function extensionsOf({ extensions }: { extensions: Readonly<object> }): Readonly<SchemaExtensions> {
  return extensions;
}
