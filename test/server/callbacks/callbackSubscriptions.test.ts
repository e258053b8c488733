import { describe, expect, it, onTestFinished } from "vitest";
import { lastingGrant } from "../../../src/auth/grant.ts";
import type { Viewer } from "../../../src/auth/scopes.ts";
import { CALLBACK_LIMITS } from "../../../src/config/limits.ts";
import type { Operation } from "../../../src/graphql/operation.ts";
import { createCallbackSubscriptions } from "../../../src/server/callbacks/callbackSubscriptions.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { createCounters } from "../../../src/server/counters.ts";
import { silentLog } from "../../support/silentLog.ts";
import { serve } from "../serve.ts";

/** A server whose requests are subscriptions of one caller that have no results, posted to a router that confirms all. */
async function open(quota: number) {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const ended: string[] = [];
  async function* results() {
    yield await new Promise<never>(() => undefined);
  }
  const operation = {
    kind: "subscription",
    run: async () => Object.assign(results(), { return: async (reason: string) => void ended.push(reason) }),
  } as unknown as Operation;
  const callbacks = parts.use(
    createCallbackSubscriptions({
      pipeline: { prepare: () => operation },
      allowed: ["http://router.example"],
      client: { post: async () => 204, [Symbol.asyncDispose]: async () => undefined },
      connectionQuota: createConnectionQuota(quota),
      counters: createCounters(),
      log: silentLog,
    }),
  );
  const grant = lastingGrant({ name: "web" } as Viewer);
  const clientSignal = () => new AbortController().signal;
  const server = parts.use(
    await serve((request, response) => {
      const subscription = { callbackUrl: `http://router.example${request.url}`, subscriptionId: "one", verifier: "v" };
      const context = { grant, caller: "web", largeBody: null, clientSignal, headers: {} };
      void callbacks
        .handle(response, { extensions: { subscription } }, context)
        .then((refusal) => refusal && response.writeHead(refusal.status).end());
    }),
  );
  return { callbacks, ended, ask: async (at: number) => (await fetch(`${server.url}/${at}`)).status };
}

describe("Subscriptions by HTTP callback", () => {
  it("count towards the quota of their caller, until they end", async () => {
    const { callbacks, ended, ask } = await open(2);
    expect([await ask(1), await ask(2), await ask(3)]).toEqual([200, 200, 429]);
    expect(callbacks.running().map((each) => each.isBusy())).toEqual([false, false]);
    callbacks.running()[0]?.close();
    expect(ended).toEqual(["shutdown"]);
  });

  it("are limited in all", async () => {
    const { callbacks, ask } = await open(2 * CALLBACK_LIMITS.total);
    const statuses = new Set<number>();
    for (let at = 0; at < CALLBACK_LIMITS.total; at += 100)
      for (const status of await Promise.all(Array.from({ length: 100 }, (_, more) => ask(at + more))))
        statuses.add(status);
    expect([[...statuses], callbacks.running().length]).toEqual([[200], CALLBACK_LIMITS.total]);
    expect(await ask(CALLBACK_LIMITS.total)).toBe(429);
  });
});
