// A short run of `npm run bench:import`, for what must be exact. Its times mean nothing.
import { expect, it } from "vitest";
import { startGateway } from "../../bench/support/gateway.ts";
import { importBeside, sandboxWith } from "../../bench/support/importRun.ts";

it("An import beside live webhooks imports every call of the sandbox, and no live event is missed", async () => {
  await using sandbox = await sandboxWith(700);
  const settings = { RATE_LIMIT: "1000000000" };
  await using gateway = await startGateway({ service: sandbox.url, scopes: ["admin", "calls:read"], settings });
  const { calls, without, beside } = await importBeside(gateway, { calls: 700, ms: 200 });
  expect(calls).toBe(700);
  expect(Math.min(without.length, beside.length)).toBeGreaterThan(0);
});
