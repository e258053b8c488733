import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { cuttingProxy, type Cut, type CuttingProxy } from "../support/network/cuttingProxy.ts";
import { freePort } from "../support/network/freePort.ts";
import { until } from "../support/until.ts";
import { createRequest, upstreamAt, createTask } from "./service.ts";

let sandbox: Sandbox;
let proxy: CuttingProxy;
beforeAll(async () => {
  sandbox = await emptySandbox({ token: "the-token" });
  proxy = await cuttingProxy(sandbox.url);
});
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** The outcome that the gateway reports, and how many tasks the service created. */
async function create(cut: Cut | null) {
  proxy.cut = cut;
  const before = sandbox.control.state().tasks;
  const { assistants } = sandbox.control.state();
  await using upstream = upstreamAt(proxy.url);
  const { kind } = await createTask(upstream, {
    assistantId: assistants[0]?.id ?? "",
    option: { ...createRequest().option, startDate: "2030-01-01" },
  });
  const { request, response } = proxy.seen;
  const isWhole = cut === null || cut.of === "response" || cut.after >= requestLength;
  // The service may still be reading the bytes that passed.
  if (isWhole) await until(() => sandbox.control.state().tasks > before);
  return { kind, made: sandbox.control.state().tasks - before, request, response };
}

let requestLength = Infinity;

describe("the outcome of createTask on a broken connection", () => {
  it("is true or unconfirmed, at every byte of the request and of the response", { timeout: 300_000 }, async () => {
    const whole = await create(null);
    expect(whole).toMatchObject({ kind: "accepted", made: 1 });
    requestLength = whole.request.length;
    const headLength = whole.response.indexOf("\r\n\r\n") + 4;
    expect(headLength).toBeGreaterThan(50);

    const wrong: unknown[] = [];
    for (let after = 0; after <= requestLength; after += 1) {
      const { kind, made } = await create({ of: "request", after });
      // Only the complete body creates a task. Once a byte may have arrived, the outcome is never "unavailable".
      const isHonest = kind === "unconfirmed" || (after === 0 && kind === "unavailable");
      if (!isHonest || made !== Number(after === requestLength)) wrong.push({ request: after, kind, made });
    }
    for (let after = 1; after <= whole.response.length; after += 1) {
      const { kind, made } = await create({ of: "response", after });
      const expected = after < headLength ? "unconfirmed" : "accepted";
      if (kind !== expected || made !== 1) wrong.push({ response: after, kind, made });
    }
    expect(wrong).toEqual([]);
  });

  it("is unavailable if the network refuses the connection", async () => {
    const before = sandbox.control.state().tasks;
    await using upstream = upstreamAt(`http://127.0.0.1:${await freePort()}`);
    expect(await createTask(upstream)).toEqual({ kind: "unavailable", retryAfter: undefined });
    expect(sandbox.control.state().tasks).toBe(before);
  });
});
