// The one Pothos builder: what types the graph is made of, the scope that each part needs, and what it asks of the service.
import SchemaBuilder from "@pothos/core";
import type { Scope } from "../auth/scopes.ts";
import type { Context } from "../resolvers/context.ts";
import type { Instant } from "../format/instant.ts";
import type { SchemaExtensions } from "./extensions.ts";

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
type Mark<T> = { extensions: T };
type AnyMark = Mark<Partial<Pick<SchemaExtensions, "asks" | "reads" | "ofViewer" | "textIs" | "safeText">>>;

/** Several marks of one field. */
export const marks = (...all: AnyMark[]): Mark<Record<string, unknown>> => ({
  extensions: Object.assign({}, ...all.map(({ extensions }) => extensions)) as Record<string, unknown>,
});

/** Selecting it, or giving it a value, needs the scope; null: needs none but a viewer. Takes other marks along. */
export const needs = (scope: Scope | null, ...more: AnyMark[]): Mark<Extension<"scope">> => ({
  extensions: { ...marks(...more).extensions, scope },
});

/**
 * The field's resolver asks the service: so many requests, or as its arguments say. Every field that may ask carries it
 * (test/house/asking.test.ts). What is below a list is counted by the list's `first`, `ids` or `taskIds`.
 */
export const asks = (requests: number | Count): Mark<Extension<"asks">> => ({
  extensions: { asks: typeof requests === "number" ? () => requests : (requests as Extension<"asks">["asks"]) },
});

/**
 * The field's resolver reads so many rows of the database, found by an index: a number, or as its arguments say. Every field
 * that reads carries such a mark (test/house/reading.test.ts); 0 where what it reads is counted with its parent.
 */
export const rows = (count: number | Count): Mark<Extension<"reads">> => ({
  extensions: { reads: typeof count === "number" ? () => count : (count as Extension<"reads">["reads"]) },
});

/** What a scan counts as, in rows. It may look at each row of the log, and gives few. */
const SCAN_ROWS = 10;

/** So many scans. */
export const scans = (count: number): Mark<Extension<"reads">> => rows(count * SCAN_ROWS);

/** A page as its `first` says, found by an index. */
export const page = rows(({ first }: { first: number }) => Math.max(0, first));

/** The same, and a scan where there is a filter. */
export const filteredPage = rows(
  ({ first, filter }: { first: number; filter?: object | null }) =>
    Math.max(0, first) + (Object.values(filter ?? {}).some((value) => value != null) ? SCAN_ROWS : 0),
);

/** Its events read nothing by themselves: they are told as they come, and what was missed is read in the viewer's turn. */
export const tellsLog = (what: Extension<"tellsLog">["tellsLog"]): Mark<Extension<"tellsLog" | "reads">> => ({
  extensions: { tellsLog: what, ...rows(0).extensions },
});

export const ofViewer: Mark<Extension<"ofViewer">> = { extensions: { ofViewer: true } };

export const longest = (entries: number): Mark<Extension<"longest">> => ({ extensions: { longest: entries } });

/** The text is not of the service and names nobody, or is useless in part. A test lists all of them, with their reasons. */
export const safeText = (reason: string): Mark<Extension<"safeText">> => ({ extensions: { safeText: reason } });

/** Without people:read it is masked as the number of a telephone or the label of a line, or as a body in any format. */
export const textIs = (kind: Extension<"textIs">["textIs"]): Mark<Extension<"textIs">> => ({
  extensions: { textIs: kind },
});

const SEALED = "A place, sealed by the gateway: it is given back as it is.";
export const cursorText: Mark<Extension<"safeText">> = safeText(SEALED);
