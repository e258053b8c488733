// The one Pothos builder: what types the graph is made of, and the scope that each part asks for.
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
export interface ScopeExtension {
  scope: Scope | null;
}

/** Selecting it, or giving it a value, needs the scope; null: needs none but a viewer. */
export const needs = (scope: Scope | null): { extensions: { scope: Scope | null } } => ({ extensions: { scope } });
