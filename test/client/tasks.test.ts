import { describe, expect, it } from "vitest";
import { createMemoryKeyStore, type KeyStore, type TaskInput } from "../../client/src/index.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { taskInput } from "../e2e/submitting.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { cuttingProxy, type Cut } from "../support/network/cuttingProxy.ts";
import { startGateway } from "../support/gateway.ts";
import { clientOf } from "./clients.ts";
import { graphError, json, reset, scriptedServer, text, type ScriptedServer } from "./scriptedServer.ts";

function inputOf(own: Partial<TaskInput> = {}): TaskInput {
  return {
    name: "Reminders",
    assistantId: "11",
    option: {
      lineIds: ["60"],
      periods: [["09:00", "18:00"]],
      startDate: "2035-01-01",
      retryCount: 0,
      retryIntervalSeconds: 60,
      numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
    },
    numbers: [{ number: "+12025550101", extra: { name: "Li" } }],
    ...own,
  };
}

const answered = (status: string | null, code?: string) =>
  json({
    data: {
      createTask: {
        submission: status && { id: "s1", status },
        replayed: false,
        errors: code ? [{ code, message: "It failed.", path: [] }] : [],
      },
    },
  });

const keysOf = ({ requests }: ScriptedServer): unknown[] =>
  requests.map(({ body }) => (body.variables as unknown as { input: TaskInput }).input.idempotencyKey);

const createdTasks = (sandbox: Sandbox) =>
  sandbox.control.requests().filter(({ method, path }) => method === "POST" && path === "/openapi/tasks");

