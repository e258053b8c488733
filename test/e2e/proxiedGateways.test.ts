// Several gateways behind nginx and behind Caddy, with the files of ops/proxies/: gateways that go away or are gone. Gateways that
// restart: rollingProxies.test.ts.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { sendWebhookTest } from "../../src/webhook/sendWebhookTest.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { startFakeService, type FakeService } from "../support/fakeService.ts";
import { freePort } from "../support/network/freePort.ts";
import { gatewayAt, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { proxyKinds } from "../support/network/proxies.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { MUTATION, submit, taskInput } from "./submitting.ts";

/** Is ready, takes each POST, and ends its connection without an answer. */
function startLeavingGateway(onPost: (body: string) => Promise<unknown> | void): Promise<FakeService> {
  return startFakeService(
    createServer((request, response) => {
      if (request.method === "GET") {
        response.end("ready\n");
        return;
      }
      void text(request)
        .catch(() => "a body that was cut")
        .then(onPost)
        .catch(() => undefined)
        .finally(() => request.socket.destroy());
    }),
  );
}

describe.each(proxyKinds)("$name in front of gateways", ({ name, isInstalled, repeatsWebhooks, start }) => {
  if (!isInstalled) return it.skip(`is not tested: ${name} or openssl is not installed`);

  it("sends a mutation once, if the gateway that has it goes away", async () => {
    const bodies: string[] = [];
    await using first = await startLeavingGateway((body) => void bodies.push(body));
    await using second = await startLeavingGateway((body) => void bodies.push(body));
    await using proxy = await start([first, second]);
    const body = JSON.stringify({ query: MUTATION, variables: { input: { idempotencyKey: "once" } } });
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${proxy.url}/graphql`, { method: "POST", headers, body });
    expect([answer.status, bodies]).toEqual([502, [body]]);
  });

  it(`${repeatsWebhooks ? "repeats" : "leaves it to the sender to repeat"} a webhook whose gateway went away after it was stored, and the log has its call once`, async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const taken: string[] = [];
    await using leaving = await startLeavingGateway(async (body) => {
      expect((await gateway.deliver(body)).status).toBe(200);
      taken.push(body);
    });
    await using proxy = await start([leaving, gateway]);
    const proxied = gatewayAt(proxy.url);
    const delivered: string[] = [];
    const refusals = new Set<number>();
    while (taken.length === 0) {
      const event = callEndedEvent();
      await until(async () => {
        const { status } = await proxied.deliver(event);
        if (status !== 200) refusals.add(status);
        return status === 200;
      });
      delivered.push(String(event.event_data["session_id"]));
    }
    const { data } = await gateway.ask<Page>("{ callEndedEvents(first: 100) { nodes { sessionId } } }");
    expect(data?.callEndedEvents.nodes.map(({ sessionId }) => sessionId).toSorted()).toEqual(delivered.toSorted());
    expect([...refusals]).toEqual(repeatsWebhooks ? [] : [502]);
  });

  it("passes a test of the webhook's way on as it is sent, redirects one without TLS, and says where a path is wrong", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    await using proxy = await start([gateway, gateway]);
    const made = await gateway.ask<{ createWebhookTest: { authorization: string; bytes: number } }>(
      "mutation { createWebhookTest { authorization bytes } }",
    );
    const test = made.data?.createWebhookTest as { authorization: string; bytes: number };
    const results = [];
    for (const address of [`${proxy.url}/calllog`, `${proxy.plainUrl}/calllog`, `${proxy.url}/calllogs`]) {
      const { outcome, status } = await sendWebhookTest(address, test);
      results.push([outcome, status]);
    }
    expect(results).toEqual([
      ["ARRIVED", 200],
      ["REDIRECTED", expect.any(Number)],
      ["WRONG_PATH", 404],
    ]);
  });

  it("goes on with the gateway that is left, and sends it each body whole", async () => {
    await using leaving = await startLeavingGateway(() => undefined);
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    await using proxy = await start([leaving, gateway]);
    await leaving[Symbol.asyncDispose]();
    let failed = 0;
    const isAnswered = (isGood: boolean) => {
      failed += isGood ? 0 : 1;
      return isGood;
    };
    for (let at = 0; at < 4; at += 1) {
      const event = JSON.stringify(callEndedEvent());
      await until(async () => isAnswered((await deliverInChunks(proxy.url, event)).status === 200));
      const input = taskInput(sandbox);
      await until(() =>
        submit(gatewayAt(proxy.url), input)
          .then(isDone, () => false)
          .then(isAnswered),
      );
    }
    const { data } = await gateway.ask<Page>("{ callEndedEvents(first: 100) { nodes { sessionId } } }");
    expect(data?.callEndedEvents.nodes.length).toBe(4);
    expect(sandbox.control.state().tasks).toBe(4);
    // The Caddyfile has one POST find out that the gateway is gone.
    expect(failed).toBeLessThanOrEqual(repeatsWebhooks ? 0 : 1);
  });

  it("sends queries to a gateway that refuses webhooks for a moment, while the other one is gone", async () => {
    const refusing = createServer((request, response) => {
      request.resume();
      // As a gateway whose database is busy.
      if (request.url === "/calllog") response.writeHead(503, { "retry-after": "1" });
      response.end("ready\n");
    });
    await using gateway = await startFakeService(refusing);
    await using proxy = await start([{ url: `http://127.0.0.1:${await freePort()}` }, gateway]);
    const post = (path: string) => fetch(proxy.url + path, { method: "POST", body: "{}" });
    // Until the proxy knows that the other one is gone.
    await until(async () => (await post("/graphql")).status === 200);
    // 502 where the proxy asked the one that is gone last.
    for (let sent = 0; sent < 8; sent += 1) expect([502, 503]).toContain((await post("/calllog")).status);
    for (let sent = 0; sent < 4; sent += 1) expect((await post("/graphql")).status).toBe(200);
  });

  it("asks both gateways again when they answer, after each has failed some requests", async () => {
    let isFailing = true;
    const startFailing = () =>
      startFakeService(
        createServer((request, response) => {
          if (isFailing) request.socket.destroy();
          else response.end("ready\n");
        }),
      );
    await using first = await startFailing();
    await using second = await startFailing();
    await using proxy = await start([first, second]);
    const post = async () => (await fetch(`${proxy.url}/graphql`, { method: "POST", body: "{}" })).status;
    for (let sent = 0; sent < 12; sent += 1) expect([502, 503]).toContain(await post());
    isFailing = false;
    // Caddy calls a gateway failed for two seconds, or until it has asked for its health.
    if (name === "nginx") expect(await post()).toBe(200);
    else await until(async () => (await post()) === 200);
  });

  it("logs no query of a request that no gateway answers", async () => {
    const gone = { url: `http://127.0.0.1:${await freePort()}` };
    await using proxy = await start([gone, gone]);
    for (const path of ["recordings/x", "graphql"]) {
      const answer = await fetch(`${proxy.url}/${path}?grant=canary-of-a-query`);
      expect(answer.status).toBeGreaterThanOrEqual(502);
    }
    await until(() => proxy.logs().includes("/recordings/x"));
    expect(proxy.logs()).not.toContain("canary-of-a-query");
  });
});

interface Page {
  callEndedEvents: { nodes: { sessionId: string }[] };
}

/** Without a Content-Length, so that nothing tells a receiver that the body is incomplete. */
function deliverInChunks(url: string, body: string): Promise<Response> {
  const headers = { authorization: WEBHOOK_AUTHORIZATION, "content-type": "application/json" };
  const duplex = { duplex: "half" };
  return fetch(`${url}/calllog`, { method: "POST", headers, body: new Blob([body]).stream(), ...duplex });
}

const isDone = ({ submission }: Awaited<ReturnType<typeof submit>>) => submission?.status === "ACCEPTED";
