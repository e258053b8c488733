import { describe, expect, it } from "vitest";
import type { FaultInput } from "../../sandbox/src/control/faults.ts";
import { until } from "../support/until.ts";
import { openReceiver, openSandbox, taskBody } from "./support.ts";

const LIST = "/openapi/calllog";
async function openWith(...faults: FaultInput[]) {
  const service = await openSandbox();
  for (const fault of faults) service.sandbox.control.addFault(fault);
  return service;
}

describe("a fault rule", () => {
  it("is removed after its number of requests", async () => {
    await using service = await openWith({ kind: "status", status: 500, times: 2 });
    const statuses = [];
    for (let count = 0; count < 3; count += 1) statuses.push((await service.call(LIST)).status);
    expect(statuses).toEqual([500, 500, 200]);
    expect(service.sandbox.control.faults()).toEqual([]);
  });

  it("matches by method, path and query, and stays until it is removed", async () => {
    await using service = await openWith({
      kind: "status",
      status: 503,
      match: { method: "get", path: LIST, query: "pageIndex=2" },
    });
    expect((await service.call(`${LIST}?pageIndex=2`)).status).toBe(503);
    expect((await service.call(`${LIST}?pageIndex=1`)).status).toBe(200);
    expect((await service.call("/openapi/tasks/1?pageIndex=2")).status).toBe(400);
    const [rule] = service.sandbox.control.faults();
    service.sandbox.control.clearFaults(rule?.id);
    expect((await service.call(`${LIST}?pageIndex=2`)).status).toBe(200);
  });

  it("does not affect the control API", async () => {
    await using service = await openWith({ kind: "reset" });
    expect((await service.call("/sandbox/faults")).status).toBe(200);
  });

  it("is refused if its kind is unknown", async () => {
    await using service = await openSandbox();
    expect(() => service.sandbox.control.addFault({ kind: "status", status: 99 })).toThrow(/status/);
    expect((await service.post("/sandbox/faults", { kind: "explode" })).status).toBe(400);
    expect((await service.post("/sandbox/faults", { kind: "hang", extra: 1 })).status).toBe(400);
  });
});

describe("faults of answers", () => {
  it("delay an answer, and then apply the next rule or none", async () => {
    await using service = await openWith(
      { kind: "latency", ms: 200, times: 2 },
      { kind: "status", status: 502, times: 1 },
    );
    const start = performance.now();
    expect((await service.call(LIST)).status).toBe(502);
    expect((await service.call(LIST)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(395);
  });

  it("set Retry-After, a redirect, headers and a body", async () => {
    await using service = await openWith(
      { kind: "status", status: 429, retryAfter: 7, times: 1 },
      { kind: "status", status: 302, location: "http://127.0.0.1:1/", times: 1 },
      { kind: "status", status: 503, headers: { "x-a": "b" }, body: "down", times: 1 },
    );
    const limited = await service.call(LIST);
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "7"]);
    const redirected = await service.call(LIST);
    expect([redirected.status, redirected.headers.get("location")]).toEqual([302, "http://127.0.0.1:1/"]);
    const down = await service.call(LIST);
    expect([down.status, down.headers.get("x-a"), down.text]).toEqual([503, "b", "down"]);
  });

  it("leave a request without an answer", async () => {
    await using service = await openWith({ kind: "hang" });
    await expect(service.call(LIST, { signal: AbortSignal.timeout(300) })).rejects.toThrow(/timeout|abort/i);
  });

  it("break the connection", async () => {
    await using service = await openWith({ kind: "reset" });
    await expect(service.call(LIST)).rejects.toThrow();
    expect(service.sandbox.control.requests()).toMatchObject([{ path: LIST, status: null }]);
  });

  it("cut the body off", async () => {
    await using service = await openWith({ kind: "truncate", times: 1 }, { kind: "truncate", bytes: 3, times: 1 });
    await expect(service.call(LIST)).rejects.toThrow();
    await expect(service.call(LIST)).rejects.toThrow();
    expect((await service.call(LIST)).status).toBe(200);
  });

  it.each([
    ["notJson", "application/json", /^\{"items": \[oops$/],
    ["html", "text/html", /<html>/],
    ["null", "application/json; charset=utf-8", /^null$/],
    ["envelope", "application/json; charset=utf-8", /^\{"code":10001,"msg":"system busy"\}$/],
    ["contentType", "text/plain", /"total":0/],
  ] as const)("by 200 with %s", async (as, contentType, text) => {
    await using service = await openWith({ kind: "malformed", as });
    const reply = await service.call(LIST);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, contentType]);
    expect(reply.text).toMatch(text);
  });

  it("replace text and headers", async () => {
    const headers = { "content-type": "application/json", "x-cache": "HIT" };
    await using service = await openWith({ kind: "replace", headers, body: '{"items":"none"}' });
    const reply = await service.call(LIST);
    expect([reply.status, reply.text, reply.headers.get("x-cache")]).toEqual([200, '{"items":"none"}', "HIT"]);
  });

  it("apply to recordings", async () => {
    await using receiver = await openReceiver();
    await using service = await openWith({ kind: "status", status: 500, match: { path: "/recordings" }, times: 1 });
    service.sandbox.setWebhook({ url: receiver.url, authorization: "x" });
    service.sandbox.control.endCall();
    const url = String((await until(() => receiver.received[0])).data.record_url);
    expect((await fetch(url)).status).toBe(500);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe("a created task whose answer is lost", () => {
  const create = { method: "POST", path: "/openapi/tasks" };
  it.each([
    ["accepted, then reset", { kind: "reset", processed: true }, 1],
    ["reset before", { kind: "reset" }, 0],
    ["accepted, then hanging", { kind: "hang", processed: true }, 1],
    ["hanging before", { kind: "hang" }, 0],
    ["accepted, then 500", { kind: "status", status: 500, processed: true }, 1],
    ["500 before", { kind: "status", status: 500 }, 0],
    ["accepted, then broken off", { kind: "truncate" }, 1],
    ["accepted, then an envelope", { kind: "malformed", as: "envelope" }, 1],
  ] as const)("%s", async (_name, fault, made) => {
    await using service = await openWith({ ...fault, match: create });
    const caller = new AbortController();
    const asking = service.call("/openapi/tasks", {
      method: "POST",
      body: JSON.stringify(taskBody()),
      headers: { authorization: "Bearer test-token", "content-type": "application/json" },
      signal: caller.signal,
    });
    const settled = asking.catch(() => undefined);
    await until(() => service.sandbox.control.requests().length === 1);
    caller.abort();
    await settled;
    expect(service.sandbox.control.state().tasks).toBe(made);
    expect(service.sandbox.control.requests()).toHaveLength(1);
  });
});
