import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { allowEveryone } from "../../../src/auth/authenticate.ts";
import { createBodyBudget, type BodyBudget } from "../../../src/server/body/bodyBudget.ts";
import { SECURITY_HEADERS } from "../../../src/server/securityHeaders.ts";
import type { OperationPipeline } from "../../../src/graphql/operation.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { until } from "../../support/until.ts";
import { routeOf } from "../route.ts";
import { serve } from "../serve.ts";

const QUARTER_MIB = 256 * 1024;
const MIB = 4 * QUARTER_MIB;

/** Refuses every operation after its body was read. */
const pipeline: OperationPipeline = { prepare: () => ({ errors: [] }) };

/** /graphql behind a proxy: callers are identified by their addresses. */
async function open(most: number, mostOfCaller: number) {
  const budget = createBodyBudget({ total: most, ofCaller: mostOfCaller });
  /** Bytes that all requests have reserved so far. */
  const kept = { bytes: 0 };
  const bodies: BodyBudget = {
    open(caller, response) {
      const keep = budget.open(caller, response);
      return (bytes) => {
        const isKept = keep(bytes);
        if (isKept) kept.bytes += bytes;
        return isKept;
      };
    },
  };
  const own = {
    pipeline,
    fastPath: true,
    admit: allowEveryone(),
    connectionQuota: createConnectionQuota(),
    bodyBudget: bodies,
  };
  const route = routeOf({ ...own, knowsViewers: false, trustedProxies: 1 });
  const server = await serve((request, response) => {
    route(request, response, SECURITY_HEADERS).catch(() => response.destroy());
  });
  onTestFinished(() => server[Symbol.asyncDispose]());

  /** Sends part of a body of 1 MiB, and resolves with the response so far when the part was reserved or refused. */
  async function send(from: string, bytes: number) {
    const before = kept.bytes;
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    let text = "";
    socket.on("data", (data: Buffer) => (text += data.toString())).on("error", () => undefined);
    const type = "content-type: application/json";
    const lines = ["POST /graphql HTTP/1.1", "host: x", `x-forwarded-for: ${from}`, type, `content-length: ${MIB}`];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes, " "));
    await until(() => text.includes("\r\n\r\n{") || kept.bytes === before + bytes);
    return { socket, answer: text };
  }
  /** The status of the response to a small body. */
  const ask = async (from: string) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": from };
    return (await fetch(server.url, { method: "POST", headers, body: '{"query":"{ a }"}' })).status;
  };
  return { send, ask };
}

describe("unfinished bodies", () => {
  it("are refused over the budget of one caller, while other callers and small bodies are served", async () => {
    const { send, ask } = await open(MIB, 2 * QUARTER_MIB);
    for (let count = 0; count < 2; count += 1) expect((await send("10.0.0.1", QUARTER_MIB)).answer).toBe("");
    const { answer } = await send("10.0.0.1", QUARTER_MIB);
    expect(answer).toMatch(/^HTTP\/1\.1 429 [^]*"code":"RATE_LIMITED"[^]*"retryAfter":1/);
    expect((await send("10.0.0.2", QUARTER_MIB)).answer).toBe("");
    expect(await ask("10.0.0.1")).not.toBe(429);
  });

  it("are refused over the budget of all callers", async () => {
    const { send } = await open(MIB, MIB);
    for (const host of [1, 2, 3, 4]) expect((await send(`10.0.0.${host}`, QUARTER_MIB)).answer).toBe("");
    expect((await send("10.0.0.5", QUARTER_MIB)).answer).toMatch(/^HTTP\/1\.1 429 /);
  });

  it("do not count after their clients disconnected", async () => {
    const { send } = await open(MIB, MIB);
    const held = await send("10.0.0.1", MIB - 1);
    expect((await send("10.0.0.1", QUARTER_MIB)).answer).toMatch(/^HTTP\/1\.1 429 /);
    held.socket.destroy();
    await until(async () => (await send("10.0.0.1", MIB - 1)).answer === "");
  });
});
