import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Opened } from "./support.ts";
import { openSandbox, taskBody, TOKEN } from "./support.ts";

let service: Opened;
beforeAll(async () => void (service = await openSandbox()));
afterAll(() => service[Symbol.asyncDispose]());

const authorized = { authorization: `Bearer ${TOKEN}` };

describe("the token", () => {
  it.each([
    ["none", {}],
    ["a wrong one", { authorization: "Bearer other" }],
    ["the token without Bearer", { authorization: TOKEN }],
    ["an empty one", { authorization: "Bearer " }],
  ])("is required on every path: 401 for %s", async (_name, headers) => {
    for (const path of ["/openapi/calllog", "/openapi/tasks/1", "/openapi/nothing", "/sandbox/requests"]) {
      expect((await service.call(path, { headers: headers as Record<string, string> })).status).toBe(401);
    }
  });
});

describe("unknown paths and methods", () => {
  it.each([
    "/openapi",
    "/openapi/calllog/",
    "/openapi/calllog/1",
    "/openapi/tasks/",
    "/openapi/tasks/abc",
    "/openapi/tasks/1/items",
  ])("answers 404 to %s", async (path) => expect((await service.call(path)).status).toBe(404));

  it("answers 404 to an unknown task, with an error body", async () => {
    const reply = await service.call("/openapi/tasks/999");
    expect(reply).toMatchObject({ status: 404, body: { code: 40400, msg: "unknown task" } });
  });

  it.each([
    ["POST", "/openapi/calllog", "GET"],
    ["DELETE", "/openapi/tasks/1", "GET"],
    ["GET", "/openapi/tasks", "POST"],
  ])("answers 405 to %s %s", async (method, path, allow) => {
    const reply = await service.call(path, { method, headers: authorized });
    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe(allow);
  });
});

describe("a list query", () => {
  it.each([
    "limit=10",
    "taskid=1",
    "taskId=1&taskId=2",
    "pageIndex=1&pageIndex=2",
    "taskId=",
    "taskId=1,,2",
    "taskId=a",
    "taskId=-1",
    "taskId=1,2,3,4,5,6,7,8,9,10,11",
    "pageSize=101",
    "pageSize=0",
    "pageSize=ten",
    "pageSize=1.5",
    "pageIndex=0",
    "pageIndex=-1",
    "startTime=2026-11-20",
    "startTime=2026-11-20T00:00:00",
    "startTime=2026-11-20T00:00:00Z",
    "startTime=2026-13-01%2000:00:00",
    "startTime=2026-02-30%2000:00:00",
    "startTime=2026-11-20%2024:00:00",
    "endTime=1795000000",
    "direction=incoming",
    "description=debug",
    "phone=",
    "assistantIds=",
    "assistantIds=x",
    "phone=%zz",
  ])("answers 400 to %s", async (query) => {
    const reply = await service.call(`/openapi/calllog?${query}`);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ code: 40000, msg: expect.any(String) as unknown });
  });

  it("accepts ten task ids, encoded or not", async () => {
    expect((await service.call("/openapi/calllog?taskId=1,2,3,4,5,6,7,8,9,10")).status).toBe(200);
    expect((await service.call("/openapi/calllog?taskId=1%2C2")).status).toBe(200);
  });

  it("refuses a query for a task, and a body of a GET", async () => {
    const { taskIds } = service.sandbox.control.seed({ tasks: [{}] });
    expect((await service.call(`/openapi/tasks/${taskIds[0]}?full=1`)).status).toBe(400);
    expect((await service.call(`/openapi/tasks/${taskIds[0]}`)).status).toBe(200);
    // fetch would not send such a request at all.
    const url = `${service.sandbox.url}/openapi/tasks/${taskIds[0]}`;
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const asking = request(url, { headers: { ...authorized, "content-length": 2 } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.on("error", reject).end("{}");
    });
    expect(status).toBe(400);
  });
});

