import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { startBoth } from "../support/startBoth.ts";

const { sandbox, gateway } = await startBoth({ UPSTREAM_TIMEOUT_MS: "1000" });
beforeAll(async () => {
  await sandbox.control("POST", "seed", {
    tasks: [
      { id: 701, name: "One" },
      { id: 702, name: "Two" },
    ],
  });
});
beforeEach(() => sandbox.control("DELETE", "faults"));

const CANARY = "canary of the service's own text";

const faults: [string, object, string, boolean][] = [
  ["status 500", { kind: "status", status: 500, body: CANARY }, "UPSTREAM_UNAVAILABLE", true],
  ["status 503", { kind: "status", status: 503 }, "UPSTREAM_UNAVAILABLE", true],
  ["a connection that breaks", { kind: "reset" }, "UPSTREAM_UNAVAILABLE", true],
  ["a body that is cut off", { kind: "truncate" }, "UPSTREAM_UNAVAILABLE", true],
  ["no answer", { kind: "hang" }, "UPSTREAM_TIMEOUT", true],
  ["status 429", { kind: "status", status: 429, retryAfter: 7 }, "UPSTREAM_RATE_LIMITED", true],
  ["status 403", { kind: "status", status: 403, body: CANARY }, "UPSTREAM_REJECTED", false],
  ["a redirect", { kind: "status", status: 302, location: "http://127.0.0.1:9/" }, "UPSTREAM_CONTRACT", false],
  ["a body that is not JSON", { kind: "malformed", as: "notJson" }, "UPSTREAM_CONTRACT", false],
  ["a page of a proxy", { kind: "malformed", as: "html" }, "UPSTREAM_CONTRACT", false],
  ["a body of null", { kind: "malformed", as: "null" }, "UPSTREAM_CONTRACT", false],
  ["an error envelope with 200", { kind: "malformed", as: "envelope" }, "UPSTREAM_CONTRACT", false],
  [
    "an object without its fields",
    { kind: "replace", body: `{"id":701,"canary":"${CANARY}"}` },
    "UPSTREAM_CONTRACT",
    false,
  ],
];

describe("a failure of the service", () => {
  it.each(faults)("becomes an error with its code for its own field only: %s", async (_, fault, code, retryable) => {
    await sandbox.control("POST", "faults", { ...fault, match: { path: "/openapi/tasks/701" } });
    const { data, errors } = await gateway.ask(`{
      bad: task(taskId: "701") { name }
      good: task(taskId: "702") { name }
      serviceTimeZone
    }`);
    expect(data).toEqual({ bad: null, good: { name: "Two" }, serviceTimeZone: "Asia/Shanghai" });
    expect(errors).toHaveLength(1);
    expect(errors?.[0]).toMatchObject({ path: ["bad"], extensions: { code, retryable } });
    expect(errors?.[0]?.extensions["retryAfter"]).toBe(code === "UPSTREAM_RATE_LIMITED" ? 7 : undefined);
    expect(JSON.stringify(errors)).not.toContain(CANARY);
    expect(gateway.output.join("\n")).not.toContain(CANARY);
  });

  it("makes no error of a missing task: it is null", async () => {
    expect(await gateway.ask(`{ task(taskId: "799") { name } }`)).toMatchObject({ data: { task: null } });
  });

  it("makes an unreadable list null, and not the fields beside it", async () => {
    await sandbox.control("POST", "faults", {
      kind: "replace",
      match: { path: "/openapi/calllog" },
      body: `{"items":[null],"total":1,"pageIndex":1,"pageSize":10}`,
    });
    const { data, errors } = await gateway.ask(`{ callLogs { totalCount } task(taskId: "702") { name } }`);
    expect(data).toEqual({ callLogs: null, task: { name: "Two" } });
    expect(errors?.[0]?.extensions["code"]).toBe("UPSTREAM_CONTRACT");
    expect(errors?.[0]?.message).toContain("Row 0");
  });
});

describe("a secret", () => {
  it("is in no response and no log line: the service's token, the webhook's value, an assistant's token", async () => {
    const schema = await gateway.ask(`{ __schema { types { name fields { name } } } }`);
    expect(JSON.stringify(schema)).not.toMatch(/websocketToken/i);
    await gateway.ask(`{ callLogs { nodes { task { assistant { websocketUrl prompt } } } } }`);
    await gateway.deliver({}, { authorization: "wrong" });
    const said = JSON.stringify(schema) + gateway.output.join("\n");
    for (const secret of [TOKEN, WEBHOOK_AUTHORIZATION]) expect(said).not.toContain(secret);
  });
});
