import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { WebSocket } from "ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Directory,
  type GatewayProgram,
  NO_SERVICE,
  spawnGateway,
  temporaryDirectory,
} from "../support/gateway.ts";
import { createTaskInput } from "../tasks/input.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { rise } from "../support/measuring/memory.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

let directory: Directory;
let gateway: GatewayProgram;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const scopes = { web: ["calls:read"], caller: ["calls:read", "tasks:create"], admin: ["admin"] };
  const keys = await writeKeys(directory.path, scopes);
  gateway = await spawnGateway(NO_SERVICE, { API_KEYS_FILE: keys });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const MIB = 1024 * 1024;
const port = () => Number(new URL(gateway.url).port);
const ask = (query: string, name = "web") => gateway.ask(query, {}, { authorization: bearer(name) });

describe("A4: a document over a limit", () => {
  it("is read only up to the first token over the limit", async () => {
    const broken = "\u0007";
    const { errors } = await ask(`{ ${"hello ".repeat(998)}${broken}`);
    expect(errors?.[0]?.message).toMatch(/^Syntax Error: (Invalid|Unexpected) character/);
    const longer = await ask(`{ ${"hello ".repeat(1000)}${broken}`);
    expect(longer.errors?.[0]?.message).toContain("contains more than 1000 tokens");
  });

  it("is not validated against the graph", async () => {
    const { errors } = await ask(`{ ${"nothing ".repeat(1000)} }`);
    expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["GRAPHQL_PARSE_FAILED"]);
  });

  it.each([
    ["comments", (size: number) => `{ __typename ${"#\n".repeat(size / 2)} }`],
    ["empty lines", (size: number) => `{ __typename ${"\n".repeat(size)} }`],
    ["lines of a text", (size: number) => `{ callEnded(sessionId: """${"\n".repeat(size)}""") { id } }`],
    ["escapes", (size: number) => `{ callEnded(sessionId: "${"\\n".repeat(size / 2)}") { id } }`],
    ["escapes by number", (size: number) => `{ callEnded(sessionId: "${"\\u0041".repeat(size / 6)}") { id } }`],
  ])("of few tokens that are slow to read: ten thousand %s pass, a megabyte does not", async (_, text) => {
    const few = await ask(text(9000));
    expect(few.errors?.map(({ extensions }) => extensions["code"]) ?? []).not.toContain("GRAPHQL_PARSE_FAILED");
    for (const size of [MIB / 2, 7 * MIB]) {
      const { errors } = await ask(text(size), "caller");
      expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["GRAPHQL_PARSE_FAILED"]);
    }
  });
});

describe("a phone number that is far too long", () => {
  const asked = (query: string, variables: object, name: string) =>
    gateway.ask<{ createTask: { errors: { message: string }[] } }>(query, variables, { authorization: bearer(name) });

  it.each([
    ["marks, which to compose is quadratic", `1${"\u0301\u0323".repeat(300_000)}`],
    ["characters that each become eighteen", "\ufdfa".repeat(1_000_000)],
  ])("is refused by its length in a new task: %s", async (_, number) => {
    const query = "mutation($input: CreateTaskInput!) { createTask(input: $input) { errors { message } } }";
    const input = createTaskInput({ idempotencyKey: "", assistantOverride: null, numbers: [{ number }] });
    const { data } = await asked(query, { input }, "caller");
    expect(data?.createTask.errors.map(({ message }) => message)).toEqual([
      "must not be empty",
      "must have at most 64 characters",
    ]);
  });

  it.each(["(".repeat(500_000) + "x", " ".repeat(500_000) + "x", `138${"-".repeat(500_000)}00010001`])(
    "of a person to forget",
    async (number) => {
      const { errors } = await asked(
        "mutation($n: String!) { forgetPhone(number: $n) { events } }",
        { n: number },
        "admin",
      );
      expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["BAD_USER_INPUT"]);
    },
  );
});

describe("A30: a WebSocket message of 90 MB", () => {
  it("closes the socket with 1009 by its frame header, before its bytes arrive", async () => {
    const socket = connect(port(), "127.0.0.1");
    const key = randomBytes(16).toString("base64");
    socket.write(
      "GET /graphql HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n" +
        `sec-websocket-protocol: graphql-transport-ws\r\nsec-websocket-key: ${key}\r\n\r\n`,
    );
    await once(socket, "data");
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    head.writeUInt32BE(90_000_000, 6);
    socket.write(head);
    const [frame] = (await once(socket, "data")) as [Buffer];
    expect([frame[0], frame.readUInt16BE(2)]).toEqual([0x88, 1009]);
    socket.destroy();
  });
});

describe.runIf(process.platform === "linux")("A17, A31: the memory of the gateway", () => {
  const grown = (work: () => Promise<unknown>) => rise(gateway.process.pid as number, work);
  const chunk = Buffer.alloc(MIB, "x");
  /** Sends a body of `count` MiB, or until the gateway stops reading. */
  async function pour(head: string[], count: number): Promise<void> {
    const socket = connect(port(), "127.0.0.1").resume();
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.write(`${head.join("\r\n")}\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`);
    const part = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
    for (let at = 0; at < count && !socket.destroyed; at += 1) {
      await Promise.race([closed, new Promise((resolve) => socket.write(part, resolve))]);
    }
    socket.destroy();
  }

  it.each([
    ["who is not known", ["POST /graphql HTTP/1.1"]],
    ["a viewer", ["POST /graphql HTTP/1.1", `authorization: ${bearer("web")}`, "content-type: application/json"]],
    ["a webhook without credentials", ["POST /calllog HTTP/1.1"]],
    ["the service", ["POST /calllog HTTP/1.1", `authorization: ${WEBHOOK_AUTHORIZATION}`]],
  ])("grows by less than 200 MB for ten bodies of 90 MB at once, of %s", async (_, head) => {
    await pour(head, 90);
    const taken = await grown(() => Promise.all(Array.from({ length: 10 }, () => pour(head, 90))));
    expect(taken).toBeLessThan(200);
  });

  it("does not grow with two hundred sockets that flood and are closed", async () => {
    const init = JSON.stringify({ type: "connection_init", payload: { authorization: bearer("web") } });
    const query = "subscription { callEnded { sessionId } }";
    async function flood() {
      const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
      socket.on("error", () => undefined);
      await once(socket, "open");
      socket.send(init);
      await once(socket, "message");
      for (let at = 0; at < 500; at += 1) {
        socket.send(JSON.stringify({ type: "subscribe", id: String(at), payload: { query } }));
        socket.send(JSON.stringify({ type: "complete", id: String(at) }));
        socket.send("x".repeat(1000));
      }
      return (await once(socket, "close"))[0] as number;
    }
    const codes = new Set<number>();
    const floods = async (count: number) => {
      for (let time = 0; time < count; time += 1)
        for (const code of await Promise.all(Array.from({ length: 20 }, flood))) codes.add(code);
    };
    // The first flood has grown the memory. A leak would grow it again with each further one.
    await floods(6);
    const taken = await grown(() => floods(10));
    expect([...codes].every((code) => code === 1008 || code === 4400)).toBe(true);
    expect(taken).toBeLessThan(100);
  });
});
