import { describe, expect, it } from "vitest";
import { createLargeBodies, leavingAfter } from "../../src/http/largeBodies.ts";
import type { Operation, OperationPipeline, OperationResult } from "../../src/http/operation.ts";
import { LARGE } from "../../src/http/params.ts";

describe("large bodies", () => {
  it("are worked on a few at a time, in their order, and too many are refused", async () => {
    const bodies = createLargeBodies({ most: 2, waiting: 2 });
    const begun: string[] = [];
    const enter = (name: string) => {
      const turn = bodies.enter();
      if (!turn) return null;
      return turn.then((leave) => {
        begun.push(name);
        return leave;
      });
    };
    const [first, , third, fourth] = [enter("a"), enter("b"), enter("c"), enter("d")];
    expect(enter("e")).toBeNull();
    const leaveFirst = await first;
    expect(begun).toEqual(["a", "b"]);
    leaveFirst?.();
    // A second time it gives nobody a turn.
    leaveFirst?.();
    const leaveThird = await third;
    expect(begun).toEqual(["a", "b", "c"]);
    leaveThird?.();
    await fourth;
    expect(begun).toEqual(["a", "b", "c", "d"]);
  });

  it("have their turn until their operation is over, or refused", async () => {
    const left: string[] = [];
    const answer = Promise.withResolvers<OperationResult>();
    const operation = (kind: string) => ({ kind, run: () => answer.promise }) as unknown as Operation;
    const given: Record<string, Operation | { errors: never[] }> = {
      refused: { errors: [] },
      subscription: operation("subscription"),
      mutation: operation("mutation"),
    };
    const inner: OperationPipeline = { prepare: ({ query }) => given[query as string] ?? { errors: [] } };
    const pipeline = leavingAfter(inner);
    const prepare = (query: string) => pipeline.prepare({ query, [LARGE]: () => left.push(query) }, null as never);
    prepare("refused");
    prepare("subscription");
    const mutation = prepare("mutation");
    const running = "run" in mutation ? mutation.run(null) : null;
    expect(left).toEqual(["refused", "subscription"]);
    answer.resolve({ data: {} });
    await running;
    expect(left).toEqual(["refused", "subscription", "mutation"]);
  });
});
