import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { DAY, FAST, importAll, latest, logOf, MINUTE, seedEnds, start } from "./imports.ts";

const daysAgo = (count: number) => Math.floor((Date.now() - count * DAY) / 1000) * 1000;
const every = (ms: number, count: number, from: number) => Array.from({ length: count }, (_, at) => from + at * ms);

interface List {
  items: unknown[] | null;
}

/** A proxy that changes the lists of a service. Null: it never answers. */
async function changing(service: { url: string }, change: (list: List, query: URLSearchParams) => List | null) {
  let requests = 0;
  const server = createServer((request, response) => {
    void (async () => {
      requests += 1;
      const target = new URL(request.url ?? "/", service.url);
      const answer = await fetch(target, { headers: { authorization: request.headers.authorization ?? "" } });
      const text = await answer.text();
      const changed = answer.ok ? change(JSON.parse(text) as List, target.searchParams) : text;
      if (changed === null) return;
      const body = typeof changed === "string" ? changed : JSON.stringify(changed);
      response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: () => requests };
}

describe("an import from a service with an odd list", () => {
  it.each([250, 300])("of %i rows, of which one breaks the contract, leaves out that one", async (count) => {
    await using sandbox = await emptySandbox();
    const ids = seedEnds(sandbox, every(MINUTE, count, daysAgo(3)));
    const broken = ids.at(-20);
    const service = await changing(sandbox, (list) => ({
      ...list,
      items: (list.items ?? []).map((row) => (JSON.stringify(row).includes(`"${broken}"`) ? null : row)),
    }));
    await using gateway = await startGateway(service, FAST);
    expect(await importAll(gateway, daysAgo(5))).toMatchObject({ state: "DONE", calls: count - 1, leftOut: 1 });
    expect((await logOf(gateway)).length).toBe(count - 1);
    expect(service.requests()).toBeLessThan(60);
  });

  it("that never comes says soon why nothing is read", async () => {
    await using sandbox = await emptySandbox();
    const service = await changing(sandbox, () => null);
    await using gateway = await startGateway(service, { ...FAST, UPSTREAM_TIMEOUT_MS: "500" });
    await start(gateway, daysAgo(5));
    await until(async () => (await latest(gateway)).problem !== null);
    expect(service.requests()).toBeLessThan(8);
    expect((await latest(gateway)).state).toBe("RUNNING");
  });

  it("that comes no more does not guess how long it takes", async () => {
    await using sandbox = await emptySandbox();
    let lists = 0;
    const service = await changing(sandbox, (list) => ((lists += 1) > 5 ? null : list));
    await using gateway = await startGateway(service, { ...FAST, UPSTREAM_TIMEOUT_MS: "500" });
    await start(gateway, daysAgo(300));
    const waiting = await until(async () => {
      const { data } = await gateway.ask<{ historyImport: { problem: string | null; progress: number } }>(
        "{ historyImport { problem progress secondsLeft } }",
      );
      return data?.historyImport.problem == null ? null : data.historyImport;
    });
    expect(waiting).toMatchObject({ secondsLeft: null });
    expect(waiting.progress).toBeGreaterThan(0);
  });

  it("is complete where the service does not tell how many calls are older than the retention", async () => {
    await using sandbox = await emptySandbox();
    const ids = seedEnds(sandbox, every(MINUTE, 20, daysAgo(3)));
    const service = await changing(sandbox, (list, query) =>
      [...query.values()].some((value) => value.startsWith("2000-01-01")) ? null : list,
    );
    const env = { ...FAST, UPSTREAM_TIMEOUT_MS: "1000", EVENT_RETENTION_DAYS: "7" };
    await using gateway = await startGateway(service, env);
    const since = Date.parse("2000-01-01T12:00:00+08:00");
    expect(await importAll(gateway, since)).toMatchObject({ state: "DONE", problem: null, calls: 20, tooOld: null });
    expect((await logOf(gateway)).length).toBe(ids.length);
  });
});
