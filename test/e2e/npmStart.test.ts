// npm start in a real process tree. Ending npm must end the gateway, and a gateway without npm must outlive its shell.
import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";
import { npmCli } from "../support/npm.ts";
import { startProgram } from "../support/program.ts";
import { onSameClock } from "../support/sameClock.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const START = fileURLToPath(new URL("../../bin/start.js", import.meta.url));
const run = promisify(execFile);

const environmentIn = ({ database, path }: Directory) => ({
  PORT: "0",
  SANDBOX_PORT: "0",
  DATABASE_URL: database,
  RECORDINGS_DIR: join(path, "recordings"),
  HOME: path,
});

/** `npm start`, or `npm run sandbox`, once it listens. */
async function startByNpm(directory: Directory, args: readonly string[], message: string) {
  const npm = startProgram([npmCli(), ...args], environmentIn(directory), ROOT);
  const { url } = (await npm.line(({ msg }) => msg === message)) as { url: string };
  return { npm, url, server: await childOf(npm.process.pid ?? 0) };
}

/** The only child of a process. */
async function childOf(pid: number): Promise<number> {
  const { stdout } = await run("ps", ["-e", "-o", "pid=,ppid="]);
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const children = pairs.filter(([, parent]) => parent === pid).map(([child = 0]) => child);
  expect(children).toHaveLength(1);
  return children[0] ?? 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const isFree = (url: string) =>
  fetch(`${url}/livez`).then(
    () => false,
    () => true,
  );

it.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
  "%s to npm start ends the gateway and frees its port",
  async (signal) => {
    await using directory = await temporaryDirectory();
    const { npm, url, server } = await startByNpm(directory, ["start"], "the gateway listens");
    await using _npm = npm;
    expect(await isFree(url)).toBe(false);
    npm.process.kill(signal);
    await until(() => !isAlive(server));
    expect(await isFree(url)).toBe(true);
    // npm passes the gateway's exit code on: the gateway has stopped its parts and was not cut.
    if (signal !== "SIGKILL") expect(await npm.exited).toBe(0);
  },
);

it("a signal that the gateway gets twice, from its terminal and from npm, does not cut its stop", async () => {
  await using directory = await temporaryDirectory();
  const { npm, url, server } = await startByNpm(directory, ["start"], "the gateway listens");
  await using _npm = npm;
  // Subscribers are disconnected over some seconds, so the stop is still going on when the second signal comes.
  await using _stream = await openSse(url, { query: "subscription { callEnded { cursor } }" });
  process.kill(server, "SIGINT");
  await npm.line(({ msg }) => msg === "stopping");
  npm.process.kill("SIGINT");
  await until(() => !isAlive(server));
  expect(await npm.exited).toBe(0);
});

it("SIGKILL to npm run sandbox ends the sandbox", async () => {
  await using directory = await temporaryDirectory();
  const { npm, server } = await startByNpm(directory, ["run", "sandbox"], "The sandbox listens.");
  await using _npm = npm;
  npm.process.kill("SIGKILL");
  await until(() => !isAlive(server));
});

it("a gateway that a shell put into the background without npm outlives the shell", async () => {
  await using directory = await temporaryDirectory();
  await using control = await temporaryDirectory();
  const output = join(directory.path, "out");
  const shell = spawn("sh", ["-c", `nohup "${process.execPath}" "${START}" > "${output}" 2>&1 & echo $!; read _`], {
    env: onSameClock({ PATH: process.env["PATH"] ?? "", ...environmentIn(directory) }),
    stdio: ["pipe", "pipe", "ignore"],
  });
  const server = Number(await new Promise((resolve) => createInterface({ input: shell.stdout }).once("line", resolve)));
  try {
    const url = await until(async () => /"url":"([^"]+)"[^\n]*gateway listens/.exec(await textOf(output))?.[1]);
    const watched = await startByNpm(control, ["start"], "the gateway listens");
    await using _npm = watched.npm;
    shell.stdin.end();
    await until(() => shell.exitCode !== null);
    watched.npm.process.kill("SIGKILL");
    // By then the other gateway would have noticed the end of its parent, too.
    await until(() => !isAlive(watched.server));
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  } finally {
    process.kill(server, "SIGKILL");
  }
});

const textOf = (path: string) => readFile(path, "utf8").catch(() => "");
