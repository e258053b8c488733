import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { textAt } from "../house/sources.ts";
import { EACH_SECOND, endCall, eventOf } from "../reconcile/endToEnd.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, temporaryDirectory, type GatewayProgram } from "../support/gateway.ts";
import { DEBIAN_PROGRAMS, startDebianPostgres } from "../support/postgres/debianPostgres.ts";
import { until } from "../support/until.ts";
import { onSameClock } from "../support/sameClock.ts";

interface Page {
  callEndedEvents: { nodes: { sessionId: string; source: string }[]; headCursor: string };
}
const PAGE = `query($after: String) { callEndedEvents(first: 100, after: $after) {
  nodes { sessionId source } headCursor } }`;
const pageAfter = (gateway: GatewayProgram, after: string | null) => gateway.ask<Page>(PAGE, { after });
const OPS = fileURLToPath(new URL("../../ops", import.meta.url));

/** The commands of docs/operating.md, in their order. */
const commands = textAt("docs/operating.md").match(/^(?:pg_dump|pg_restore|psql) .+$/gm) ?? [];

it.skipIf(DEBIAN_PROGRAMS === null)(
  "a PostgreSQL database is dumped while its gateway runs, restored, and the gateway finds what was lost (skipped where Debian's PostgreSQL is not installed)",
  async () => {
    using postgres = await startDebianPostgres();
    await using sandbox = await emptySandbox();
    await using directory = await temporaryDirectory();
    symlinkSync(OPS, join(directory.path, "ops"));
    const [DATABASE_URL, restoredUrl] = ["switchboard", "restored"].map(postgres.createDatabase) as [string, string];
    const run = (command: string, url: string) =>
      execFileSync("sh", ["-c", command], {
        cwd: directory.path,
        env: onSameClock({ PATH: `${DEBIAN_PROGRAMS}:${process.env["PATH"]}`, DATABASE_URL: url }),
        encoding: "utf8",
      });
    expect(commands.map((command) => command.split(" ", 1)[0])).toEqual(["pg_dump", "pg_restore", "psql"]);
    const [dump = "", restore = "", afterRestore = ""] = commands;

    // It finds no call before the webhook of it, which would become a second event.
    const gateway = await spawnGateway(sandbox, { ...EACH_SECOND, DATABASE_URL, RECONCILE_INTERVAL_S: "0" });
    connectSandbox(sandbox, gateway);
    const before = endCall(sandbox);
    await until(() => eventOf(gateway, before));
    run(dump, DATABASE_URL);
    expect(existsSync(join(directory.path, "switchboard.dump"))).toBe(true);
    const since = endCall(sandbox);
    await until(() => eventOf(gateway, since));
    const lostCursor = (await pageAfter(gateway, null)).data?.callEndedEvents.headCursor ?? "";
    gateway.process.kill("SIGKILL");
    await gateway.exited;

    run(restore, restoredUrl);
    expect(run(afterRestore, restoredUrl)).toContain("log_continues_after");
    await using again = await spawnGateway(sandbox, { ...EACH_SECOND, DATABASE_URL: restoredUrl });
    const { code, cursor } = (await pageAfter(again, lostCursor)).errors?.[0]?.extensions ?? {};
    expect(code).toBe("CURSOR_INVALID");
    const found = await until(async () => {
      const { data } = await pageAfter(again, String(cursor));
      return data?.callEndedEvents.nodes.length ? data.callEndedEvents.nodes : null;
    });
    expect(found).toEqual([{ sessionId: since, source: "RECONCILED" }]);
    expect(await eventOf(again, before)).toMatchObject({ source: "WEBHOOK" });
  },
);