describe("createTask", () => {
  it("repeats with one key after lost answers, a restarting gateway and a task that is on its way", async () => {
    const busy = json({ errors: [graphError("STORE_UNAVAILABLE", { retryable: true })] });
    await using server = await scriptedServer(reset, text("", 502), busy, answered("PENDING"), answered("ACCEPTED"));
    await using client = clientOf(server);
    const result = await client.createTask(inputOf());
    expect(result).toMatchObject({ submission: { status: "ACCEPTED" }, replayed: false, errors: [] });
    expect(result.idempotencyKey).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(keysOf(server)).toEqual(Array.from({ length: 5 }, () => result.idempotencyKey));
  });

  it("keeps the key of an input while its outcome is unknown, also in another client with the same store", async () => {
    await using server = await scriptedServer(
      reset,
      reset,
      reset,
      reset,
      reset,
      answered("UNCONFIRMED"),
      answered("RESOLVED"),
    );
    const keyStore = createMemoryKeyStore();
    await using before = clientOf(server, { keyStore });
    const failed = before.createTask(inputOf());
    await expect(failed).rejects.toMatchObject({
      code: "NETWORK",
      retryable: true,
      idempotencyKey: expect.any(String),
    });
    await using afterReload = clientOf(server, { keyStore });
    expect((await afterReload.createTask(inputOf())).submission?.status).toBe("UNCONFIRMED");
    expect((await afterReload.createTask(inputOf())).submission?.status).toBe("RESOLVED");
    expect(new Set(keysOf(server)).size).toBe(1);
  });

  it("uses the key of a created task again for the same input, and a new one after releaseTaskKey", async () => {
    await using server = await scriptedServer(answered("ACCEPTED"));
    await using client = clientOf(server);
    const first = await client.createTask(inputOf());
    const reordered = Object.fromEntries(Object.entries(inputOf()).toReversed()) as unknown as TaskInput;
    expect((await client.createTask(reordered)).idempotencyKey).toBe(first.idempotencyKey);
    expect((await client.createTask(inputOf({ name: "Others" }))).idempotencyKey).not.toBe(first.idempotencyKey);
    await client.releaseTaskKey(inputOf());
    expect((await client.createTask(inputOf())).idempotencyKey).not.toBe(first.idempotencyKey);
  });

  it("gives a form's next input a new key only when the task before is created", async () => {
    await using server = await scriptedServer(answered("UNCONFIRMED"), answered("ACCEPTED"), answered("ACCEPTED"));
    await using client = clientOf(server);
    const create = async (name: string) =>
      (await client.createTask(inputOf({ name }), { name: "form" })).idempotencyKey;
    const [first, second, third] = [await create("A"), await create("B"), await create("C")];
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it("gets a new key after the service refused the task", async () => {
    await using server = await scriptedServer(answered("REJECTED", "REJECTED"), answered("ACCEPTED"));
    await using client = clientOf(server);
    expect((await client.createTask(inputOf())).errors).toMatchObject([{ code: "REJECTED" }]);
    await client.createTask(inputOf());
    expect(new Set(keysOf(server)).size).toBe(2);
  });

  it.each(["INVALID_INPUT", "IDEMPOTENCY_CONFLICT"])("keeps the key after %s, and does not repeat", async (code) => {
    await using server = await scriptedServer(answered(null, code));
    await using client = clientOf(server);
    await client.createTask(inputOf());
    await client.createTask(inputOf());
    expect(server.requests).toHaveLength(2);
    expect(new Set(keysOf(server)).size).toBe(1);
  });

  it("returns UNAVAILABLE after five tries, and throws what may not be repeated at once", async () => {
    await using server = await scriptedServer(answered(null, "UNAVAILABLE"));
    await using client = clientOf(server);
    expect((await client.createTask(inputOf())).errors).toMatchObject([{ code: "UNAVAILABLE" }]);
    expect(server.requests).toHaveLength(5);
    await using forbidding = await scriptedServer(json({ errors: [graphError("FORBIDDEN")] }));
    await using other = clientOf(forbidding);
    await expect(other.createTask(inputOf())).rejects.toMatchObject({ code: "FORBIDDEN", retryable: false });
    expect(forbidding.requests).toHaveLength(1);
  });

  it("sends nothing if the key cannot be stored, and returns the answer if only its outcome cannot", async () => {
    await using server = await scriptedServer(answered("ACCEPTED"));
    await using client = clientOf(server);
    const memory = createMemoryKeyStore();
    const failing = (after: number): KeyStore => {
      let updates = 0;
      return {
        update(slot, change) {
          updates += 1;
          if (updates > after) throw new Error("The disk is full.");
          return memory.update(slot, change);
        },
      };
    };
    await expect(client.createTask(inputOf(), { keyStore: failing(0) })).rejects.toThrow("The disk is full.");
    expect(server.requests).toHaveLength(0);
    const result = await client.createTask(inputOf(), { keyStore: failing(1) });
    expect(result.submission?.status).toBe("ACCEPTED");
    expect((await client.createTask(inputOf(), { keyStore: memory })).idempotencyKey).toBe(result.idempotencyKey);
  });

  it("uses a key of the input, and keeps none", async () => {
    await using server = await scriptedServer(reset, answered("ACCEPTED"));
    await using client = clientOf(server);
    const store: KeyStore = { update: () => expect.fail("The store was used.") };
    await client.createTask(inputOf({ idempotencyKey: "my-key" }), { keyStore: store });
    expect(keysOf(server)).toEqual(["my-key", "my-key"]);
  });
});

describe("A task that is sent again after its answer was lost", () => {
  it("reaches the service once, with a real gateway", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    const cuts: Cut[] = [{ of: "response", after: 20 }];
    await using proxy = await cuttingProxy(gateway.url, () => cuts.shift() ?? null);
    await using client = clientOf(proxy);
    const { idempotencyKey: _, ...input } = taskInput(sandbox) as unknown as TaskInput;
    const result = await client.createTask(input);
    expect(result).toMatchObject({ replayed: true, submission: { status: "ACCEPTED" } });
    // Another click, and two at once in two tabs.
    const again = await Promise.all([client.createTask(input), client.createTask(input)]);
    expect(again.map(({ submission }) => submission?.id)).toEqual([result.submission?.id, result.submission?.id]);
    expect(createdTasks(sandbox)).toHaveLength(1);
  });

  it("reaches the service once if it was sent twice at the same moment", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox);
    const keyStore = createMemoryKeyStore();
    await using left = clientOf(gateway, { keyStore });
    await using right = clientOf(gateway, { keyStore });
    const { idempotencyKey: _, ...input } = taskInput(sandbox) as unknown as TaskInput;
    const results = await Promise.all([left.createTask(input), right.createTask(input)]);
    expect(new Set(results.map(({ submission }) => submission?.id)).size).toBe(1);
    expect(createdTasks(sandbox)).toHaveLength(1);
  });
});
