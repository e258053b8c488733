// The spans of resolvers that wait. A field of a list may wait a hundred times at once: one span covers the waits of a field that
// overlap, and says how many there were.
import type { Executor, WrapResolver } from "../graphql/executor/executor.ts";
import { failureOf, type LazySpan, type Spans } from "./spans.ts";

/** The waits of one field that overlap. */
interface FieldWait {
  part: LazySpan;
  pending: number;
  count: number;
  failure?: string;
}

/**
 * Recorded operations have an executor of their own, whose resolvers are wrapped: a wrapper around each resolver would cost all
 * other operations 20 % of their time.
 */
export function traceResolvers(create: (wrap?: WrapResolver) => Executor, spans: Spans): Executor {
  const plain = create();
  const recorded = create(createWrapResolver(spans));
  return (execution) => (spans.isRecorded() ? recorded(execution) : plain(execution));
}

function createWrapResolver(spans: Spans): WrapResolver {
  /** By the span of the operation. */
  const waits = new WeakMap<object, Map<string, FieldWait>>();

  function run(name: string, own: LazySpan, resolve: () => unknown): unknown {
    const ofOperation = waits.getOrInsertComputed(own.parent, () => new Map<string, FieldWait>());
    const wait = ofOperation.get(name) ?? { part: own, pending: 0, count: 0 };
    const value = wait.part.run(resolve);
    if (!(value instanceof Promise)) return value;
    ofOperation.set(name, wait);
    wait.pending += 1;
    wait.count += 1;
    wait.part.begin();
    const settle = () => {
      wait.pending -= 1;
      if (wait.pending > 0) return;
      ofOperation.delete(name);
      wait.part.end({ "switchboard.waits": wait.count }, wait.failure);
    };
    value.then(settle, (error: unknown) => {
      wait.failure ??= failureOf(error);
      settle();
    });
    return value;
  }
  return (name, resolve) => (source, args, context, info) => {
    const part = spans.lazyPart(name);
    return part ? run(name, part, () => resolve(source, args, context, info)) : resolve(source, args, context, info);
  };
}
