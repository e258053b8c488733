import { randomInt } from "node:crypto";
import { describe, expect, it, type TestContext } from "vitest";
import { type GatewayProgram, NO_SERVICE, spawnGateway } from "../support/gateway.ts";
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { startPostgres, type PostgresServer } from "../support/postgres/postgresServer.ts";
import { openSse } from "../support/streams.ts";
import { callEndedEvent } from "../support/events.ts";
import { until } from "../support/until.ts";
import { QUIET, startLoad } from "./load.ts";

const status = async (gateway: GatewayProgram, path: string) => (await fetch(gateway.url + path)).status;

async function storedIn({ url }: PostgresServer): Promise<string[]> {
  return (await askPostgres(url, "select session_id from events order by seq")).map((row) => String(row["session_id"]));
}

/** A PostgreSQL server and a gateway, both ended with the test, also if it hangs. */
async function startServerAndGateway({ onTestFinished }: TestContext) {
  const server = await startPostgres({ fsync: true });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const gateway = await spawnGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: server.url, DRAIN_SECONDS: "1" });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return { server, gateway };
}

/** Kills the server several times under load, while the gateway and a subscriber keep running. */
async function killServers(test: TestContext, kills: number) {
  const { server, gateway } = await startServerAndGateway(test);
  const query = "subscription { callEnded { sessionId } }";
  await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, { query });
  const load = startLoad({ gateway: () => gateway, writers: 8 });
  for (let at = 0; at < kills; at += 1) {
    await load.waitForMore(randomInt(1, 150));
    load.refusals.clear();
    await server.kill();
    await until(() => (load.refusals.get(503) ?? 0) > 0);
    expect([await status(gateway, "/readyz"), await status(gateway, "/livez")]).toEqual([503, 200]);
    expect(await gateway.ask("{ __typename }")).toMatchObject({ status: 200, data: { __typename: "Query" } });
    await server.start();
    await until(async () => (await status(gateway, "/readyz")) === 200);
  }
  await load.waitForMore(20);
  await load.stop();
  const stored = await storedIn(server);
  const received: string[] = [];
  while (received.length < stored.length) received.push((await stream.next()).data?.callEnded.sessionId ?? "");
  return { load, stored, received, isRunning: gateway.process.exitCode === null };
}

describe("A PostgreSQL server that is killed and started again", () => {
  it("loses no acknowledged event, and the gateway recovers by itself", { timeout: 300_000 }, async (test) => {
    const { load, stored, received, isRunning } = await killServers(test, 3);
    expect(isRunning).toBe(true);
    expect(stored.toSorted()).toEqual(load.acknowledged.toSorted());
    expect(received).toEqual(stored);
    expect([...load.refusals.keys()]).toEqual([503]);
    expect([...load.retryAfter]).toEqual(["1"]);
  });
});

// Together, because they wait for time limits.
describe.concurrent("A PostgreSQL server that does not respond", () => {
  it(
    "delays the answer until its commit, or causes a 503, and never a 200 before the commit",
    { timeout: 300_000 },
    async (test) => {
      const { server, gateway } = await startServerAndGateway(test);
      const [warm, short, long] = [callEndedEvent(), callEndedEvent(), callEndedEvent()];
      expect((await gateway.deliver(warm)).status).toBe(200);

      server.freeze();
      let answered: number | null = null;
      const delivered = gateway.deliver(short).then((answer) => (answered = answer.status));
      for (let at = 0; at < 50; at += 1) expect(await status(gateway, "/livez")).toBe(200);
      expect(answered).toBeNull();
      server.thaw();
      expect(await delivered).toBe(200);

      server.freeze();
      const [refused, readiness] = await Promise.all([gateway.deliver(long), status(gateway, "/readyz")]);
      server.thaw();
      expect([refused.status, refused.headers.get("retry-after"), readiness]).toEqual([503, "1", 503]);
      // The commit may have succeeded. A second delivery must not store the event twice.
      await until(async () => (await gateway.deliver(long)).status === 200);
      await until(async () => (await status(gateway, "/readyz")) === 200);
      const ids = [warm, short, long].map(({ event_data }) => String(event_data["session_id"]));
      expect(await storedIn(server)).toEqual(ids);
    },
  );

  it("does not keep the gateway from stopping", { timeout: 300_000 }, async (test) => {
    const { server, gateway } = await startServerAndGateway(test);
    expect((await gateway.deliver(callEndedEvent())).status).toBe(200);
    server.freeze();
    gateway.process.kill("SIGTERM");
    const code = await gateway.exited;
    server.thaw();
    expect(code).toBe(0);
  });
});
