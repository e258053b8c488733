// The spans of resolvers that wait. A field of a list may wait a hundred times at once: one span covers the waits of a field that
// overlap, and says how many there were.
import { isObjectType, type GraphQLField, type GraphQLSchema } from "graphql";
import type { Context } from "../resolvers/context.ts";
import { failureOf, type LazySpan, type Spans } from "./spans.ts";

type Resolve = NonNullable<GraphQLField<unknown, Context>["resolve"]>;

/** The waits of one field that overlap. */
interface FieldWait {
  part: LazySpan;
  pending: number;
  count: number;
  failure?: string;
}

/** Wraps the resolvers of the schema in place. Returns the function that puts the original ones back. */
export function traceResolvers(schema: GraphQLSchema, spans: Spans): () => void {
  /** By the span of the operation. */
  const waits = new WeakMap<object, Map<string, FieldWait>>();
  const restores: (() => void)[] = [];
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith("__")) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve) continue;
      field.resolve = traced(`${type.name}.${field.name}`, resolve);
      restores.push(() => (field.resolve = resolve));
    }
  }
  return () => restores.forEach((restore) => restore());

  function traced(name: string, resolve: Resolve): Resolve {
    // The executor creates `info` only for resolvers that declare it.
    if (resolve.length > 3) {
      return (source, args, context, info) => {
        const part = spans.lazyPart(name);
        return part
          ? run(name, part, () => resolve(source, args, context, info))
          : resolve(source, args, context, info);
      };
    }
    const withoutInfo = resolve as (...args: [unknown, unknown, Context]) => unknown;
    return (source, args, context) => {
      const part = spans.lazyPart(name);
      return part ? run(name, part, () => withoutInfo(source, args, context)) : withoutInfo(source, args, context);
    };
  }

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
}
