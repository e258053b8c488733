import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { textAt } from "../house/sources.ts";
import { EACH_SECOND, endCall, eventOf } from "../reconcile/endToEnd.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, temporaryDirectory, type GatewayProgram } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

interface Page {
  callEndedEvents: { nodes: { sessionId: string; source: string }[]; headCursor: string };
}
const PAGE = `query($after: String) { callEndedEvents(first: 100, after: $after) {
  nodes { sessionId source } headCursor } }`;
const pageAfter = (gateway: GatewayProgram, after: string | null) => gateway.ask<Page>(PAGE, { after });

/** The commands of docs/operating.md: backup, then restore. */
const commands = [
  ...textAt("docs/operating.md").matchAll(/^npx --no-install switchboard ((?:backup|restore) .+)$/gm),
].map(([, words = ""]) => words.split(" "));

it("a gateway is backed up while it runs, restored, and finds what it lost in the service's list", async () => {
  await using sandbox = await emptySandbox();
  await using directory = await temporaryDirectory();
  const env = { ...EACH_SECOND, DATABASE_URL: directory.database };
  await mkdir(join(directory.path, "backups"));
  async function run(args: readonly string[] = []) {
    await using program = startProgram([CLI, ...args], { DATABASE_URL: directory.database }, directory.path);
    const code = await program.exited;
    return { code, printed: JSON.parse(program.output[0] ?? "null") as unknown, stderr: program.stderr() };
  }
  // It finds no call before the webhook of it, which would become a second event.
  const gateway = await spawnGateway(sandbox, { ...env, RECONCILE_INTERVAL_S: "0" });
  connectSandbox(sandbox, gateway);
  const before = endCall(sandbox);
  await until(() => eventOf(gateway, before));

  expect(commands.map(([name]) => name)).toEqual(["backup", "restore"]);
  const [backup, restore] = commands;
  expect(await run(backup)).toMatchObject({ code: 0, stderr: "", printed: { file: backup?.[1], events: 1 } });
  expect((await run(backup)).stderr).toContain("exists already");
  const since = endCall(sandbox);
  await until(() => eventOf(gateway, since));
  const lostCursor = (await pageAfter(gateway, null)).data?.callEndedEvents.headCursor ?? "";
  const running = await run(restore);
  expect([running.code, running.stderr]).toEqual([1, expect.stringMatching(/^A gateway runs on the database .+\n$/)]);
  gateway.process.kill("SIGKILL");
  await gateway.exited;

  const restored = await run(restore);
  expect(restored).toMatchObject({ code: 0, printed: { replaced: expect.stringContaining(".replaced-") } });
  await using again = await spawnGateway(sandbox, env);
  const { errors } = await pageAfter(again, lostCursor);
  expect(errors?.[0]).toMatchObject({ message: expect.stringContaining("restored from a backup") });
  const { code, cursor } = errors?.[0]?.extensions ?? {};
  expect(code).toBe("CURSOR_INVALID");
  const found = await until(async () => {
    const { data } = await pageAfter(again, String(cursor));
    return data?.callEndedEvents.nodes.length ? data.callEndedEvents.nodes : null;
  });
  expect(found).toEqual([{ sessionId: since, source: "RECONCILED" }]);
  expect(await eventOf(again, before)).toMatchObject({ source: "WEBHOOK" });
});
