import { expect, it } from "vitest";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { DAY, FAST, importAll, logOf, sessionsOf } from "./imports.ts";

it("An import leaves out the calls of an erased person, also those that the log never had, and later calls are news", async () => {
  await using sandbox = await emptySandbox();
  const endAt = Date.now() - 5 * DAY;
  const callees = ["+8613912345678", "139-1234-5678", "+8613912345679"];
  const calls = callees.map((callee, at) => ({ sessionId: `c${at}`, callee, startAt: endAt - 30_000, endAt }));
  sandbox.control.seed({ calls });
  await using gateway = await startGateway(sandbox, FAST);
  connectSandbox(sandbox, gateway);
  const { errors } = await gateway.ask('mutation { forgetPhone(number: "13912345678") { calls } }');
  expect(errors).toBeUndefined();
  expect(await importAll(gateway, endAt - DAY)).toMatchObject({ state: "DONE", calls: 1, leftOut: 0 });
  expect(sessionsOf(await logOf(gateway))).toEqual(["c2"]);
  const { sessionId } = sandbox.control.endCall({ callee: "+8613912345678" });
  await until(async () => sessionsOf(await logOf(gateway)).includes(sessionId));
  expect(await importAll(gateway, endAt - DAY)).toMatchObject({ state: "DONE", calls: 0 });
});
