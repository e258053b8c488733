import { describe, expect, it } from "vitest";
import { QUIET } from "../durability/load.ts";
import { databases } from "../store/databases.ts";
import { spawnGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { createTaskInput } from "../tasks/input.ts";
import { serve } from "../upstream/service.ts";

const MUTATION = `mutation($input: CreateTaskInput!) { createTask(input: $input) { submission { status } } }`;

describe.each(databases)("A gateway that stops while it creates a task, on %s", (_, { create }) => {
  it.each([
    [200, { status: "ACCEPTED" }],
    [429, null],
  ])("stores the outcome, also if its client was cut off: %i", { timeout: 300_000 }, async (status, kept) => {
    const held: (() => void)[] = [];
    await using service = await serve((response) => held.push(() => response.writeHead(status).end()));
    const database = await create();
    const env = { ...QUIET, DRAIN_SECONDS: "0", UPSTREAM_TIMEOUT_MS: "30000", DATABASE_URL: database.url };
    await using gateway = await spawnGateway(service, env);
    const input = createTaskInput({ assistantOverride: null });
    const lost = gateway.ask(MUTATION, { input }).catch(() => "lost");
    await until(() => held.length === 1);
    gateway.process.kill("SIGTERM");
    expect(await lost).toBe("lost");
    held[0]?.();
    expect(await gateway.exited).toBe(0);

    await using next = await spawnGateway(service, env);
    const { data } = await next.ask(`{ taskSubmissionByKey(idempotencyKey: "key-1") { status } }`);
    expect(data).toEqual({ taskSubmissionByKey: kept });
    expect(held).toHaveLength(1);
  });
});
