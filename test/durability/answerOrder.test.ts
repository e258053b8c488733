import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createGateway } from "../../src/gateway.ts";
import { silentLog } from "../support/silentLog.ts";
import type { EventStore } from "../../src/store/events/eventStore.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { MAIN, temporaryDirectory } from "../support/gateway.ts";
import { TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { onSameClock } from "../support/sameClock.ts";

const ENV = {
  PORT: "0",
  UPSTREAM_URL: "http://127.0.0.1:9",
  UPSTREAM_TOKEN: TOKEN,
  UPSTREAM_TIME_ZONE: "Asia/Shanghai",
  RECONCILE_INTERVAL_S: "0",
  // Recordings are not downloaded: no call names this host.
  RECORDING_HOSTS: "nowhere.invalid",
  WEBHOOK_AUTHORIZATION,
  AUTH: "none",
};

const deliver = (url: string) =>
  fetch(`${url}/calllog`, {
    method: "POST",
    headers: { authorization: WEBHOOK_AUTHORIZATION },
    body: JSON.stringify(callEndedEvent()),
  });

describe("The answer 200 to a webhook", () => {
  it("is sent only after the store has committed", async () => {
    const store = await tempStore();
    const commits: PromiseWithResolvers<void>[] = [];
    const append: EventStore["append"] = async (deliveries, revise) => {
      const added = await store.events.append(deliveries, revise);
      // The row is written, and its commit has not been confirmed yet.
      const commit = Promise.withResolvers<void>();
      commits.push(commit);
      await commit.promise;
      return added;
    };
    const { upstream, ...config } = readConfig({
      ...ENV,
      DATABASE_URL: `file:${tempFile()}`,
      RECORDINGS_DIR: tempFile("recordings"),
    });
    if (!upstream) throw new Error("UPSTREAM_URL is missing");
    const held = { ...store, events: { ...store.events, append } };
    const gateway = await createGateway({ ...config, upstream }, silentLog, { store: held });
    onTestFinished(() => gateway[Symbol.asyncDispose]());
    const answers: number[] = [];
    const delivering = [0, 1, 2].map(async () => answers.push((await deliver(gateway.url)).status));
    await until(() => commits.length === 1);
    for (let at = 0; at < 20; at += 1) expect((await fetch(`${gateway.url}/livez`)).status).toBe(200);
    expect(answers).toEqual([]);
    const releasing = setInterval(() => commits.forEach(({ resolve }) => resolve()), 1);
    await Promise.all(delivering);
    clearInterval(releasing);
    expect(answers).toEqual([200, 200, 200]);
  });
});

/** The system calls of the process that read a webhook, sync a file or send a 200, in order. */
async function tracedDeliveries(count: number): Promise<("request" | "synced" | "answer")[]> {
  await using directory = await temporaryDirectory();
  const trace = join(directory.path, "trace");
  const options = [
    "-f",
    "-qq",
    "-s",
    "40",
    "-e",
    "trace=read,recvfrom,fsync,fdatasync,write,writev,sendto,sendmsg",
    "-o",
    trace,
  ];
  const child = spawn("strace", [...options, process.execPath, MAIN], {
    env: onSameClock({
      PATH: process.env["PATH"] ?? "",
      ...ENV,
      DATABASE_URL: directory.database,
      RECORDINGS_DIR: directory.path,
    }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  // strace does not forward signals. Each line of its output begins with the ID of the traced process.
  const tracedPid = () => Number(readFileSync(trace, "utf8").split(" ", 1)[0]);
  onTestFinished(() => {
    if (child.exitCode === null) process.kill(tracedPid(), "SIGKILL");
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const url = await until(() => /"url":"(http[^"]+)"/.exec(output)?.[1]);
  for (let at = 0; at < count; at += 1) expect((await deliver(url)).status).toBe(200);
  const ended = once(child, "close");
  process.kill(tracedPid(), "SIGTERM");
  await ended;
  return readFileSync(trace, "utf8").split("\n").flatMap(stepOf);
}

function stepOf(line: string): ("request" | "synced" | "answer")[] {
  if (/"POST \/calllog/.test(line)) return ["request"];
  if (/f(data)?sync.*= 0$/.test(line)) return ["synced"];
  return /"HTTP\/1\.1 200/.test(line) ? ["answer"] : [];
}

const canTrace = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]).status === 0;

if (canTrace) {
  describe("The system calls of a gateway under strace", () => {
    it("sync the database before each 200 is sent", { timeout: 300_000 }, async () => {
      const steps = await tracedDeliveries(10);
      const deliveries = steps.join(" ").split("request").slice(1);
      expect(deliveries).toHaveLength(10);
      for (const one of deliveries) expect(one.trim()).toMatch(/^synced( synced)* answer/);
    });
  });
} else {
  describe("The SQLite file on a machine without strace", () => {
    it("is opened so that each commit syncs", async () => {
      const { sql, Kysely } = await import("kysely");
      const { openSqlite } = await import("../../src/store/sqlite/sqlite.ts");
      await using db = new Kysely<object>({ dialect: await openSqlite(tempFile()) });
      const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
      expect(rows).toEqual([{ synchronous: 2 }]);
    });
  });
}
