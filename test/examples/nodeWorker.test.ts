import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../../sandbox/src/random.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { freePort } from "../support/network/freePort.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import type { Environment, Program } from "../support/program.ts";
import { until } from "../support/until.ts";
import { createWorkerProject, type WorkerProject } from "./support/workerProject.ts";

const KILLS = 20;
const CALLS_OF_A_RUN = 10;
/** A worker that stores so many calls reaches this statement. */
const LAST_STATEMENT = 4 * CALLS_OF_A_RUN;

let directory: Directory;
let gateway: TestGateway;
let PORT: string;
let env: Environment;
/** The session ids of the log. */
const logged: string[] = [];
beforeAll(async () => {
  directory = await temporaryDirectory();
  PORT = String(await freePort());
  gateway = await start();
  env = { GATEWAY_URL: `${gateway.url}/graphql`, KEY_FILE: join(directory.path, "worker.key") };
});
beforeEach(() => Promise.all([writeKey("worker"), allowKeys("worker")]));
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const allowKeys = (viewer: string) => writeKeys(directory.path, { [viewer]: ["calls:read"], tasks: ["tasks:create"] });
const writeKey = (viewer: string) => writeFile(env["KEY_FILE"] as string, `${keyOf(viewer)}\n`);

async function start(): Promise<TestGateway> {
  const API_KEYS_FILE = await allowKeys("worker");
  const DATABASE_URL = directory.database;
  return startGateway({ url: "http://127.0.0.1:9" }, { PORT, API_KEYS_FILE, DATABASE_URL, DRAIN_SECONDS: "1" });
}

async function endCalls(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const event = callEndedEvent({ task_id: 0 });
    expect((await gateway.deliver(event)).status).toBe(200);
    logged.push(String(event.event_data["session_id"]));
  }
}

async function expectAllStored(worker: WorkerProject, program: Program): Promise<void> {
  await until(() => program.output.includes("live"));
  await until(() => worker.sessions().length >= logged.length);
  expect(worker.sessions()).toEqual(logged);
}

describe("The example worker, with switchboard-client", () => {
  it("has each call once and in order, although it is killed at 20 random statements", async () => {
    await using worker = await createWorkerProject();
    const random = createRandom(7);
    for (let kills = 0; kills < KILLS; kills += 1) {
      const program = worker.start(env, random.int(1, LAST_STATEMENT));
      await endCalls(CALLS_OF_A_RUN);
      await program.exited;
      expect(program.process.signalCode, program.stderr()).toBe("SIGKILL");
    }
    await expectAllStored(worker, worker.start(env));
  });

  it("goes on after the gateway was restarted, and after it was stopped itself", async () => {
    await using worker = await createWorkerProject();
    await endCalls(1);
    const program = worker.start(env);
    await expectAllStored(worker, program);
    await gateway[Symbol.asyncDispose]();
    gateway = await start();
    await endCalls(3);
    await expectAllStored(worker, program);
    program.process.kill("SIGTERM");
    expect(await program.exited).toBe(0);
    expect(program.stderr()).toBe("");
    await endCalls(3);
    await expectAllStored(worker, worker.start(env));
  });

  it("misses no call that ends after its first start on an empty log", async () => {
    await using worker = await createWorkerProject();
    await using empty = await startGateway({ url: "http://127.0.0.1:9" });
    const program = worker.start({ GATEWAY_URL: `${empty.url}/graphql` });
    await until(() => program.output.includes("live"));
    program.process.kill("SIGKILL");
    await program.exited;
    const event = callEndedEvent({ task_id: 0 });
    await empty.deliver(event);
    const next = worker.start({ GATEWAY_URL: `${empty.url}/graphql` });
    await until(() => next.output.includes("live") && worker.sessions().length > 0);
    expect(worker.sessions()).toEqual([event.event_data["session_id"]]);
  });

  it("takes a new key from its file when the gateway refuses the old one", async () => {
    await using worker = await createWorkerProject();
    await endCalls(1);
    const program = worker.start(env);
    await expectAllStored(worker, program);
    await writeKey("successor");
    await allowKeys("successor");
    await until(() => program.output.filter((line) => line === "live").length > 1);
    await endCalls(1);
    await expectAllStored(worker, program);
  });

  it.each([
    ["nobody", "UNAUTHENTICATED: Put a valid key into the file"],
    ["tasks", "FORBIDDEN: The key needs the scope calls:read."],
  ])("ends and says what to do with the key of %s", async (viewer, advice) => {
    await using worker = await createWorkerProject();
    await writeKey(viewer);
    const program = worker.start(env);
    expect(await program.exited).toBe(1);
    expect(program.stderr()).toContain(advice);
  });
});