describe("the body of a new task", () => {
  const meta = { 号码: 0, 姓名: 1, 性别: 2, 销售姓名: 3 };
  const { 性别: _gender, ...lacking } = meta;
  it.each([
    ["no name", taskBody({ name: undefined })],
    ["an empty name", taskBody({ name: "" })],
    ["a field too many", taskBody({ priority: 1 })],
    ["the version for the assistant", taskBody({ assistantVid: 301 })],
    ["an assistant id that is a text", taskBody({ assistantId: "11" })],
    ["an unknown assistant", taskBody({ assistantId: 999 })],
    ["no numbers", taskBody({ numbers: [] })],
    ["people as plain texts", taskBody({ numbers: ["10000000001"] })],
    ["a number that is a number", taskBody({ numbers: [{ number: 10000000001 }] })],
    ["a list as extra", taskBody({ numbers: [{ number: "1", extra: [] }] })],
    ["an unknown language", taskBody({ assistantOverride: { globalConfig: { language: "ja" } } })],
    ["an unknown override", taskBody({ assistantOverride: { voice: 1 } })],
    ["no file meta", taskBody({}, { numberFileMeta: undefined })],
    ["the file meta of the read shape", taskBody({}, { numberFileMeta: { 号码: 0, 备注: 1, 姓名: 2 } })],
    ["a file meta that lacks a column", taskBody({}, { numberFileMeta: lacking })],
    ["a file meta of texts", taskBody({}, { numberFileMeta: { ...meta, 号码: "0" } })],
    ["no lines", taskBody({}, { numbers: [] })],
    ["lines that are people", taskBody({}, { numbers: [{ number: "1" }] })],
    ["a date with a time", taskBody({}, { startDate: "2026-11-20 09:00:00" })],
    ["a date there is none of", taskBody({}, { startDate: "2026-02-30" })],
    ["a period that ends before it starts", taskBody({}, { startTime: [["18:00", "09:00"]] })],
    ["half a period", taskBody({}, { startTime: [["09:00"]] })],
    ["hours there are none of", taskBody({}, { startTime: [["09:00", "25:00"]] })],
    ["a negative retry count", taskBody({}, { retryCount: -1 })],
    ["a fraction of seconds", taskBody({}, { retryInterval: 1.5 })],
    ["a list", []],
    ["null", null],
  ])("answers 400 to %s", async (_name, body) => {
    expect((await service.post("/openapi/tasks", body)).status).toBe(400);
  });

  it("is refused with 400 for another content type, no JSON or a query", async () => {
    const send = (contentType: string, body: string, query = "") =>
      service.call(`/openapi/tasks${query}`, {
        method: "POST",
        body,
        headers: { ...authorized, "content-type": contentType },
      });
    const body = JSON.stringify(taskBody());
    expect((await send("text/plain", body)).status).toBe(400);
    expect((await send("application/x-www-form-urlencoded", body)).status).toBe(400);
    expect((await send("application/json", `${body}}`)).status).toBe(400);
    expect((await send("application/json", "")).status).toBe(400);
    expect((await send("application/json", body, "?dryRun=1")).status).toBe(400);
    expect((await send("application/json; charset=utf-8", body)).status).toBe(200);
  });

  it("is refused with 413 above 32 MiB", async () => {
    const body = JSON.stringify(taskBody({ name: "x".repeat(32 * 1024 * 1024) }));
    const headers = { ...authorized, "content-type": "application/json" };
    expect((await service.call("/openapi/tasks", { method: "POST", body, headers })).status).toBe(413);
  });

  it("leaves no task if it is refused", async () => {
    const before = service.sandbox.control.state();
    await service.post("/openapi/tasks", taskBody({ assistantOverride: { speakerId: 3 }, priority: 1 }));
    expect(service.sandbox.control.state()).toEqual({ ...before, now: expect.any(String) as unknown });
  });
});
