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
