// The one Pothos builder: what types the graph is made of, the scope that each part needs, and what it asks of the service.
import SchemaBuilder from "@pothos/core";
import type { Scope } from "../auth/scopes.ts";
import type { Context } from "../context.ts";
import type { Instant } from "../dialect/instant.ts";

export const builder = new SchemaBuilder<{
  Context: Context;
  Scalars: {
    DateTime: { Input: Instant; Output: Instant };
    JSONObject: { Input: Record<string, unknown>; Output: Record<string, unknown> };
    ID: { Input: string; Output: string };
  };
}>({});

/** Read by http/authorize.ts: on a type for all its fields, on a field or an input field for itself. */
export type ScopeExtension = { scope: Scope | null };

/** Read by http/cost.ts, on a field: how many requests to the service its resolver makes at worst, nothing being shared. */
export type AskingExtension = { asks: (args: never) => number };

/** Read by http/sharing.ts, on a root of subscriptions: what it tells is the log behind `after`, its events or every item. */
export type LogExtension = { tellsLog: "events" | "items" };

/** Read by http/sharing.ts, on a type: what it shows is for its viewer alone, whoever else holds the same scopes. */
export type ViewerExtension = { ofViewer: true };

type Mark<T> = { extensions: T };

/** Selecting it, or giving it a value, needs the scope; null: needs none but a viewer. Takes a second mark along. */
export const needs = (scope: Scope | null, more?: Mark<AskingExtension | ViewerExtension>): Mark<ScopeExtension> => ({
  extensions: { ...more?.extensions, scope },
});

/**
 * The field's resolver asks the service: so many requests, or as its arguments say. Every field that may ask carries it
 * (test/house/asking.test.ts). What is below a list is counted by the list's `first`, `ids` or `taskIds`.
 */
export const asks = (requests: number | AskingExtension["asks"]): Mark<AskingExtension> => ({
  extensions: { asks: typeof requests === "number" ? () => requests : requests },
});

export const tellsLog = (what: LogExtension["tellsLog"]): Mark<LogExtension> => ({ extensions: { tellsLog: what } });

export const ofViewer: Mark<ViewerExtension> = { extensions: { ofViewer: true } };
