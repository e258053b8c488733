import { describe, expect, it } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { createTaskInput } from "../tasks/input.ts";
import { serve } from "../upstream/service.ts";
import { statusIs, submissionOf, submit, taskInput } from "./submitting.ts";

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
    const held: (() => void)[] = [];
    await using service = await serve((response) => held.push(() => response.writeHead(200).end()));
    await using gateway = await startGateway(service);
    const input = createTaskInput({ assistantOverride: null });
    const left = new AbortController();
    const query = "mutation($input: CreateTaskInput!) { createTask(input: $input) { replayed } }";
    const asked = fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query, variables: { input } }),
      signal: left.signal,
    });
    await until(() => held.length === 1);
    left.abort();
    await expect(asked).rejects.toThrow();
    const key = `{ taskSubmissionByKey(idempotencyKey: "${input.idempotencyKey}") { id } }`;
    const { data } = await gateway.ask<{ taskSubmissionByKey: { id: string } }>(key);
    const id = data?.taskSubmissionByKey.id ?? "";
    expect((await submissionOf(gateway, id))?.status).toBe("PENDING");
    held[0]?.();
    await statusIs(gateway, id, "ACCEPTED");
    expect(held).toHaveLength(1);
  });
});
