// Puts marked secrets and numbers into every field that may hold one, and searches everything that leaves the gateway for them.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { allowing, mortalSandbox, settled } from "../recordings/world.ts";
import { createTaskInput } from "../tasks/input.ts";
import { connectSandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { spawnGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { until } from "../support/until.ts";
import {
  bad,
  CALL,
  CREATE,
  DIGITS,
  EVENT,
  EXTRA,
  faults,
  NUMBER,
  READ,
  SERVICE_TEXT,
  WHOLE,
} from "./canaryRequests.ts";

const PREVIOUS = "canary-previous-webhook-value";
const SECRETS = [TOKEN, WEBHOOK_AUTHORIZATION, PREVIOUS, "wst_secret_", ...["some", "all"].map(keyOf)];

let sandbox: Sandbox;
let directory: Directory;
let gateway: GatewayProgram;
let metricsUrl: string;
/** Everything that each viewer received in the current test, by the viewer's name. */
let answers: Record<"some" | "all", string[]>;

beforeAll(async () => {
  sandbox = await mortalSandbox();
  directory = await temporaryDirectory();
  const viewers = {
    some: ["calls:read", "tasks:create", "admin"],
    all: ["calls:read", "tasks:create", "people:read", "assistants:prompts", "recordings:read", "admin"],
  };
  gateway = await spawnGateway(sandbox, {
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
  connectSandbox(sandbox, gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

beforeEach(() => {
  sandbox.control.clearFaults();
  sandbox.control.resetWebhookFaults();
  answers = { some: [], all: [] };
});

async function ask(name: "some" | "all", query: string, variables: object = {}): Promise<string> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: bearer(name) },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  answers[name].push(JSON.stringify([...response.headers]), text);
  return text;
}

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

/** Searches the answers of this test, and the gateway's log, metrics and files. */
async function expectNoCanaries(): Promise<void> {
  expect(answers.some.length).toBeGreaterThan(0);
  const received = answers.some.join("\n");
  for (const canary of [...SECRETS, SERVICE_TEXT, DIGITS]) expect(received).not.toContain(canary);
  for (const secret of [...SECRETS, SERVICE_TEXT]) expect(answers.all.join("\n")).not.toContain(secret);

  for (const line of gateway.output) expect(() => JSON.parse(line) as unknown).not.toThrow();
  const log = [...gateway.output, gateway.stderr()].join("\n");
  expect(log.split("\n").length).toBeGreaterThan(5);
  for (const canary of [...SECRETS, SERVICE_TEXT, DIGITS, EXTRA]) expect(log).not.toContain(canary);

  const metrics = await (await fetch(metricsUrl)).text();
  expect(metrics).toContain("switchboard_operations_total");
  for (const canary of [...SECRETS, SERVICE_TEXT, DIGITS, EXTRA, "some", 'all"']) expect(metrics).not.toContain(canary);

  for (const { file, bytes } of await until(readFiles)) {
    for (const secret of [...SECRETS, SERVICE_TEXT]) expect([file, bytes.includes(secret)]).toEqual([file, false]);
  }
}

/** Null if a download is moved while it is read. */
async function readFiles(): Promise<{ file: string; bytes: Buffer }[] | null> {
  try {
    return await Promise.all(
      (await filesIn(directory.path)).map(async (file) => ({ file, bytes: await readFile(file) })),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Ends a call, and waits until its recording is archived. */
async function archiveCall(): Promise<void> {
  const id = sandbox.control.endCall({ callee: NUMBER, extra: { [EXTRA]: NUMBER } }).sessionId;
  const viewer = bearer("all");
  await settled(
    { ask: (query, variables) => gateway.ask(query, variables, { authorization: viewer }) },
    id,
    "ARCHIVED",
  );
}

describe("A60, A61, A63: secrets and numbers", () => {
  it("are searched for in operations that are answered without errors", async () => {
    const id = sandbox.control.endCall({ callee: NUMBER }).sessionId;
    await until(async () => (await ask("some", `{ callEnded(sessionId: "${id}") { id } }`)).includes(`"id":`));
    for (const query of [...READ, WHOLE]) {
      // A busy machine may answer for the service too late.
      const text = await until(async () => {
        const answer = await ask("all", query, { id });
        return !/UPSTREAM_(TIMEOUT|UNAVAILABLE)/.test(answer) && answer;
      });
      const { data, errors } = JSON.parse(text) as {
        data?: object | null;
        errors?: unknown;
      };
      expect([errors, Object.values(data ?? {}).includes(null)]).toEqual([undefined, false]);
    }
  });

  it.each(faults)(
    "do not leave the gateway with this fault of the service: %s",
    { timeout: 300_000 },
    async (_, fault) => {
      sandbox.control.addFault({ ...fault, match: { path: "/openapi" } });
      await askEverything();
      expect(answers.some.join("\n").length).toBeGreaterThan(10_000);
      await expectNoCanaries();
    },
  );

  it("do not leave the gateway with webhooks that cannot be read or are forged", async () => {
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
    await expectNoCanaries();
  });

  it("do not leave the gateway in live events over server-sent events and WebSocket", async () => {
    const query = `subscription { callEnded { ${EVENT} callLog { ${CALL} } } }`;
    await using sse = await openSse(gateway.url, { query }, { authorization: bearer("some") });
    await using socket = subscribe(openSocket(gateway.url, bearer("some")), query);
    const results = Promise.all([sse.next(), socket.next()]);
    await until(async () => {
      sandbox.control.endCall({ callee: NUMBER, extra: { [EXTRA]: NUMBER } });
      return Promise.race([results.then(() => true), new Promise<false>((r) => setTimeout(r, 200, false))]);
    });
    answers.some.push(...(await results).map((result) => JSON.stringify(result)));
    await expectNoCanaries();
  });

  it("are separate: a viewer with people:read receives numbers, and no secrets", async () => {
    await archiveCall();
    await ask("all", WHOLE);
    await ask("some", WHOLE);
    const received = answers.all.join("\n");
    expect(received).toContain(DIGITS);
    expect(received).toContain(EXTRA);
    await expectNoCanaries();
  });
});

describe("A69: permissions of files", () => {
  it("let only the owner read the database, its log and the recordings", async () => {
    await archiveCall();
    // A download gets another name when it is complete.
    const files = await until(async () => {
      const found = (await filesIn(directory.path)).filter((file) => !file.endsWith("keys.json"));
      return !found.some((file) => file.includes("incoming")) && found;
    });
    expect(files.some((file) => file.endsWith(".db-wal"))).toBe(true);
    expect(files.some((file) => file.includes("recordings"))).toBe(true);
    for (const file of files) expect([file, (await stat(file)).mode & 0o077]).toEqual([file, 0]);
  });

  it("let only the owner read a folder that the gateway creates", async () => {
    const path = join(directory.path, "made", "here");
    await using _ = await spawnGateway(sandbox, { DATABASE_URL: `file:${path}/switchboard.db` });
    expect((await stat(path)).mode & 0o777).toBe(0o700);
  });
});

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
