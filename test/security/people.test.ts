import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readConfig, variables } from "../../src/config/config.ts";
import { createLogger } from "../../src/logger.ts";
import { callEndedEvent } from "../support/events.ts";
import { MAIN, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startProgram } from "../support/program.ts";

const NUMBER = "13955667788";
const CANARY = `canary-value ${NUMBER}`;

describe("A61: a number in a message of the service", () => {
  const event = { ...callEndedEvent({ session_id: "a61", hangup_reason: `moved to ${NUMBER}` }), event_name: NUMBER };
  const query = `{ callEnded(sessionId: "a61") { eventName hangupReason } callStats { byHangupReason { reason } } }`;

  it("is masked without people:read, and whole with it", async () => {
    await using directory = await temporaryDirectory();
    const keys = await writeKeys(directory.path, { some: ["calls:read"], all: ["calls:read", "people:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
    await gateway.deliver(event);
    const dataFor = async (name: string) =>
      JSON.stringify((await gateway.ask(query, {}, { authorization: bearer(name) })).data);
    expect((await dataFor("some")).match(/139\*{4}7788/g)).toHaveLength(3);
    expect(await dataFor("some")).not.toContain("55667788");
    expect((await dataFor("all")).match(new RegExp(NUMBER, "g"))).toHaveLength(3);
  });
});

describe("A61: an unreadable field", () => {
  const event = callEndedEvent({
    session_id: "unread",
    hangup_side: "139-5566-7788",
    start_at: "2026-13-20 10:00:00",
    answer_at: "2026-11-20 139 5566 7788",
    end_at: "1395-56-67-7889",
  });
  const query = `{ callEnded(sessionId: "unread") { unread { field text } } }`;

  it("has its numbers masked without people:read, but not its times", async () => {
    await using directory = await temporaryDirectory();
    const keys = await writeKeys(directory.path, { some: ["calls:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
    await gateway.deliver(event);
    const { data } = await gateway.ask(query, {}, { authorization: bearer("some") });
    const unread = [
      { field: "startAt", text: "2026-13-20 10:00:00" },
      { field: "answerAt", text: "2026-11-20 139****7788" },
      { field: "endAt", text: "1395****7889" },
      { field: "hangupSide", text: "139****7788" },
    ];
    expect(data).toEqual({ callEnded: { unread } });
  });
});

describe("A83: a number in a quarantined webhook, in each way to escape it,", () => {
  it("is masked without people:read, and whole with it", async () => {
    await using directory = await temporaryDirectory();
    const keys = await writeKeys(directory.path, { some: ["admin"], all: ["admin", "people:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
    const body = `[&#x31;\\x33\\u0039%35566 77&#56;&#x38;]`;
    await gateway.deliver(body);
    const query = "{ quarantinedDeliveries { nodes { reason body } } }";
    const dataFor = async (name: string) =>
      JSON.stringify((await gateway.ask(query, {}, { authorization: bearer(name) })).data);
    expect(await dataFor("some")).toContain('"body":"[139****7788]"');
    expect(await dataFor("all")).toContain(JSON.stringify(body));
  });
});

describe("A62: a number in a request to the service", () => {
  it("is not traced or logged: no tracer is installed, and no log line has URLs of requests", async () => {
    await using gateway = await startGateway(NO_SERVICE, { LOG_LEVEL: "debug" });
    await gateway.ask(`{ callLogs(filter: { phone: "13955667788" }) { totalCount } }`);
    expect(gateway.output.join("\n")).not.toMatch(/55667788|phone=|\/openapi/);
  });
});

describe("A65: the values of a wrong configuration", () => {
  it.each(Object.keys(variables))("are not in the error, which names the variable: %s", (name) => {
    let text = "";
    try {
      readConfig({ [name]: CANARY, UPSTREAM_URL: CANARY });
    } catch (error) {
      text = String(error) + JSON.stringify(error);
    }
    expect(text).not.toMatch(/canary|13955667788/);
  });

  it("are not on standard output or standard error at a start, nor in arguments of the process", async () => {
    await using program = startProgram([MAIN], {
      UPSTREAM_URL: CANARY,
      DATABASE_URL: "postgres://user:canary@127.0.0.1:9/x",
    });
    expect(await program.exited).toBe(78);
    expect(program.output.join("\n") + program.stderr()).not.toContain("canary");
    expect(program.process.spawnargs.join(" ")).not.toContain("canary");
  });

  it("are not in the error of a database that is not reachable", async () => {
    const env = {
      DATABASE_URL: "postgres://canary:canary@127.0.0.1:9/canary",
      AUTH: "none",
      PORT: "0",
      SANDBOX_PORT: "0",
    };
    await using program = startProgram([MAIN], env);
    const { reason } = await program.line(({ msg }) => msg === "the start waits, and tries again every second");
    program.process.kill("SIGTERM");
    await program.exited;
    expect(reason).toContain("127.0.0.1:9");
    expect(program.output.join("\n") + program.stderr()).not.toContain("canary");
  });
});

describe("A66: a text with markup or control characters", () => {
  it("is logged as JSON without control characters", () => {
    const lines: string[] = [];
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
    for (const text of ["\u001B[2J\u001B]0;x\u0007", "</script><script>", "=cmd|'/c'!A1", "\r\nfake"]) {
      log.info({ text }, text);
    }
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toMatch(/^[^\p{Cc}]*\n$/u);
  });

  it("is sent in an answer that no browser renders as a page", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    await gateway.deliver(callEndedEvent({ session_id: "x", hangup_reason: "<script>alert(1)</script>" }));
    const response = await fetch(`${gateway.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: `{ callEnded(sessionId: "x") { hangupReason } }` }),
    });
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("A70: the list of installed packages", () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  it("is made from the lock file, with digests and without network", () => {
    const text = execFileSync(process.execPath, ["scripts/sbom.ts"], { cwd: root, encoding: "utf8" });
    const bom = JSON.parse(text) as {
      bomFormat: string;
      components: { name: string; purl: string; hashes?: object[] }[];
    };
    expect(bom.bomFormat).toBe("CycloneDX");
    expect(bom.components.some(({ purl }) => purl.startsWith("pkg:npm/graphql@17."))).toBe(true);
    expect(bom.components.filter(({ hashes }) => !hashes).map(({ name }) => name)).toEqual([]);
  });
});
