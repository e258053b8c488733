import { describe, expect, it } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { statusIs, submissionOf, submit, taskInput } from "./submitting.ts";

const POST = { method: "POST", path: "/openapi/tasks" };
/** On a busy machine the sandbox reads 100,000 numbers for longer than the gateway waits by default. */
const longTimeout = { UPSTREAM_TIMEOUT_MS: "120000" };
const numbersOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ number: `+1202${1_000_000 + at}`, extra: { name: `Person ${at}`, at } }));

describe("a task of 100,000 numbers", () => {
  it("is created by a gateway of little memory, and one more number is refused", { timeout: 300_000 }, async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await spawnGateway(sandbox, { ...longTimeout, NODE_OPTIONS: "--max-old-space-size=256" });
    const tooMany = await submit(gateway, taskInput(sandbox, { numbers: numbersOf(100_001) }));
    expect(tooMany.errors.map(({ code, path }) => [code, ...path])).toEqual([["INVALID_INPUT", "numbers"]]);

    const input = taskInput(sandbox, { numbers: numbersOf(100_000) });
    const { submission, errors } = await submit(gateway, input);
    expect([submission?.status, errors]).toEqual(["ACCEPTED", []]);
    expect((await submit(gateway, input)).replayed).toBe(true);
    expect(sandbox.control.state().tasks).toBe(1);

    const twice = await submit(
      gateway,
      taskInput(sandbox, { numbers: [...numbersOf(99_999), { number: "+1202-1000000" }] }),
    );
    expect(twice.errors.map(({ path }) => path)).toEqual([["numbers", "99999", "number"]]);
    expect(twice.errors[0]?.message).toContain("the one at 0");
  });
});

describe("A client that leaves during createTask", () => {
  it("finds its submission by its key", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    sandbox.control.addFault({ match: POST, kind: "latency", ms: 500, times: 1 });
    const input = taskInput(sandbox);
    const left = new AbortController();
    const query = "mutation($input: CreateTaskInput!) { createTask(input: $input) { replayed } }";
    const asked = fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { input } }),
      signal: left.signal,
    });
    await until(() => sandbox.control.requests().length === 1);
    left.abort();
    await expect(asked).rejects.toThrow();
    const key = `{ taskSubmissionByKey(idempotencyKey: "${String(input["idempotencyKey"])}") { id } }`;
    const { data } = await gateway.ask<{ taskSubmissionByKey: { id: string } }>(key);
    const id = data?.taskSubmissionByKey.id ?? "";
    expect((await submissionOf(gateway, id))?.status).toBe("PENDING");
    await statusIs(gateway, id, "ACCEPTED");
    expect(sandbox.control.state().tasks).toBe(1);
  });
});
