import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox, taskBody, ZONE } from "./support.ts";

describe("a new sandbox", () => {
  it("sends an event soon after the start, at speed 1", async () => {
    await using receiver = await openReceiver();
    const webhook = { url: receiver.url, authorization: "x" };
    await using service = await openSandbox({ traffic: true, webhook });
    await until(() => receiver.received.length >= 1);
    expect(receiver.received[0]?.data).toMatchObject({ direction: "inbound", task_id: 0 });
    expect((await service.list()).total).toBeGreaterThanOrEqual(1);
  });

  it("keeps sending events of inbound calls and of running tasks", async () => {
    await using receiver = await openReceiver();
    const webhook = { url: receiver.url, authorization: "x" };
    const history = { tasks: 10, calls: 200, days: 2 };
    await using _service = await openSandbox({ traffic: true, webhook, history, speed: 100 });
    const directions = await until(() => {
      const all = receiver.received.map(({ data }) => data.direction);
      return all.filter((each) => each === "inbound").length > 3 && all.includes("outbound") && all;
    });
    expect(new Set(directions)).toEqual(new Set(["inbound", "outbound"]));
  });

  it("sends only events of requested calls if traffic is off", async () => {
    await using receiver = await openReceiver();
    const webhook = { url: receiver.url, authorization: "x" };
    const history = { tasks: 10, calls: 100, days: 2 };
    const noon = at("2026-11-20 12:00:00") - performance.now();
    await using service = await openSandbox({ history, webhook, speed: 1000, now: () => noon + performance.now() });
    const before = service.sandbox.control.state().calls;
    await service.post("/openapi/tasks", taskBody());
    // Minutes of the service's time go by until the task is through: enough for anything else to show itself.
    const { task_id } = (await until(() => receiver.received[0])).data;
    await until(async () => (await service.task(String(task_id))).status === "done");
    const { total } = await service.list(`taskId=${String(task_id)}`);
    expect(service.sandbox.control.state().calls).toBe(before + total);
  });
});

describe("the sandbox's clock", () => {
  it("runs ahead of the real clock at a speed above 1", async () => {
    let real = Date.UTC(2026, 10, 20);
    await using service = await openSandbox({ now: () => real, speed: 10 });
    const start = service.sandbox.now();
    real += 1000;
    expect(service.sandbox.now() - start).toBe(10_000);
  });
});

describe("stopping a sandbox", () => {
  it("refuses connections afterwards, even if requests are hanging", async () => {
    const service = await openSandbox();
    service.sandbox.control.addFault({ kind: "hang" });
    const hanging = service.call("/openapi/calllog").catch((error: unknown) => error);
    await until(() => service.sandbox.control.requests().length === 1);
    await service[Symbol.asyncDispose]();
    expect(await hanging).toBeInstanceOf(Error);
    await expect(fetch(service.sandbox.url)).rejects.toThrow();
  });

  it("can be done twice", async () => {
    const service = await openSandbox();
    await service[Symbol.asyncDispose]();
    await expect(service[Symbol.asyncDispose]()).resolves.toBeUndefined();
  });

  it("leaves no handles, so the process ends by itself", async () => {
    const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
    const script = `
      const { createSandbox } = await import(${JSON.stringify(path("sandbox/src/sandbox.ts"))});
      const { createLogger } = await import(${JSON.stringify(path("src/logger.ts"))});
      const webhook = { url: "http://127.0.0.1:1/calllog", authorization: "x" };
      const sandbox = await createSandbox({ token: "t", timeZone: "${ZONE}", webhook, speed: 50, log: createLogger({ level: "silent", secrets: [] }) });
      sandbox.control.addFault({ kind: "latency", ms: 600000 });
      fetch(sandbox.url + "/openapi/calllog").catch(() => {});
      while (sandbox.control.webhooks().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await sandbox[Symbol.asyncDispose]();
      process.stdout.write("disposed");
    `;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (part: Buffer) => (output += part.toString()));
    const code = await new Promise((resolve) => void child.once("close", resolve));
    expect([code, output]).toEqual([0, "disposed"]);
  });

  it("createSandbox rejects an unknown zone and a port that is taken", async () => {
    await expect(openSandbox({ timeZone: "Mars/Olympus" })).rejects.toThrow(/Mars/);
    await using service = await openSandbox();
    const port = Number(new URL(service.sandbox.url).port);
    await expect(openSandbox({ port })).rejects.toThrow(/EADDRINUSE/);
  });
});
