import { describe, expect, it } from "vitest";
import { exchange } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { startSandbox, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

interface Webhooks {
  lastAcceptedAt: string | null;
  refused: { since: string; lastAt: string; count: number; reasons: { reason: string; count: number }[] } | null;
}
interface Hour {
  start: string;
  webhooks: number;
  reconciled: number;
  unreadable: number;
}
const WEBHOOKS = "{ gateway { webhooks { lastAcceptedAt refused { since lastAt count reasons { reason count } } } } }";
const ANSWERS = "{ gateway { upstream tokenRefused serviceFailingSince } }";

async function webhooks(gateway: TestGateway): Promise<Webhooks> {
  const { data, errors } = await gateway.ask<{ gateway: { webhooks: Webhooks } }>(WEBHOOKS);
  expect(errors).toBeUndefined();
  return data?.gateway.webhooks as Webhooks;
}

describe("gateway { webhooks }", () => {
  it("names each reason for which webhooks are refused, until one is accepted", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    expect(await webhooks(gateway)).toEqual({ lastAcceptedAt: null, refused: null });
    const startedAt = Date.now();
    const right = { authorization: WEBHOOK_AUTHORIZATION };
    const send = (path: string, init: RequestInit) => fetch(gateway.url + path, init);
    const post = (path: string, headers: Record<string, string>, body = "{}") =>
      send(path, { method: "POST", headers, body });

    expect((await post("/calllog", { authorization: WEBHOOK_AUTHORIZATION.slice(1) })).status).toBe(401);
    expect((await post("/calllog", {})).status).toBe(401);
    expect((await post("/calllog", {})).status).toBe(401);
    // A browser that looks at the address, and a stranger's POST to another path, are no webhooks.
    expect((await send("/calllog", {})).status).toBe(405);
    expect((await post("/elsewhere", {})).status).toBe(404);
    expect((await send("/calllog", { method: "PUT", headers: right, body: "{}" })).status).toBe(405);
    expect((await post("/elsewhere", right)).status).toBe(404);
    const head = `POST /calllog HTTP/1.1\r\nhost: not,usable\r\nauthorization: ${WEBHOOK_AUTHORIZATION}\r\n`;
    const port = Number(new URL(gateway.url).port);
    expect(await exchange(port, `${head}content-length: 0\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 400 /);
    expect((await post("/calllog", right, " ".repeat(2 ** 20 + 1))).status).toBe(413);

    // The path and the host are noted when the answer is out.
    const { refused } = await until(async () => {
      const status = await webhooks(gateway);
      return status.refused?.count === 7 && status;
    });
    expect(refused?.reasons.toSorted((one, other) => one.reason.localeCompare(other.reason))).toEqual([
      { reason: "MISSING_HEADER", count: 2 },
      { reason: "TOO_LARGE", count: 1 },
      { reason: "WRONG_HEADER", count: 1 },
      { reason: "WRONG_HOST", count: 1 },
      { reason: "WRONG_METHOD", count: 1 },
      { reason: "WRONG_PATH", count: 1 },
    ]);
    expect(Date.parse(refused?.since ?? "")).toBeGreaterThanOrEqual(startedAt);
    expect(Date.parse(refused?.lastAt ?? "")).toBeGreaterThanOrEqual(Date.parse(refused?.since ?? ""));
    const line = await gateway.line(({ msg, refused: reasons }) => msg === "webhooks are refused" && reasons !== null);
    expect(line).toMatchObject({ level: "warn", refused: { WRONG_METHOD: 1 } });
    expect(gateway.output.join("\n")).not.toContain(WEBHOOK_AUTHORIZATION.slice(1));

    expect((await gateway.deliver(callEndedEvent())).status).toBe(200);
    const after = await until(async () => {
      const status = await webhooks(gateway);
      return status.lastAcceptedAt !== null && status;
    });
    expect(after.refused).toBeNull();
    expect(Date.parse(after.lastAcceptedAt ?? "")).toBeGreaterThanOrEqual(startedAt);
  });

  it("needs the scope admin, like the answers of the service", async () => {
    await using folder = await temporaryDirectory();
    const keys = await writeKeys(folder.path, { reader: ["calls:read"], admin: ["admin"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
    for (const query of [WEBHOOKS, ANSWERS]) {
      const { errors } = await gateway.ask(query, undefined, { authorization: bearer("reader") });
      expect(errors).toMatchObject([{ extensions: { code: "FORBIDDEN" } }]);
      expect((await gateway.ask(query, undefined, { authorization: bearer("admin") })).errors).toBeUndefined();
    }
  });
});

describe("gateway { serviceFailingSince tokenRefused }", () => {
  it("tell a service that fails from one that refuses the token, and end with its next good answer", async () => {
    await using sandbox = await startSandbox({ traffic: false, history: { tasks: 0, calls: 0, days: 0 } });
    await using gateway = await startGateway(sandbox);
    const ask = () => gateway.ask("{ callLogs(first: 1) { totalCount } }");
    const facts = async () => (await gateway.ask<{ gateway: unknown }>(ANSWERS)).data?.gateway;
    const startedAt = Date.now();
    await ask();
    expect(await facts()).toEqual({ upstream: "HEALTHY", tokenRefused: false, serviceFailingSince: null });

    await sandbox.control("POST", "faults", { match: { path: "/openapi" }, kind: "status", status: 503 });
    await ask();
    const failing = (await facts()) as { serviceFailingSince: string };
    expect(failing).toMatchObject({ tokenRefused: false });
    expect(Date.parse(failing.serviceFailingSince)).toBeGreaterThanOrEqual(startedAt);
    await ask();
    expect(await facts()).toMatchObject({ serviceFailingSince: failing.serviceFailingSince });

    await sandbox.control("DELETE", "faults");
    await sandbox.control("POST", "faults", { match: { path: "/openapi" }, kind: "status", status: 401 });
    await ask();
    expect(await facts()).toMatchObject({ tokenRefused: true, serviceFailingSince: null });
    await sandbox.control("DELETE", "faults");
    await ask();
    expect(await facts()).toMatchObject({ tokenRefused: false, serviceFailingSince: null });
  });
});

describe("gateway { lastDay }", () => {
  it("has an hour for each of the last 24, with the webhooks and what could not be read", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    await gateway.deliver(callEndedEvent({ session_id: "one", end_at: "" }));
    await gateway.deliver("no JSON");
    const query = "{ gateway { lastDay { start webhooks reconciled unreadable meanDelaySeconds } } }";
    const { data, errors } = await gateway.ask<{ gateway: { lastDay: Hour[] } }>(query);
    expect(errors).toBeUndefined();
    const hours = data?.gateway.lastDay ?? [];
    const starts = hours.map(({ start }) => Date.parse(start));
    expect(starts).toEqual(starts.map((_, at) => (starts[0] ?? NaN) + at * 3_600_000));
    expect(starts).toHaveLength(24);
    const sum = (of: (hour: Hour) => number) => hours.reduce((total, hour) => total + of(hour), 0);
    expect([sum((hour) => hour.webhooks), sum((hour) => hour.reconciled), sum((hour) => hour.unreadable)]).toEqual([
      1, 0, 1,
    ]);
  });
});
