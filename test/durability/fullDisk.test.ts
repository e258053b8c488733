import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, spawnGateway, temporaryDirectory } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const library = join(tmpdir(), `switchboard-full-disk-${process.pid}.so`);
const source = fileURLToPath(new URL("./fullDisk.c", import.meta.url));
const hasCompiler = spawnSync("cc", ["-shared", "-fPIC", "-o", library, source, "-ldl"]).status === 0;
afterAll(() => rmSync(library, { force: true }));

describe.runIf(hasCompiler)("A48: a gateway with a full disk", () => {
  it("answers webhooks with 503, is not ready, still answers queries, and recovers once there is space", async () => {
    await using directory = await temporaryDirectory();
    const full = join(directory.path, "full");
    const env = { LD_PRELOAD: library, FULL: full, DATABASE_URL: directory.database };
    await using gateway = await spawnGateway(NO_SERVICE, env);
    const readiness = async () => (await fetch(`${gateway.url}/readyz`)).status;
    const kept = async () => {
      const query = "{ callEndedEvents(first: 10) { nodes { sessionId } } }";
      const { data } = await gateway.ask<{ callEndedEvents: { nodes: { sessionId: string }[] } }>(query);
      return data?.callEndedEvents.nodes.map(({ sessionId }) => sessionId);
    };
    expect((await gateway.deliver(callEndedEvent({ session_id: "before" }))).status).toBe(200);
    expect(await readiness()).toBe(200);

    writeFileSync(full, "");
    for (const body of [callEndedEvent({ session_id: "meanwhile" }), "no json"]) {
      const refused = await gateway.deliver(body);
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
      expect(await readiness()).toBe(503);
    }
    expect(await kept()).toEqual(["before"]);
    expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);

    rmSync(full);
    // Readiness must return without a webhook: a load balancer sends none to a gateway that is not ready.
    await until(async () => (await readiness()) === 200);
    expect((await gateway.deliver(callEndedEvent({ session_id: "meanwhile" }))).status).toBe(200);
    expect((await kept())?.toSorted()).toEqual(["before", "meanwhile"]);
  });
});
