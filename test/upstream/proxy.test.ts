import { writeFileSync } from "node:fs";
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { fixedProxy } from "../../src/upstream/proxyAgent.ts";
import { startFakeService, type FakeService } from "../support/fakeService.ts";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { submit, taskInputFor } from "../e2e/submitting.ts";
import { cert, key } from "./localhostCertificate.ts";
import { callLogQuery, emptyPage, createTask, upstreamAt } from "./service.ts";

/** What reached the proxy: the first line of each request, and its credentials. */
let reached: [line: string, credentials: string | undefined][] = [];
let service: FakeService;
let secureService: FakeService;
let proxy: FakeService;
let received: string[] = [];
const trusted = getCACertificates("default");
const credentialsOf = (password: string) => `Basic ${Buffer.from(`user:${password}`).toString("base64")}`;
/** What the proxy asks for. */
let known = credentialsOf("canary word");

function answer(request: IncomingMessage, response: ServerResponse): void {
  received.push(`${request.method} ${request.headers["proxy-authorization"] ?? ""}${request.url}`);
  request.resume();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(emptyPage));
}

/** Forwards http, tunnels everything else, and refuses whoever has no credentials. */
async function startProxy(): Promise<FakeService> {
  const isKnown = ({ headers }: IncomingMessage) => headers["proxy-authorization"] === known;
  const note = (request: IncomingMessage) =>
    reached.push([`${request.method} ${request.url}`, request.headers["proxy-authorization"]]);
  const server = createServer((incoming, response) => {
    note(incoming);
    if (!isKnown(incoming)) {
      response.writeHead(407).end();
      return;
    }
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const outgoing = forward(incoming.url ?? "", { method: incoming.method, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
    });
    incoming.pipe(outgoing);
  });
  server.on("connect", (incoming: IncomingMessage, client: Socket) => {
    note(incoming);
    client.on("error", () => undefined);
    if (!isKnown(incoming)) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const target = connect(Number(port), hostname, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy());
  });
  return startFakeService(server);
}

