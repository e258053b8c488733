import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { exchange } from "../server/serve.ts";

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { reader: ["calls:read"], caller: ["calls:read", "tasks:create"] });
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const MIB = 1024 * 1024;
const QUERY = '{"query":"{ serviceTimeZone }"}';
const port = () => Number(new URL(gateway.url).port);

function send(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, name = "reader") {
  const all = { "content-type": "application/json", authorization: bearer(name), ...headers };
  return fetch(`${gateway.url}/graphql`, { method: "POST", body, headers: all });
}
const codeOf = async (response: Response) =>
  ((await response.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;
/** Sends a raw request, and resolves with the response when the connection is closed. */
const raw = (head: string[], body = "") => exchange(port(), `${head.join("\r\n")}\r\nconnection: close\r\n\r\n${body}`);
const alive = async () => expect((await send(QUERY)).status).toBe(200);

describe("A7: a batch of operations", () => {
  it("is refused with ten, one or no operations", async () => {
    for (const count of [10, 1, 0]) expect((await send(`[${Array(count).fill(QUERY).join()}]`)).status).toBe(400);
  });
});

describe("A13: requests that another site could send without a preflight", () => {
  const get = (accept: string, headers = {}) =>
    fetch(`${gateway.url}/graphql?query=${encodeURIComponent("{ serviceTimeZone }")}`, {
      headers: { accept, ...headers },
    });

  it.each(["application/json", "text/event-stream", "*/*"])(
    "are refused as a GET that accepts %s without the preflight header",
    async (accept) => {
      expect((await get(accept)).status).toBe(401);
      await using open = await startGateway(NO_SERVICE);
      const address = `${open.url}/graphql?query=${encodeURIComponent("{ serviceTimeZone }")}`;
      expect((await fetch(address, { headers: { accept } })).status).toBe(403);
      expect((await fetch(address, { headers: { accept, "x-switchboard-preflight": "1" } })).status).toBe(200);
      expect((await fetch(address, { headers: { accept, authorization: "x" } })).status).toBe(200);
    },
  );

  it.each(["PUT", "DELETE", "PATCH", "HEAD"])("are refused by the method %s", async (method) => {
    const response = await fetch(`${gateway.url}/graphql`, { method, headers: { authorization: bearer("reader") } });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST");
  });
});

describe("A14, A15, A16: a body that is not plain JSON in UTF-8", () => {
  it.each([
    ["text/plain", {}],
    ["application/x-www-form-urlencoded", {}],
    ["multipart/form-data; boundary=x", {}],
    ["application/json;charset=utf-7", {}],
    ["application/json; charset=ucs-2", {}],
    ["application/json; charset=utf-16le", {}],
    ["application/json", { "content-encoding": "gzip" }],
    ["application/json", { "content-encoding": "br, gzip" }],
    ["application/json", { "content-encoding": "zstd" }],
  ])("is refused with 415 as %s with %j", async (type, headers) => {
    expect((await send(QUERY, { "content-type": type, ...headers })).status).toBe(415);
  });

  it("is refused with 415 without a content type, and so is a GET with another type", async () => {
    const length = `content-length: ${QUERY.length}`;
    const head = ["POST /graphql HTTP/1.1", "host: x", `authorization: ${bearer("reader")}`, length];
    expect(await raw(head, QUERY)).toMatch(/^HTTP\/1.1 415 /);
    const headers = { authorization: bearer("reader"), "content-type": "text/plain" };
    expect((await fetch(`${gateway.url}/graphql?query={__typename}`, { headers })).status).toBe(415);
  });

  it.each([
    ["a byte order mark", Buffer.from(`\ufeff${QUERY}`)],
    ["UTF-16", Buffer.from(QUERY, "utf16le")],
    ["an invalid byte", Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
    [
      "a surrogate in bytes",
      Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ["an unpaired surrogate as an escape", Buffer.from('{"query":"{ serviceTimeZone }","variables":{"a":"\\ud800"}}')],
    [
      "20,000 lists",
      Buffer.from(`{"query":"{ __typename }","variables":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`),
    ],
    ["an object with two queries, the second one a list", Buffer.from('{"query":"{ serviceTimeZone }","query":[]}')],
  ])("is refused with 400 if it is %s", async (name, body) => {
    const response = await send(new Uint8Array(body));
    expect(response.status, name).toBe(400);
    await alive();
  });
});

describe("A17: a body over its limit", () => {
  const padded = (length: number) => {
    const start = '{"query":"{ serviceTimeZone }","variables":{"x":"';
    return `${start}${"x".repeat(length - start.length - 3)}"}}`;
  };
  it("is refused over 1 MiB, and over 16 MiB with the scope tasks:create", async () => {
    expect((await send(padded(MIB))).status).toBe(200);
    const refused = await send(padded(MIB + 1));
    expect([refused.status, await codeOf(refused), refused.headers.get("connection")]).toEqual([
      413,
      "QUERY_TOO_COMPLEX",
      "close",
    ]);
    expect((await send(padded(16 * MIB), {}, "caller")).status).toBe(200);
    expect((await send(padded(16 * MIB + 1), {}, "caller")).status).toBe(413);
  });

  it("is refused while it is still being sent, with any content-length", async () => {
    const head = [
      "POST /graphql HTTP/1.1",
      "host: x",
      "content-type: application/json",
      `authorization: ${bearer("reader")}`,
    ];
    expect(await raw([...head, `content-length: ${MIB + 1}`])).toMatch(/^HTTP\/1.1 413 /);
    const endless = `${(2 * MIB).toString(16)}\r\n${"x".repeat(2 * MIB)}\r\n`;
    expect(await raw([...head, "transfer-encoding: chunked"], endless)).toMatch(/^HTTP\/1.1 413 /);
  });

  it("is not read at all without valid credentials", async () => {
    const response = await send(padded(MIB), { authorization: "Bearer wrong" });
    expect([response.status, await codeOf(response)]).toEqual([401, "UNAUTHENTICATED"]);
  });
});

describe("A18: a malformed request head", () => {
  const get = (...headers: string[]) => raw(["GET /livez HTTP/1.1", ...headers]);
  const many = (count: number, text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at));

  it.each<[string, string[], number]>([
    ["a head of more than 16 KiB", ["host: x", `a: ${"x".repeat(17_000)}`], 431],
    ["2,000 headers", ["host: x", ...many(2000, () => "a:b")], 431],
    ["101 headers", ["host: x", ...many(99, (at) => `a${at}: b`)], 431],
    ["two hosts", ["host: x", "host: y"], 400],
    ["a length and chunks", ["host: x", "content-length: 3", "transfer-encoding: chunked"], 400],
    ["two lengths", ["host: x", "content-length: 3", "content-length: 4"], 400],
    ["an invalid header", ["host: x", "a b: c"], 400],
    ["no host", [], 400],
    ["the maximum number of headers", ["host: x", ...many(98, (at) => `a${at}: b`)], 200],
  ])("with %s is answered before any route (%#)", async (_, headers, status) => {
    expect(await get(...headers)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it("of bytes that are not HTTP is answered with 400", async () => {
    expect(await exchange(port(), "\u0016\u0003\u0001 hello\r\n\r\n")).toMatch(/^HTTP\/1.1 400 /);
    await alive();
  });
});

describe("A35: a client that disconnects within a request", () => {
  it("does not affect the next request", async () => {
    const socket = connect(port(), "127.0.0.1");
    socket.write(
      `POST /graphql HTTP/1.1\r\nhost: x\r\nauthorization: ${bearer("reader")}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    socket.once("connect", () => socket.resetAndDestroy());
    await new Promise((resolve) => socket.once("close", resolve));
    await alive();
    expect(gateway.output.join()).not.toContain('"level":"error"');
  });
});
