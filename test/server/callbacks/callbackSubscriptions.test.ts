import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { GraphQLError, type ExecutionResult } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { lastingGrant } from "../../../src/auth/grant.ts";
import type { Viewer } from "../../../src/auth/scopes.ts";
import { CALLBACK_LIMITS } from "../../../src/config/limits.ts";
import type { Operation } from "../../../src/graphql/operation.ts";
import { createCallbackSubscriptions } from "../../../src/server/callbacks/callbackSubscriptions.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { noServerObserver } from "../../../src/server/serverObserver.ts";
import { silentLog } from "../../support/silentLog.ts";
import type { CallbackMessage } from "../../support/network/callbackReceiver.ts";
import { until } from "../../support/until.ts";
import { serve } from "../serve.ts";

async function* endless() {
  yield await new Promise<never>(() => undefined);
}

/** A server whose requests are subscriptions of one caller, posted to a router that confirms all. By default without results. */
async function open(quota: number, results: () => AsyncGenerator<ExecutionResult> = endless, heartbeatIntervalMs = 0) {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const ended: string[] = [];
  const posted: CallbackMessage[] = [];
  const operation = {
    kind: "subscription",
    run: async () => Object.assign(results(), { return: async (reason: string) => void ended.push(reason) }),
  } as unknown as Operation;
  const callbacks = parts.use(
    createCallbackSubscriptions({
      pipeline: { prepare: () => operation },
      allowed: ["http://router.example"],
      client: {
        async post(_, message) {
          posted.push(JSON.parse(message.toString()) as CallbackMessage);
          return 204;
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
      connectionQuota: createConnectionQuota(quota),
      observer: noServerObserver,
      log: silentLog,
    }),
  );
  const grant = lastingGrant({ name: "web", access: null } as Viewer);
  const clientSignal = () => new AbortController().signal;
  const server = parts.use(
    await serve((request, response) => {
      const callbackUrl = `http://router.example${request.url}`;
      const subscription = { callbackUrl, subscriptionId: "one", verifier: "v", heartbeatIntervalMs };
      const context = { grant, caller: "web", clientSignal, headers: {} };
      void callbacks
        .handle(response, { extensions: { subscription } }, context)
        .then((refusal) => refusal && response.writeHead(refusal.status).end());
    }),
  );
  const leaveBeforeTheAnswer = async () => {
    const response = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false });
    const write = { writeHead: () => ({ end: () => response.emit("close") }) };
    const subscription = { callbackUrl: "http://router.example/left", subscriptionId: "one", verifier: "v" };
    const context = { grant, caller: "web", clientSignal, headers: {} };
    const broken = Object.assign(response, write) as unknown as ServerResponse;
    return callbacks.handle(broken, { extensions: { subscription } }, context);
  };
  return {
    callbacks,
    ended,
    posted,
    leaveBeforeTheAnswer,
    ask: async (at: number) => (await fetch(`${server.url}/${at}`)).status,
  };
}

describe("Subscriptions by HTTP callback", () => {
  it("count towards the quota of their caller, until they end", async () => {
    const { callbacks, ended, ask } = await open(2);
    expect([await ask(1), await ask(2), await ask(3)]).toEqual([200, 200, 429]);
    expect(callbacks.running().map((each) => each.isBusy())).toEqual([false, false]);
    callbacks.running()[0]?.close();
    expect(ended).toEqual(["shutdown"]);
  });

  it.each([
    ["without errors when their results end", undefined, []],
    ["with the errors of a result without data", { errors: [new GraphQLError("No.")] }, [{ message: "No." }]],
    ["with the error that ends their results", new Error("a fault"), [{ message: expect.any(String) as string }]],
  ])("are completed %s, and free their place", async (_, last, errors) => {
    const { callbacks, posted, ask } = await open(1, async function* () {
      yield { data: { number: 1 } };
      if (last instanceof Error) throw last;
      if (last) yield last;
    });
    for (const _again of [1, 2]) {
      expect(await ask(1)).toBe(200);
      await until(() => callbacks.running().length === 0);
      expect(posted.splice(0).map(({ action }) => action)).toEqual(["check", "next", "complete"]);
    }
    expect(await ask(2)).toBe(200);
    await until(() => posted.length === 3);
    const shown = (posted[2]?.errors ?? []).map(({ message }) => ({ message }));
    expect(shown).toEqual(errors);
  });

  it("do not begin if the connection closes while the answer is sent, and free their place", async () => {
    const { callbacks, ended, posted, leaveBeforeTheAnswer } = await open(1);
    expect(await leaveBeforeTheAnswer()).toBeUndefined();
    expect([callbacks.running(), ended, posted.map(({ action }) => action)]).toEqual([[], [undefined], ["check"]]);
  });

  it("A93: have a budget of heartbeats for each viewer and router, which an end frees", async () => {
    const first = Promise.withResolvers<void>();
    const results = [
      async function* (): AsyncGenerator<ExecutionResult> {
        await first.promise;
        yield { data: null };
      },
    ];
    const { callbacks, ask } = await open(CALLBACK_LIMITS.total, () => (results.pop() ?? endless)(), 1000);
    const most = CALLBACK_LIMITS.heartbeatsPerSecond / 2;
    for (let at = 0; at < most; at += 1) expect(await ask(at)).toBe(200);
    expect(await ask(most)).toBe(429);
    first.resolve();
    await until(() => callbacks.running().length === most - 1);
    expect([await ask(most), await ask(most + 1)]).toEqual([200, 429]);
  });

  it("are limited in all", async () => {
    const { callbacks, ask } = await open(2 * CALLBACK_LIMITS.total);
    const statuses = new Set<number>();
    for (let at = 0; at < CALLBACK_LIMITS.total; at += 20)
      for (const status of await Promise.all(Array.from({ length: 20 }, (_, more) => ask(at + more))))
        statuses.add(status);
    expect([[...statuses], callbacks.running().length]).toEqual([[200], CALLBACK_LIMITS.total]);
    expect(await ask(CALLBACK_LIMITS.total)).toBe(429);
  });
});