beforeAll(async () => {
  service = await startFakeService(createServer(answer));
  secureService = await startFakeService(createSecureServer({ cert, key }, answer));
  proxy = await startProxy();
  setDefaultCACertificates([...trusted, cert]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  for (const each of [service, secureService, proxy]) await each[Symbol.asyncDispose]();
});

function proxyOf(env: Record<string, string>) {
  const required = { UPSTREAM_TOKEN: "t", UPSTREAM_TIME_ZONE: "UTC", WEBHOOK_AUTHORIZATION: "w", AUTH: "none" };
  return readConfig({ UPSTREAM_URL: "https://calls.example", ...required, ...env }).proxy;
}
const address = () => `127.0.0.1:${proxy.port}`;
const withUser = () => `http://user:canary%20word@${address()}`;

/** Asks for a page of calls and creates a task: what became of both, and what reached the proxy and the service. */
async function useService(url: string, env: Record<string, string>) {
  [reached, received] = [[], []];
  await using upstream = upstreamAt(url, { proxy: fixedProxy(proxyOf(env)) });
  const page = await upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
  const task = await createTask(upstream);
  return { page, task: task.kind, lines: reached.map(([line]) => line.split("?")[0]), methods: received };
}

describe("A service behind a proxy", () => {
  it("with https is reached by a tunnel, for reads and for each task once, and never sees the proxy's credentials", async () => {
    const url = `https://localhost:${secureService.port}`;
    const { page, task, lines, methods } = await useService(url, { https_proxy: `${withUser()}\n` });
    expect([page, task]).toMatchObject([{ total: 0 }, "accepted"]);
    expect(new Set(lines)).toEqual(new Set([`CONNECT localhost:${secureService.port}`]));
    expect(methods.map((line) => line.split("?")[0])).toEqual(["GET /openapi/calllog", "POST /openapi/tasks"]);
  });

  it("with http is asked through the proxy by whole addresses", async () => {
    const { page, task, lines, methods } = await useService(service.url, { HTTP_PROXY: withUser() });
    expect([page, task]).toMatchObject([{ total: 0 }, "accepted"]);
    expect(lines).toEqual([`GET ${service.url}/openapi/calllog`, `POST ${service.url}/openapi/tasks`]);
    expect(methods.map((line) => line.split(" ")[0])).toEqual(["GET", "POST"]);
  });

  it.each(["127.0.0.1", "*", "other.example, 127.0.0.1"])("is reached directly with NO_PROXY=%s", async (NO_PROXY) => {
    const { page, task, lines } = await useService(service.url, { HTTP_PROXY: withUser(), NO_PROXY });
    expect([page, task, lines]).toMatchObject([{ total: 0 }, "accepted", []]);
  });

  it("is unavailable where the proxy refuses or is away, and a task that was not sent stays unsent", async () => {
    const refusing = { HTTPS_PROXY: address(), HTTP_PROXY: address() };
    const away = { HTTPS_PROXY: "http://user:canary@127.0.0.1:9", HTTP_PROXY: "http://user:canary@127.0.0.1:9" };
    for (const env of [refusing, away]) {
      const { page, task, methods } = await useService(`https://localhost:${secureService.port}`, env);
      expect([page, task, methods]).toMatchObject([{ code: "UPSTREAM_UNAVAILABLE" }, "unavailable", []]);
      expect(String((page as Error).stack) + String((page as Error).cause)).not.toContain("canary");
    }
    expect((await useService(service.url, away)).task).toBe("unavailable");
  });
});

describe("The password of a proxy in a file", () => {
  it.each([
    ["HTTP_PROXY_FILE", () => service.url],
    ["HTTPS_PROXY_FILE", () => `https://localhost:${secureService.port}`],
  ])("%s: applies to reads and tasks, changes without a restart, and never stands in the log", async (name, urlOf) => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "proxy");
    const write = (password: string) => {
      known = credentialsOf(password);
      writeFileSync(file, `http://user:${password}@${address()}\n`);
    };
    onTestFinished(() => void (known = credentialsOf("canary word")));
    write("canary-one");
    [reached, received] = [[], []];
    await using gateway = await startGateway({ url: urlOf() }, { [name]: file });
    const list = async () => (await gateway.ask("{ callLogs(first: 1) { totalCount } }")).errors === undefined;
    const create = async () => (await submit(gateway, taskInputFor("11"))).submission?.status;
    expect([await list(), await create()]).toEqual([true, "ACCEPTED"]);
    write("canary-two");
    await until(() => gateway.output.some((line) => line.includes(`${name} was read again`)));
    expect([await list(), await create()]).toEqual([true, "ACCEPTED"]);
    const passwords = new Set(reached.map(([, credentials]) => credentials));
    expect(passwords).toContain(credentialsOf("canary-two"));
    expect(received.filter((line) => line.startsWith("POST"))).toHaveLength(2);
    expect(gateway.output.join("\n")).not.toContain("canary");
  });
});

describe("The variables of proxies", () => {
  it("are refused by name where the proxy speaks another protocol, without the value", () => {
    for (const value of [
      "socks5://canary.example:1080",
      "canary",
      "ftp://canary.example",
      "http://u:%zz@canary.example",
    ])
      expect(() => proxyOf({ HTTPS_PROXY: value })).toThrow(/^(?![^]*canary)[^]*HTTPS_PROXY must/);
  });

  it("are not read where the sandbox runs, which is on this machine", () => {
    expect(readConfig({ HTTP_PROXY_FILE: "/no/such/file" })).toMatchObject({ proxy: null, secretFiles: {} });
    expect(readConfig({ HTTPS_PROXY: "socks5://canary", HTTP_PROXY: "http://proxy.example" }).proxy).toBeNull();
    expect(proxyOf({})).toBeNull();
  });
});
