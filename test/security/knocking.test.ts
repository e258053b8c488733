import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MAX_REJECTED_PER_MINUTE } from "../../src/server/connections/connectionGuard.ts";
import { callEndedEvent } from "../support/events.ts";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

/** Linux answers on all addresses of 127.0.0.0/8. */
const ATTACKER = "127.0.0.2";
const OTHER = "127.0.0.1";

let directory: Directory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

const start = async (env: Record<string, string> = {}) =>
  startGateway(NO_SERVICE, { API_KEYS_FILE: await writeKeys(directory.path, { web: ["calls:read"] }), ...env });

/** The status of a webhook from this address on its own connection; null if the connection is cut. */
async function deliverFrom({ url }: TestGateway, from: string, authorization: string): Promise<number | null> {
  const socket = connect({ port: Number(new URL(url).port), host: OTHER, localAddress: from });
  const body = JSON.stringify(callEndedEvent({ task_id: 45 }));
  let answer = "";
  socket.on("data", (chunk) => (answer += String(chunk))).on("error", () => undefined);
  const head = ["POST /calllog HTTP/1.1", "host: x", `authorization: ${authorization}`, "connection: close"];
  socket.write(`${head.join("\r\n")}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  await new Promise((resolve) => socket.once("close", resolve));
  return answer === "" ? null : Number(answer.slice(9, 12));
}

async function deliverMany(gateway: TestGateway, count: number, from: string, authorization = "wrong") {
  const answers: (number | null)[] = [];
  while (answers.length < count) {
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => deliverFrom(gateway, from, authorization)))));
  }
  return answers;
}

describe.runIf(process.platform === "linux")("A45: a flood from one address without credentials", () => {
  it("is cut before it is read, while other addresses and valid credentials are served", async () => {
    await using gateway = await start();
    expect(new Set(await deliverMany(gateway, MAX_REJECTED_PER_MINUTE, ATTACKER))).toEqual(new Set([401]));
    const cut = (await deliverMany(gateway, 200, ATTACKER)).filter((answer) => answer === null).length;
    expect(cut).toBeGreaterThan(150);
    expect(cut).toBeLessThan(200);

    expect(await deliverFrom(gateway, OTHER, WEBHOOK_AUTHORIZATION)).toBe(200);
    const { status } = await gateway.ask("{ viewer { name } }", {}, { authorization: bearer("web") });
    expect(status).toBe(200);

    const attempts: (number | null)[] = [];
    while (!attempts.includes(200)) attempts.push(await deliverFrom(gateway, ATTACKER, WEBHOOK_AUTHORIZATION));
    expect(attempts.length).toBeLessThanOrEqual(8);
    expect(new Set(await deliverMany(gateway, 200, ATTACKER, WEBHOOK_AUTHORIZATION))).toEqual(new Set([200]));
  });

  it("is cut if it only opens and leaves WebSockets", async () => {
    await using gateway = await start();
    const isOpened = async (localAddress: string) => {
      const url = gateway.url.replace("http", "ws");
      const socket = new WebSocket(`${url}/graphql`, "graphql-transport-ws", { localAddress });
      socket.on("error", () => undefined);
      const opened = await once(socket, "open").then(
        () => true,
        () => false,
      );
      socket.terminate();
      return opened;
    };
    const openedOf = async (count: number, from: string) => {
      let opened = 0;
      for (let at = 0; at < count; at += 50)
        for (const isOne of await Promise.all(Array.from({ length: 50 }, () => isOpened(from))))
          opened += Number(isOne);
      return opened;
    };
    expect(await openedOf(MAX_REJECTED_PER_MINUTE, ATTACKER)).toBe(MAX_REJECTED_PER_MINUTE);
    expect(await openedOf(200, ATTACKER)).toBeLessThan(50);
    expect(await openedOf(50, OTHER)).toBe(50);
  });

  it("is not cut if the address was accepted before, so that neighbours are not locked out", async () => {
    await using gateway = await start();
    expect(await deliverFrom(gateway, ATTACKER, WEBHOOK_AUTHORIZATION)).toBe(200);
    expect(new Set(await deliverMany(gateway, MAX_REJECTED_PER_MINUTE + 200, ATTACKER))).toEqual(new Set([401]));
    expect(await deliverFrom(gateway, ATTACKER, WEBHOOK_AUTHORIZATION)).toBe(200);
  });

  it("is not cut behind a proxy, where all clients have one address", async () => {
    await using gateway = await start({ TRUST_PROXY: "1" });
    expect(new Set(await deliverMany(gateway, MAX_REJECTED_PER_MINUTE + 200, ATTACKER))).toEqual(new Set([401]));
  });
});
