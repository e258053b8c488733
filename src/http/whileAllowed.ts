// A subscription for as long as its viewer may have it: judged again whenever the viewer's rights change, and ended with
// one last error.
import type { ExecutionResult, GraphQLError } from "graphql";
import type { Grant } from "../auth/grant.ts";

/** `judge` says what stands against it now. Nothing is told after its verdict, an event that was on its way neither. */
export function whileAllowed(
  results: AsyncIterableIterator<ExecutionResult>,
  grant: Grant,
  judge: () => GraphQLError | null,
): AsyncIterableIterator<ExecutionResult> {
  let verdict: GraphQLError | null = null;
  let isTold = false;
  const stop = grant.onChange(() => {
    verdict ??= judge();
    if (verdict) void results.return?.();
  });

  return {
    async next() {
      const result = await results.next();
      if (verdict && !isTold) {
        isTold = true;
        stop();
        return { done: false, value: { errors: [verdict] } };
      }
      if (result.done) stop();
      return isTold ? { done: true, value: undefined } : result;
    },
    async return() {
      stop();
      isTold = true;
      await results.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
