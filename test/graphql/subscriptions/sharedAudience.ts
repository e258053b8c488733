import type { ExecutionResult } from "graphql";
import type { Grant } from "../../../src/auth/grant.ts";
import type { Scope, Viewer } from "../../../src/auth/scopes.ts";
import type { OperationPipeline } from "../../../src/graphql/operation.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

export interface Asked {
  query: string;
  variables?: Record<string, unknown>;
}

/** A grant that the test changes. */
export function changingGrant(name: string, scopes: readonly Scope[]) {
  let viewer: Viewer | null = { name, scopes: new Set(scopes), ...unrestricted };
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
      viewer = granted && { name, scopes: new Set(granted), ...unrestricted };
      for (const listener of listeners) listener();
    },
  };
}

/** A subscriber like a socket. `received` holds every result, `shared` the payloads that came from a group. */
export async function listenTo({ prepare }: Pick<OperationPipeline, "prepare">, asked: Asked, grant: Grant) {
  const operation = prepare(asked, grant);
  if ("errors" in operation) throw new Error(JSON.stringify(operation.errors));
  const received: ExecutionResult[] = [];
  const shared: Buffer[] = [];
  const state = { isSlow: false, isOver: false };
  const results = await operation.run(null, (sent) => {
    if (state.isSlow) return false;
    const payloads = sent.map(({ payload }) => payload);
    shared.push(...payloads);
    received.push(...payloads.map((payload) => JSON.parse(String(payload)) as ExecutionResult));
    return true;
  });
  if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
  const reading = (async () => {
    for await (const result of results) received.push(JSON.parse(JSON.stringify(result)) as ExecutionResult);
    state.isOver = true;
  })();
  return {
    received,
    shared,
    state,
    events: () => received.map(({ data }) => data?.["callEnded"] as Record<string, unknown>),
    async leave() {
      await results.return?.();
      await reading;
    },
  };
}
