// Starts a real PgBouncer in front of a database, for one test.
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import { tempFile } from "../../store/tempStore.ts";
import { freePort } from "../network/freePort.ts";
import { until } from "../until.ts";
import { askPostgres } from "./askPostgres.ts";

export const isPgbouncerInstalled = spawnSync("pgbouncer", ["--version"]).status === 0;

const poolers = new Map<string, { pid: number; file: string }>();

/** As an operator does: by a changed file, and a signal to read it. */
export async function turnToTransactionMode(address: string): Promise<void> {
  const { pid, file } = poolers.get(address) ?? { pid: 0, file: "" };
  writeFileSync(file, readFileSync(file, "utf8").replace("pool_mode = session", "pool_mode = transaction"));
  process.kill(pid, "SIGHUP");
}

/** The address of the database behind a PgBouncer that ends with the test. */
export async function startPgbouncer(url: string, mode: string, settings = ""): Promise<string> {
  const { username, password, port: serverPort, pathname } = new URL(url);
  const [port, file] = [await freePort(), tempFile("pgbouncer.ini")];
  const users = tempFile("users.txt");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = plain\nauth_file = ${users}\npool_mode = ${mode}\n${settings}\n`,
  );
  const asRoot = process.getuid?.() === 0;
  // PgBouncer refuses to run as root.
  if (asRoot) for (const path of [file, users]) spawnSync("chown", ["-R", "postgres", dirname(path)]);
  const pgbouncer = spawn("pgbouncer", [...(asRoot ? ["-u", "postgres"] : []), file], { stdio: "ignore" });
  onTestFinished(() => void pgbouncer.kill("SIGKILL"));
  const behind = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
  poolers.set(behind, { pid: pgbouncer.pid ?? 0, file });
  await until(() =>
    askPostgres(behind, "select 1").then(
      () => true,
      () => false,
    ),
  );
  return behind;
}
