// `npm run test:routers`: a client behind Hive Gateway that resumes by `after`, while connections are cut on both sides of the
// router and the gateway restarts.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createRandom } from "../../sandbox/src/random.ts";
import { callEndedEvent } from "../../test/support/events.ts";
import {
  NO_SERVICE,
  spawnGateway,
  startGateway,
  temporaryDirectory,
  type GatewayAddress,
} from "../../test/support/gateway.ts";
import { cuttingProxy, type CuttingProxy } from "../../test/support/network/cuttingProxy.ts";
import { freePort } from "../../test/support/network/freePort.ts";
import { subscribeThroughCuts } from "../../test/support/resume.ts";
import { openSse } from "../../test/support/streams.ts";
import { until } from "../../test/support/until.ts";
import { resumeThrough, type ClientTransport } from "./support/resumingClient.ts";
import { compose, startRouter, type RouterTransport } from "./support/router.ts";

const CLI = fileURLToPath(new URL("../../src/cli.ts", import.meta.url));
const SDL = execFileSync(process.execPath, [CLI, "schema", "--federation"], { encoding: "utf8" });
const CUTS = 50;
const EVENTS = 300;
const SEED = 25;
/** A cut is at one of so many bytes of a response, with which a stream begins. */
const FIRST_BYTES = 1500;

/** The bytes of the requests of about five deliveries to a callback URL, and of the answers. */
const REQUEST_BYTES = 3000;
const RESPONSE_BYTES = 800;
/** The shortest that the gateway accepts: a router notices a killed gateway by it. */
const HEARTBEAT_MS = 1000;

const composeAt = (gatewayUrl: string) => compose([{ name: "switchboard", url: `${gatewayUrl}/graphql`, sdl: SDL }]);

/** The connections between the client and the router, and those between the router and the gateway, are each cut `CUTS` times. */
async function runThroughRouter(
  client: ClientTransport,
  transport: RouterTransport,
  restarts: number,
  env: Record<string, string> = {},
) {
  const plan = { cuts: CUTS, restarts, events: EVENTS, seed: SEED, env: { FEDERATION: "on", ...env } };
  const random = createRandom(SEED);
  let received = 0;
  let near: CuttingProxy | undefined;
  const outcome = await subscribeThroughCuts(async (gatewayUrl, after, onSession) => {
    await using parts = new AsyncDisposableStack();
    const router = parts.use(await startRouter(composeAt(gatewayUrl), transport));
    // Some cuts are at a byte of the response, others after an event that the client has just received.
    const isBehind = (proxy: CuttingProxy) => proxy.cuts.streams < (CUTS * received) / EVENTS;
    const draw = () =>
      near && isBehind(near) && random.chance(0.5)
        ? ({ of: "response", after: random.int(1, FIRST_BYTES) } as const)
        : null;
    const proxy = (near = parts.use(await cuttingProxy(router.url, draw)));
    parts.use(
      resumeThrough(client, proxy.url, after, (sessionId) => {
        received += 1;
        onSession(sessionId);
        if (isBehind(proxy)) proxy.cutAll();
      }),
    );
    const running = parts.move();
    return { proxy, [Symbol.asyncDispose]: () => running.disposeAsync() };
  }, plan);
  return { ...outcome, nearCuts: near?.cuts.streams ?? 0 };
}

for (const { client, transport, restarts } of [
  { client: "sse", transport: "sse", restarts: 2 },
  { client: "ws", transport: "sse", restarts: 2 },
  // A restarting gateway closes WebSockets with a code: see below.
  { client: "sse", transport: "ws", restarts: 0 },
] as const)
  test(`a client over ${client} of a router over ${transport} misses nothing and gets nothing twice over 100 cuts`, async () => {
    const { stored, received, cuts, nearCuts, endings } = await runThroughRouter(client, transport, restarts);
    assert.equal(stored.length, EVENTS);
    assert.deepEqual(received, stored);
    assert.ok(cuts.streams >= CUTS, `${cuts.streams} cuts between the router and the gateway`);
    assert.ok(nearCuts >= CUTS, `${nearCuts} cuts between the client and the router`);
    assert.equal(endings.length, restarts);
  });

