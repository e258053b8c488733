import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, describe, it, onTestFinished } from "vitest";
import { eventRow, open, tempFile, tempStore } from "../tempStore.ts";
import { freePort } from "../../support/network/freePort.ts";
import { askPostgres } from "../../support/postgres/askPostgres.ts";
import { postgres } from "../databases.ts";
import { until } from "../../support/until.ts";

const isInstalled = spawnSync("pgbouncer", ["--version"]).status === 0;

/** The address of the database behind a PgBouncer that ends with the test. */
async function startPgbouncer(url: string, mode: string): Promise<string> {
  const { username, password, port: serverPort, pathname } = new URL(url);
  const [port, file] = [await freePort(), tempFile("pgbouncer.ini")];
  const users = tempFile("users.txt");
  writeFileSync(users, `"${username}" "${password}"\n`);
  writeFileSync(
    file,
    `[databases]\n* = host=127.0.0.1 port=${serverPort}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}
unix_socket_dir =\nauth_type = plain\nauth_file = ${users}\npool_mode = ${mode}\n`,
  );
  const asRoot = process.getuid?.() === 0;
  // PgBouncer refuses to run as root.
  if (asRoot) for (const path of [file, users]) spawnSync("chown", ["-R", "postgres", dirname(path)]);
  const pgbouncer = spawn("pgbouncer", [...(asRoot ? ["-u", "postgres"] : []), file], { stdio: "ignore" });
  onTestFinished(() => void pgbouncer.kill("SIGKILL"));
  const behind = `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`;
  await until(() =>
    askPostgres(behind, "select 1").then(
      () => true,
      () => false,
    ),
  );
  return behind;
}

describe.skipIf(!isInstalled)(`PgBouncer${isInstalled ? "" : " (skipped: pgbouncer is not installed)"}`, () => {
  it("in session mode carries appends, and notifications to another gateway", async () => {
    const { url } = await postgres.create();
    const behind = await startPgbouncer(url, "session");
    const [one, other] = [await tempStore(behind), await tempStore(behind)];
    let through: number | null = null;
    await using _listening = other.onNotify((position) => {
      through = position ?? through;
    });
    await until(async () => {
      await one.events.append([eventRow({ sessionId: crypto.randomUUID() })], (_known, row) => row);
      return through !== null;
    });
    expect(through).toBeGreaterThan(0);
  });

  it("in transaction mode is refused at the start, in one line", async () => {
    const { url } = await postgres.create();
    const behind = await startPgbouncer(url, "transaction");
    const { host } = new URL(behind);
    await expect(open(behind)).rejects.toThrow(
      `The database ${host} cannot be opened: a pooler gives each transaction another connection. Set pool_mode=session for this database`,
    );
  });
});
