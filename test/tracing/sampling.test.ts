import { expect, it } from "vitest";
import { createSampling } from "../../src/tracing/sampling.ts";

const callerWith = (traceId: string, traceFlags: number) => ({ traceId, spanId: "b7ad6b7169203331", traceFlags });
const LOW = "00000001cd43dd8448eb211c80319c00";
const HIGH = "fffffff1cd43dd8448eb211c80319c00";

it.each([
  ["always_on", 0, [true, true, true, true]],
  ["always_off", 1, [false, false, false, false]],
  ["parentbased_always_on", 0, [true, true, false, true]],
  ["parentbased_always_off", 1, [false, true, false, true]],
  ["parentbased_traceidratio", 0, [false, true, false, true]],
] as const)("%s decides for no caller, a sampled one, one that is not, and another", (sampler, ratio, decisions) => {
  const isSampled = createSampling({ sampler, ratio });
  const callers = [null, callerWith(LOW, 1), callerWith(LOW, 0), callerWith(HIGH, 1)];
  expect(callers.map(isSampled)).toEqual(decisions);
});

it("traceidratio decides by the ID of a caller's trace, as other programs do, and not by its flag", () => {
  const isSampled = createSampling({ sampler: "traceidratio", ratio: 0.5 });
  expect([callerWith(LOW, 0), callerWith(LOW, 1)].map(isSampled)).toEqual([true, true]);
  expect(Array.from({ length: 20 }, () => isSampled(callerWith(HIGH, 1)))).toEqual(
    Array.from({ length: 20 }, () => isSampled(callerWith(HIGH, 0))),
  );
});
