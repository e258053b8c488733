import { expect, it } from "vitest";
import { createAnswerSources, freshnessOf, trackSources } from "../../src/graphql/answerSources.ts";
import { world } from "../resolvers/world.ts";

const MINUTE_MS = 60_000;
const fresh = { endsAt: performance.now() + 1e9 };

it("An answer that read the clock is known to be unchanged until the next quarter of an hour", () => {
  const now = Date.parse("2026-11-20T09:31:00.000Z");
  const sources = { ...createAnswerSources(fresh), responses: [fresh] };
  const context = trackSources({ ...world().context, clock: () => now }, sources);
  expect(freshnessOf(sources)).toEqual([fresh]);
  expect(context.clock()).toBe(now);
  const [, today] = freshnessOf(sources) ?? [];
  const left = (today?.endsAt ?? 0) - performance.now();
  expect(left).toBeLessThanOrEqual(14 * MINUTE_MS);
  expect(left).toBeGreaterThan(13 * MINUTE_MS);
});

it("An answer that read anything that nobody tells the changes of has no known freshness", () => {
  const sources = { ...createAnswerSources(fresh), responses: [fresh] };
  expect(trackSources(world().context, sources)).toHaveProperty("audit");
  expect(freshnessOf(sources)).toBeNull();
});

it("A92: an answer with the head of the log is kept until the next event, but not for a viewer that sees some rows only", () => {
  const { context } = world();
  for (const access of [null, { taskIds: ["7"] }]) {
    const sources = { ...createAnswerSources(fresh), responses: [fresh] };
    const { known } = trackSources({ ...context, viewer: { ...context.viewer, access } }, sources);
    expect(known.headCursor()).toBe("head");
    expect(freshnessOf(sources)).toEqual(access ? null : [fresh, fresh]);
  }
});
