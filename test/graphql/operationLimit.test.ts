import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodedError } from "../../src/errors.ts";
import { neverAborts } from "../../src/graphql/clientSignal.ts";
import { createOperationLimit, OPERATION_LIMITS } from "../../src/graphql/operationLimit.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";
import { until } from "../support/until.ts";

const { running, waiting } = OPERATION_LIMITS;

/** Operations that end when the test says so. */
function stage() {
  const refused: [string, string][] = [];
  const limit = createOperationLimit({
    slices: createTimeSlices(),
    floodLog: { refused: (viewer, rule) => void refused.push([viewer, rule]) },
  });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const begin = async (viewer: string, name: string, signal = neverAborts) =>
    limit.run<string>(viewer, signal, {
      work() {
        started.push(name);
        return new Promise((resolve) => ends.push(() => resolve(`${name} ran`)));
      },
      refuse: (error) => `${name}: ${(error as CodedError).code ?? String(error)}`,
    });
  const fill = (viewer: string, count: number) =>
    Array.from({ length: count }, (_, at) => begin(viewer, `${viewer} ${at}`));
  return { limit, begin, fill, started, ends, refused };
}

describe("the operations of one viewer", () => {
  it("run at once up to the limit, and then in the order in which they came", async () => {
    const { fill, started, ends } = stage();
    const results = fill("a", running + 3);
    expect(started).toHaveLength(running);
    ends[7]?.();
    await until(() => started.length === running + 1);
    ends[3]?.();
    ends[5]?.();
    await until(() => started.length === running + 3);
    expect(started.slice(running)).toEqual([running, running + 1, running + 2].map((at) => `a ${at}`));
    for (const end of ends) end();
    expect(await Promise.all(results)).toEqual(results.map((_, at) => `a ${at} ran`));
  });

  it("do not wait for those of another viewer", () => {
    const { fill, begin, started } = stage();
    void fill("a", running + 1);
    void begin("b", "b");
    expect(started.at(-1)).toBe("b");
  });

  it("are refused with RATE_LIMITED beyond those that may wait, and named in the log", async () => {
    const { fill, begin, refused } = stage();
    void fill("a", running + waiting);
    expect(await begin("a", "one more")).toBe("one more: RATE_LIMITED");
    expect(refused).toEqual([["a", "operationsAtOnce"]]);
  });

  it("do not run if the client leaves while they wait, or before", async () => {
    const { fill, begin, started, ends } = stage();
    void fill("a", running);
    const client = new AbortController();
    const left = begin("a", "left", () => client.signal);
    const last = begin("a", "last");
    client.abort("the client left");
    expect(await left).toBe("left: the client left");
    expect(await begin("a", "late", () => client.signal)).toBe("late: the client left");
    for (const end of ends) end();
    await until(() => started.includes("last"));
    ends.at(-1)?.();
    expect(await last).toBe("last ran");
    expect(started).toHaveLength(running + 1);
  });

  it("free their place however they end", async () => {
    const { limit } = stage();
    const outcome = fc.constantFrom("value", "promise", "rejection", "error");
    await fc.assert(
      fc.asyncProperty(fc.array(outcome, { minLength: running + 1, maxLength: running + 20 }), async (outcomes) => {
        for (const each of outcomes) {
          const work = () => {
            if (each === "error") throw new Error("failed");
            if (each === "rejection") return Promise.reject(new Error("failed"));
            return each === "value" ? each : Promise.resolve(each);
          };
          const run = async () => limit.run("a", neverAborts, { work, refuse: () => "refused" });
          const ended = await run().catch(({ message }: Error) => message);
          expect(ended).toBe(each === "error" || each === "rejection" ? "failed" : each);
        }
      }),
      { numRuns: 5 },
    );
  });
});
