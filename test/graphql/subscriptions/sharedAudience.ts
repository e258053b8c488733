import type { ExecutionResult } from "graphql";
import type { Grant } from "../../../src/auth/grant.ts";
import type { Scope, Viewer } from "../../../src/auth/scopes.ts";
import type { OperationPipeline } from "../../../src/graphql/pipeline.ts";

export interface Asked {
  query: string;
  variables?: Record<string, unknown>;
}

/** Rights that a test changes. */
export function changingGrant(name: string, scopes: readonly Scope[]) {
  let viewer: Viewer | null = { name, scopes: new Set(scopes) };
  const listeners = new Set<() => void>();
  const grant: Grant = {
    viewer: () => viewer,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    grant,
    change(granted: readonly Scope[] | null) {
      viewer = granted && { name, scopes: new Set(granted) };
      for (const listener of listeners) listener();
    },
  };
}

/** A subscriber as a socket is one: `told` holds every result, and `shared` those that came from a group. */
export async function listenTo({ prepare }: Pick<OperationPipeline, "prepare">, asked: Asked, grant: Grant) {
  const operation = prepare(asked, grant);
  if ("errors" in operation) throw new Error(JSON.stringify(operation.errors));
  const told: ExecutionResult[] = [];
  const shared: Buffer[] = [];
  const state = { isSlow: false, isOver: false };
  const results = await operation.run(null, (payloads) => {
    if (state.isSlow) return false;
    shared.push(...payloads);
    told.push(...payloads.map((payload) => JSON.parse(String(payload)) as ExecutionResult));
    return true;
  });
  if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
  const reading = (async () => {
    for await (const result of results) told.push(JSON.parse(JSON.stringify(result)) as ExecutionResult);
    state.isOver = true;
  })();
  return {
    told,
    shared,
    state,
    events: () => told.map(({ data }) => data?.["callEnded"] as Record<string, unknown>),
    async leave() {
      await results.return?.();
      await reading;
    },
  };
}
