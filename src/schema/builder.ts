// The one Pothos builder: what types the graph is made of, the scope that each part needs, and what it asks of the service.
import SchemaBuilder from "@pothos/core";
import type { Scope } from "../auth/scopes.ts";
import type { Context } from "../resolvers/context.ts";
import type { Instant } from "../format/instant.ts";

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    DateTime: { Input: Instant; Output: Instant };
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> };
    ID: { Input: string; Output: string };
  };
}>({});

/** Read by graphql/policy/authorize.ts: on a type for all its fields, on a field or an input field for itself. */
export type ScopeExtension = { scope: Scope | null };

/** Read by graphql/policy/cost.ts, on a field: how many requests to the service its resolver makes at worst, nothing being shared. */
export type AskingExtension = { asks: (args: never) => number };

/** Read by graphql/policy/cost.ts, on a field: how many rows of the database its resolver reads at worst, nothing being shared. */
export type ReadingExtension = { reads: (args: never) => number };

/** Read by graphql/subscriptions/groupKey.ts, on a root of subscriptions: what it tells is the log behind `after`, its events or every item. */
export type LogExtension = { tellsLog: "events" | "items" };

/** Read by graphql/subscriptions/groupKey.ts, on a type: what it shows is for its viewer alone, whoever else holds the same scopes. */
export type ViewerExtension = { ofViewer: true };

/** Read by graphql/documents/variableLimits.ts, on an input type: lists of it may be so long. It holds no ids, and needs no scope. */
export type LongestExtension = { longest: number };

/**
 * Read by schema/maskTextFields.ts, on a field that holds text. `textIs`: how numbers in it are masked; without it as in
 * prose. `safeText`: why it is shown whole to everybody.
 */
export type TextExtension = { textIs?: "phone" | "body" | "prose"; safeText?: string };

type Mark<T> = { extensions: T };
type AnyMark = Mark<AskingExtension | ReadingExtension | ViewerExtension | TextExtension>;

/** Several marks of one field. */
export const marks = (...all: AnyMark[]): Mark<Record<string, unknown>> => ({
  extensions: Object.assign({}, ...all.map(({ extensions }) => extensions)) as Record<string, unknown>,
});

/** Selecting it, or giving it a value, needs the scope; null: needs none but a viewer. Takes other marks along. */
export const needs = (scope: Scope | null, ...more: AnyMark[]): Mark<ScopeExtension> => ({
  extensions: { ...marks(...more).extensions, scope },
});

/**
 * The field's resolver asks the service: so many requests, or as its arguments say. Every field that may ask carries it
 * (test/house/asking.test.ts). What is below a list is counted by the list's `first`, `ids` or `taskIds`.
 */
export const asks = (requests: number | AskingExtension["asks"]): Mark<AskingExtension> => ({
  extensions: { asks: typeof requests === "number" ? () => requests : requests },
});

/**
 * The field's resolver reads so many rows of the database, found by an index: a number, or as its arguments say. Every field
 * that reads carries such a mark (test/house/reading.test.ts); 0 where what it reads is counted with its parent.
 */
export const rows = (count: number | ReadingExtension["reads"]): Mark<ReadingExtension> => ({
  extensions: { reads: typeof count === "number" ? () => count : count },
});

/** What a scan counts as, in rows. It may look at each row of the log, and gives few. */
const SCAN_ROWS = 10;

/** So many scans. */
export const scans = (count: number): Mark<ReadingExtension> => rows(count * SCAN_ROWS);

/** A page as its `first` says, found by an index. */
export const page = rows(({ first }: { first: number }) => Math.max(0, first));

/** The same, and a scan where there is a filter. */
export const filteredPage = rows(
  ({ first, filter }: { first: number; filter?: object | null }) =>
    Math.max(0, first) + (Object.values(filter ?? {}).some((value) => value != null) ? SCAN_ROWS : 0),
);

/** Its events read nothing by themselves: they are told as they come, and what was missed is read in the viewer's turn. */
export const tellsLog = (what: LogExtension["tellsLog"]): Mark<LogExtension & ReadingExtension> => ({
  extensions: { tellsLog: what, ...rows(0).extensions },
});

export const ofViewer: Mark<ViewerExtension> = { extensions: { ofViewer: true } };

export const longest = (entries: number): Mark<LongestExtension> => ({ extensions: { longest: entries } });

/** The text is not of the service and names nobody, or is useless in part. A test lists all of them, with their reasons. */
export const safeText = (reason: string): Mark<TextExtension> => ({ extensions: { safeText: reason } });

/** Without people:read it is masked as the number of a telephone or the label of a line, or as a body in any format. */
export const textIs = (kind: NonNullable<TextExtension["textIs"]>): Mark<TextExtension> => ({
  extensions: { textIs: kind },
});

const SEALED = "A place, sealed by the gateway: it is given back as it is.";
export const cursorText: Mark<TextExtension> = safeText(SEALED);
