// Marked secrets and numbers in every field that may hold one, and then a search for them through everything that leaves.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FaultInput } from "../../src/sandbox/control/faults.ts";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { allowing, mortalSandbox, settled } from "../recordings/world.ts";
import { createTaskInput } from "../tasks/input.ts";
import { connect } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";

/** Its middle is in no writing of it that is masked. */
const NUMBER = "13955667788";
const DIGITS = "95566778";
const EXTRA = "canary-of-extra";
const SERVICE_TEXT = "canary-of-the-service";
const PREVIOUS = "canary-previous-webhook-value";
const SECRETS = [TOKEN, WEBHOOK_AUTHORIZATION, PREVIOUS, "wst_secret_", ...["some", "all"].map(keyOf)];

let sandbox: Sandbox;
let directory: Directory;
let gateway: GatewayProgram;
let metricsUrl: string;
/** Whatever a viewer was answered, by name. */
const answers: Record<string, string[]> = { some: [], all: [] };

beforeAll(async () => {
  sandbox = await mortalSandbox();
  directory = await temporaryDirectory();
  const viewers = {
    some: ["calls:read", "tasks:create", "admin"],
    all: ["calls:read", "tasks:create", "people:read", "assistants:prompts", "recordings:read", "admin"],
  };
  gateway = await startGateway(sandbox, {
    ...allowing(sandbox),
    API_KEYS_FILE: await writeKeys(directory.path, viewers),
    DATABASE_URL: directory.database,
    RECORDINGS_DIR: join(directory.path, "recordings"),
    WEBHOOK_AUTHORIZATION_PREVIOUS: PREVIOUS,
    UPSTREAM_TIMEOUT_MS: "1000",
    UPSTREAM_CACHE_MS: "0",
    METRICS_PORT: "0",
    LOG_LEVEL: "debug",
  });
  const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
  metricsUrl = `http://127.0.0.1:${String(port)}/metrics`;
  connect(sandbox, gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function ask(name: string, query: string, variables: object = {}): Promise<string> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: bearer(name) },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  answers[name]?.push(JSON.stringify([...response.headers]), text);
  return text;
}

const CALL = "sessionId caller callee task { name assistant { name welcome websocketUrl } } ";
const EVENT = "sessionId caller callee hangupReason taskId unread { field text }";
const READ = [
  `{ callLogs(first: 20) { nodes { ${CALL} callEnded { ${EVENT} } } } }`,
  `{ callEndedEvents(first: 20, revisions: true) { nodes { ${EVENT} callLog { ${CALL} } } } }`,
  `query($id: ID!) { callEnded(sessionId: $id) { ${EVENT} recording { id status failure } } }`,
  "{ quarantinedDeliveries(first: 100) { nodes { body reason } } taskSubmissions(first: 10) { nodes { id name status } } }",
  "{ __schema { types { name fields { name } inputFields { name } } } }",
];
const WHOLE = `{ callEndedEvents(first: 100) { nodes { caller callee extra recordUrl } } callLogs { nodes { callee recordFile
  task { assistant { prompt knowledge creatorEmail } } } } }`;
const CREATE = `mutation($input: CreateTaskInput!) { createTask(input: $input) {
  submission { id status } replayed errors { code message path } } }`;
const bad: [string, object][] = [
  ["query($phone: String) { callLogs(filter: { phone: $phone }) { totalCount } }", { phone: NUMBER }],
  ["query($first: Int!) { callLogs(first: $first) { totalCount } }", { first: NUMBER }],
  ["query($since: DateTime!) { callLogs(filter: { since: $since }) { totalCount } }", { since: `${NUMBER} o'clock` }],
  [`{ callLogs(filter: { direction: D${NUMBER} }) { totalCount } }`, {}],
  [`{ task(taskId: "+${NUMBER}") { name } }`, {}],
  [`{ callLogs(after: "${NUMBER}") { totalCount } }`, {}],
  [`{ nothing_${NUMBER} }`, {}],
  [`{ broken ${NUMBER} `, {}],
  ["mutation($number: String!) { forgetPhone(number: $number) { events } }", { number: `call ${NUMBER}` }],
  [CREATE, { input: { ...createTaskInput(), numbers: [{ number: `${NUMBER}x`, extra: { a: EXTRA } }] } }],
  [CREATE, { input: { ...createTaskInput(), numbers: [{ number: [NUMBER] }] } }],
];

let made = 0;
async function askEverything(): Promise<void> {
  const call = { caller: `+86${NUMBER}`, callee: NUMBER, extra: { [EXTRA]: `to ${NUMBER}` } };
  const id = sandbox.control.endCall(call).sessionId;
  made += 1;
  const input = {
    ...createTaskInput(),
    idempotencyKey: `key ${made}`,
    numbers: [{ number: NUMBER, extra: { a: EXTRA } }],
  };
  await ask("some", CREATE, { input });
  for (const query of READ) await ask("some", query, { id });
  await ask("all", WHOLE);
  for (const [query, variables] of bad) await ask("some", query, variables);
}

const faults: [string, FaultInput][] = [
  ["none", { kind: "latency", ms: 0 }],
  ["a 500", { kind: "status", status: 500, body: `${SERVICE_TEXT} ${NUMBER} ${TOKEN}` }],
  ["a 403", { kind: "status", status: 403, body: `${SERVICE_TEXT} ${NUMBER} ${TOKEN}` }],
  ["a 429", { kind: "status", status: 429, retryAfter: 1, body: `${SERVICE_TEXT} ${NUMBER}` }],
  ["a redirect", { kind: "status", status: 302, location: `http://127.0.0.1:9/?phone=${NUMBER}` }],
  ["a connection that breaks", { kind: "reset" }],
  ["no answer", { kind: "hang" }],
  ["a cut body", { kind: "truncate" }],
  ...(["notJson", "html", "null", "envelope", "contentType"] as const).map((as): [string, FaultInput] => [
    `a malformed body: ${as}`,
    { kind: "malformed", as },
  ]),
  ["its own text", { kind: "replace", body: `{"message":"${SERVICE_TEXT} ${NUMBER}","token":"${TOKEN}"}` }],
  [
    "a row that is none",
    { kind: "replace", body: `{"total":1,"page_index":1,"page_size":1,"list":["${NUMBER}"],"x":"${SERVICE_TEXT}"}` },
  ],
  ["no JSON", { kind: "replace", body: `${SERVICE_TEXT} ${NUMBER}` }],
];

describe("the queries of this test", () => {
  it("are all answered, so that the searches below have something to search", async () => {
    const id = sandbox.control.endCall({ callee: NUMBER }).sessionId;
    await until(async () => (await ask("some", `{ callEnded(sessionId: "${id}") { id } }`)).includes(`"id":`));
    for (const query of [...READ, WHOLE]) {
      const { data, errors } = JSON.parse(await ask("all", query, { id })) as {
        data?: object | null;
        errors?: unknown;
      };
      expect([errors, Object.values(data ?? {}).includes(null)]).toEqual([undefined, false]);
    }
  });
});

describe("A60, A61, A63: secrets and numbers do not leave the gateway", () => {
  it.each(faults)("when the service fails: %s", { timeout: 300_000 }, async (_, fault) => {
    sandbox.control.clearFaults();
    sandbox.control.addFault({ ...fault, match: { path: "/openapi" } });
    await askEverything();
    sandbox.control.clearFaults();
  });

  it("when webhooks are unreadable or not authentic", async () => {
    for (const malformed of ["notJson", "null", "empty", "noSessionId", "noEventData"] as const) {
      sandbox.control.setWebhookFaults({ malformed });
      await askEverything();
    }
    sandbox.control.resetWebhookFaults();
    await gateway.deliver(`${NUMBER} ${EXTRA}`);
    await gateway.deliver(
      callEndedEvent({
        start_at: NUMBER,
        duration: NUMBER,
        hangup_side: NUMBER,
        callee: NUMBER,
        websocket_token: "wst_secret_of_event",
      }),
    );
    await gateway.deliver(callEndedEvent({ callee: NUMBER }), { authorization: `wrong ${TOKEN}` });
    await askEverything();
  });

  it("in live events over server-sent events and WebSocket", async () => {
    const query = `subscription { callEnded { ${EVENT} callLog { ${CALL} } } }`;
    await using sse = await openSse(gateway.url, { query }, { authorization: bearer("some") });
    await using socket = subscribe(openSocket(gateway.url, bearer("some")), query);
    const heard = [sse.next(), socket.next()];
    await until(async () => {
      sandbox.control.endCall({ callee: NUMBER, extra: { [EXTRA]: NUMBER } });
      return Promise.race([Promise.all(heard).then(() => true), new Promise<false>((r) => setTimeout(r, 200, false))]);
    });
    for (const told of await Promise.all(heard)) answers["some"]?.push(JSON.stringify(told));
  });

  it("to viewers with people:read: they see the numbers, which were there, but no secret", async () => {
    const id = sandbox.control.endCall({ callee: NUMBER, extra: { [EXTRA]: NUMBER } }).sessionId;
    await settled(
      { ask: (query, variables) => gateway.ask(query, variables, { authorization: bearer("all") }) },
      id,
      "ARCHIVED",
    );
    await ask("all", WHOLE);
    const seen = answers["all"]?.join("\n") ?? "";
    expect(seen).toContain(DIGITS);
    expect(seen).toContain(EXTRA);
    for (const secret of [...SECRETS, SERVICE_TEXT]) expect(seen).not.toContain(secret);
  });

  it("in any answer", () => {
    const seen = answers["some"]?.join("\n") ?? "";
    expect(seen.length).toBeGreaterThan(10_000);
    for (const canary of [...SECRETS, SERVICE_TEXT, DIGITS]) expect(seen).not.toContain(canary);
  });

  it("in any line of the log", () => {
    const lines = [...gateway.output, gateway.stderr()].join("\n");
    expect(lines.split("\n").length).toBeGreaterThan(5);
    for (const canary of [...SECRETS, SERVICE_TEXT, DIGITS, EXTRA]) expect(lines).not.toContain(canary);
    for (const line of gateway.output) JSON.parse(line);
  });

  it("in any metric", async () => {
    const text = await (await fetch(metricsUrl)).text();
    expect(text).toContain("switchboard_operations_total");
    for (const canary of [...SECRETS, SERVICE_TEXT, DIGITS, EXTRA, "some", 'all"']) expect(text).not.toContain(canary);
  });

  it("in any file, as far as secrets are concerned", async () => {
    for (const file of await filesIn(directory.path)) {
      const bytes = await readFile(file);
      for (const secret of [...SECRETS, SERVICE_TEXT]) expect([file, bytes.includes(secret)]).toEqual([file, false]);
    }
  });
});

describe("A69: only the owner can read", () => {
  it("the files of the database and the recordings", async () => {
    const files = (await filesIn(directory.path)).filter((file) => !file.endsWith("keys.json"));
    expect(files.some((file) => file.endsWith(".db-wal"))).toBe(true);
    expect(files.some((file) => file.includes("recordings"))).toBe(true);
    for (const file of files) expect([file, (await stat(file)).mode & 0o077]).toEqual([file, 0]);
  });

  it("a folder that the gateway creates", async () => {
    const path = join(directory.path, "made", "here");
    await using _ = await startGateway(sandbox, { DATABASE_URL: `file:${path}/switchboard.db` });
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
