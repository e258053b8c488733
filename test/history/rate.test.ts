import { expect, it } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { DAY, FAST, importAll, seedEnds } from "./imports.ts";

const MINUTE = 60_000;

it("An import sends at most its share of RATE_LIMIT to the service", async () => {
  await using sandbox = await emptySandbox();
  const since = Math.floor((Date.now() - 80 * DAY) / 1000) * 1000;
  seedEnds(
    sandbox,
    Array.from({ length: 1200 }, (_, at) => since + (at + 1) * 90 * MINUTE),
  );
  // In a second: 10 requests of the import, of 100.
  const env = { ...FAST, RATE_LIMIT: "6000", IMPORT_RATE_PERCENT: "10", EVENT_RETENTION_DAYS: "100" };
  await using gateway = await startGateway(sandbox, env);
  sandbox.control.clearRequests();
  const began = performance.now();
  expect(await importAll(gateway, since)).toMatchObject({ state: "DONE", calls: 1200 });
  const seconds = (performance.now() - began) / 1000;
  const requests = sandbox.control.requests().filter(({ path }) => path.startsWith("/openapi/calllog")).length;
  expect(requests).toBeGreaterThan(20);
  // The first ten need not wait. A slow machine makes it longer, never shorter.
  expect(requests - 1).toBeLessThanOrEqual(10 + seconds * 10);
});