test("a router over WebSocket subscribes again by itself after a restart, with the first cursor", async () => {
  await using directory = await temporaryDirectory();
  const PORT = String(await freePort());
  const start = () =>
    spawnGateway(NO_SERVICE, { FEDERATION: "on", DRAIN_SECONDS: "1", DATABASE_URL: directory.database, PORT });
  const deliver = async ({ deliver: post }: GatewayAddress) => {
    const event = callEndedEvent({ task_id: 0 });
    assert.equal((await post(event)).status, 200);
    return String(event.event_data["session_id"]);
  };
  const received: string[] = [];
  const earlier = await start();
  await using router = await startRouter(composeAt(earlier.url), "ws");
  type Head = { callEndedEvents: { headCursor: string } };
  const { data } = await earlier.ask<Head>("{ callEndedEvents { headCursor } }");
  await using _client = resumeThrough("sse", router.url, data?.callEndedEvents.headCursor ?? "", (sessionId) =>
    received.push(sessionId),
  );
  const first = await deliver(earlier);
  await until(() => received.length === 1);
  earlier.process.kill("SIGTERM");
  await earlier.exited;
  await earlier[Symbol.asyncDispose]();
  await using later = await start();
  const second = await deliver(later);
  await until(() => received.includes(second));
  // docs/federation.md says so, and to let the router subscribe over server-sent events.
  assert.deepEqual(received, [first, first, second]);
});

test("a client of a router by HTTP callback misses nothing and gets nothing twice over 150 cuts", async (t) => {
  const port = await freePort();
  const random = createRandom(SEED);
  // Between the gateway and the router's callback URL: each connection is cut after a few results.
  const draw = () =>
    random.chance(0.5)
      ? ({ of: "request", after: random.int(1, REQUEST_BYTES) } as const)
      : ({ of: "response", after: random.int(1, RESPONSE_BYTES) } as const);
  await using callbacks = await cuttingProxy(`http://127.0.0.1:${port}`, draw);
  const callbackUrl = `${callbacks.url}/callback`;
  const { stored, received, cuts, nearCuts, endings } = await runThroughRouter(
    "sse",
    { callbackUrl, heartbeatMs: HEARTBEAT_MS, port },
    2,
    { SUBSCRIPTION_CALLBACK_URLS: callbackUrl },
  );
  assert.equal(stored.length, EVENTS);
  assert.deepEqual(received, stored);
  const counted = [callbacks.cuts.atByte, cuts.streams, nearCuts];
  t.diagnostic(`${counted.join(", ")} cuts of deliveries, between router and gateway, and between client and router.`);
  assert.ok(callbacks.cuts.atByte >= CUTS, `${callbacks.cuts.atByte} cuts of deliveries to the router`);
  assert.ok(cuts.streams >= CUTS, `${cuts.streams} cuts between the router and the gateway`);
  assert.ok(nearCuts >= CUTS, `${nearCuts} cuts between the client and the router`);
  assert.equal(endings.length, 2);
});

test("a router gets an error for a callback URL that is not on the gateway's list, and its address is not called", async () => {
  const port = await freePort();
  await using called = await cuttingProxy(`http://127.0.0.1:${port}`);
  for (const SUBSCRIPTION_CALLBACK_URLS of ["", "http://127.0.0.1:9/callback"]) {
    await using gateway = await startGateway(NO_SERVICE, { FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS });
    const transport = { callbackUrl: `${called.url}/callback`, heartbeatMs: HEARTBEAT_MS, port };
    await using router = await startRouter(composeAt(gateway.url), transport);
    await using stream = await openSse(router.url, { query: "subscription { callEnded { cursor } }" });
    const { data, errors } = await stream.next();
    assert.equal(data ?? null, null);
    assert.match(errors?.[0]?.message ?? "", /SUBSCRIPTION_CALLBACK_URLS/);
    assert.equal(errors?.[0]?.extensions?.["code"], "BAD_USER_INPUT");
  }
  assert.equal(called.seen.request.length, 0);
});
