// The Pothos builder, and the marks of types and fields: the scope they need, and what their resolvers cost.
import SchemaBuilder from "@pothos/core";
import type { NeededScope } from "../auth/scopes.ts";
import type { Context } from "../resolvers/context.ts";
import type { Instant } from "../format/instant.ts";
import type { ListFilter, SchemaExtensions } from "./extensions.ts";

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    DateTime: { Input: Instant; Output: Instant };
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> };
    ID: { Input: string; Output: string };
  };
}>({});

type Extension<Name extends keyof SchemaExtensions> = Required<Pick<SchemaExtensions, Name>>;
/** Pothos gives the arguments as the field declares them. */
type Count = (args: never) => number;
type ReadFilter = (args: never) => ListFilter;
type Mark<T> = { extensions: T };
type AnyMark = Mark<
  Partial<
    Pick<SchemaExtensions, "requests" | "listFilter" | "rows" | "typeCounts" | "ofViewer" | "textIs" | "safeText">
  >
>;

/** Combines several marks of a field. */
export const marks = (...all: AnyMark[]): Mark<Record<string, unknown>> => ({
  extensions: Object.assign({}, ...all.map(({ extensions }) => extensions)) as Record<string, unknown>,
});

/** The scope, or one of several, that is needed to select a field or to set an input field; null: any viewer may. Adds other marks. */
export const needs = (scope: NeededScope | null, ...more: AnyMark[]): Mark<Extension<"scope">> => ({
  extensions: { ...marks(...more).extensions, scope },
});

/**
 * The most requests that the field's resolver sends to the service, as a number or by its arguments. Every field that sends
 * requests needs this mark (test/house/costs.test.ts). Fields below a list are multiplied by its `first`, `ids` or `taskIds`.
 */
export const requests = (count: number | Count): Mark<Extension<"requests">> => ({
  extensions: { requests: typeof count === "number" ? () => count : (count as Extension<"requests">["requests"]) },
});

/**
 * The filter of the lists of calls that the field's resolver loads. Checks of the filter are counted for the operation. Every field that
 * loads lists needs this mark (test/house/costs.test.ts).
 */
export const listFilter = (read: ReadFilter): Mark<Extension<"listFilter">> => ({
  extensions: { listFilter: read as Extension<"listFilter">["listFilter"] },
});

/**
 * The most rows that the field's resolver reads from the database by an index, as a number or by its arguments. Every field
 * that reads needs this mark (test/house/costs.test.ts). It is 0 where the rows are counted with the parent.
 */
export const rows = (count: number | Count): Mark<Extension<"rows">> => ({
  extensions: { rows: typeof count === "number" ? () => count : (count as Extension<"rows">["rows"]) },
});

/** A scan may read every row of the log, but returns few; it counts as this number of rows. */
export const SCAN_ROWS = 10;

/** The same for a number of scans. */
export const scans = (count: number): Mark<Extension<"rows">> => rows(count * SCAN_ROWS);

/** The rows of a page: `first`. */
export const page = rows(({ first }: { first: number }) => Math.max(0, first));

/** The rows of a page, and a scan. */
export const scannedPage = rows(({ first }: { first: number }) => Math.max(0, first) + SCAN_ROWS);

/** The rows of a page, and a scan if there is a filter. */
export const filteredPage = rows(
  ({ first, filter, imported }: { first: number; filter?: object | null; imported?: boolean }) =>
    Math.max(0, first) +
    (imported === false || Object.values(filter ?? {}).some((value) => value != null) ? SCAN_ROWS : 0),
);

/** A subscription to the log. Its events cost no rows: missed ones are read in the viewer's turn. */
export const logContent = (what: Extension<"logContent">["logContent"]): Mark<Extension<"logContent" | "rows">> => ({
  extensions: { logContent: what, ...rows(0).extensions },
});

/** How many objects of each type a field of an abstract type has at worst, by its arguments. */
export const typeCounts = (counts: (args: never) => ReadonlyMap<string, number>): Mark<Extension<"typeCounts">> => ({
  extensions: { typeCounts: counts as Extension<"typeCounts">["typeCounts"] },
});

export const ofViewer: Mark<Extension<"ofViewer">> = { extensions: { ofViewer: true } };

export const longest = (entries: number): Mark<Extension<"longest">> => ({ extensions: { longest: entries } });

/** The text is never masked, because it cannot hold a phone number of a person. A test lists all such fields and reasons. */
export const safeText = (reason: string): Mark<Extension<"safeText">> => ({ extensions: { safeText: reason } });

/** How the text is masked without people:read: as a phone number or the label of a line, or as a body in any format. */
export const textIs = (kind: Extension<"textIs">["textIs"]): Mark<Extension<"textIs">> => ({
  extensions: { textIs: kind },
});

const SEALED = "A cursor, sealed by the gateway.";
export const cursorText: Mark<Extension<"safeText">> = safeText(SEALED);
