// Merges an answer in parts, as a client does by the specification of incremental delivery.
import type { ExecutionResult, GraphQLError } from "graphql";

interface Entry {
  id: string;
  subPath?: readonly (string | number)[];
  data?: object;
  items?: readonly unknown[];
  errors?: readonly GraphQLError[];
}

export interface Part extends ExecutionResult {
  pending?: readonly { id: string; path: readonly (string | number)[]; label?: string }[];
  incremental?: readonly Entry[];
  completed?: readonly { id: string; errors?: readonly GraphQLError[] }[];
  hasNext?: boolean;
}

/** Throws if the parts break the format: an ID that was not announced or is used twice, or an end that does not fit. */
export function mergeParts([first, ...rest]: readonly Part[]): ExecutionResult & { left: number } {
  if (!first) throw new Error("There is no part.");
  const data: unknown = structuredClone(first.data);
  const errors = [...(first.errors ?? [])];
  const pending = new Map<string, readonly (string | number)[]>();
  const announce = (part: Part) => {
    for (const { id, path } of part.pending ?? []) {
      if (pending.has(id)) throw new Error(`${id} is pending twice.`);
      pending.set(id, path);
    }
  };
  announce(first);
  let hasNext = first.hasNext === true;
  for (const part of rest) {
    if (!hasNext) throw new Error("A part follows the last.");
    announce(part);
    for (const { id, subPath = [], data: added, items, errors: failed = [] } of part.incremental ?? []) {
      const path = pending.get(id);
      if (!path) throw new Error(`${id} is not pending.`);
      const place = [...path, ...subPath].reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], data);
      if (items) (place as unknown[]).push(...structuredClone(items));
      else mergeInto(place as Record<string, unknown>, structuredClone(added) as Record<string, unknown>);
      errors.push(...failed);
    }
    for (const { id, errors: failed = [] } of part.completed ?? []) {
      if (!pending.delete(id)) throw new Error(`${id} is not pending.`);
      errors.push(...failed);
    }
    hasNext = part.hasNext === true;
  }
  if (hasNext) throw new Error("The last part says that more will come.");
  const result = { data: data as Record<string, unknown>, left: pending.size };
  return errors.length > 0 ? { ...result, errors } : result;
}

function mergeInto(target: Record<string, unknown>, added: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(added)) {
    const known = target[key];
    const isBoth = typeof known === "object" && known !== null && typeof value === "object" && value !== null;
    if (isBoth) mergeInto(known as Record<string, unknown>, value as Record<string, unknown>);
    else target[key] = value;
  }
}
