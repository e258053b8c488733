import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, spawnGateway, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { freePort } from "../support/network/freePort.ts";
import { textAt } from "../house/sources.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { onSameClock } from "../support/sameClock.ts";

const sessionOf = (line: string) => (JSON.parse(line) as { sessionId: string }).sessionId;

/** The commands of docs/operating.md. */
const documented = [
  ...textAt("docs/operating.md").matchAll(/^npx --no-install switchboard events ((?:show|reread) .+)$/gm),
].map(([, words = ""]) => words);

/** The words of a documented command, with a cursor in the place of its placeholder. */
const argumentsOf = (words: string, cursor: string) => words.replace(/'<.*>'/, cursor).split(" ");

describe("switchboard events", () => {
  it("prints every page of the log, each revision once, in order", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const events = Array.from({ length: 230 }, (_, at) => callEndedEvent({ session_id: `s-${at}` }));
    for (const event of events) await gateway.deliver(event);
    await gateway.deliver(callEndedEvent({ session_id: "s-7", billsec: 1, end_at: "2037-12-31 00:00:00" }));
    await using program = startProgram([CLI, "events", "--url", `${gateway.url}/graphql`], {});
    expect([await program.exited, program.stderr()]).toEqual([0, ""]);
    expect(program.output.map(sessionOf)).toEqual([...events.map((_, at) => `s-${at}`), "s-7"]);
    expect(JSON.parse(program.output[230] ?? "")).toMatchObject({ revision: 2, billsec: 1, extra: { 姓名: "Li" } });
  });

  it("continues after its last entry with --follow when the gateway restarts", async () => {
    await using directory = await temporaryDirectory();
    const PORT = String(await freePort());
    const first = await spawnGateway(NO_SERVICE, { DATABASE_URL: directory.database, PORT });
    await first.deliver(callEndedEvent({ session_id: "before" }));
    await using program = startProgram([CLI, "events", "--follow", "--url", first.url], {});
    await until(() => program.output.length === 1);
    first.process.kill("SIGKILL");
    await first.exited;
    await until(() => program.stderr().includes("Retrying.\n"));
    expect(program.stderr().split("\n")[0]).toMatch(
      /^(The connection to the gateway broke|No gateway answers at .+)\. Retrying/,
    );
    await using second = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database, PORT });
    for (const session_id of ["between", "after"]) await second.deliver(callEndedEvent({ session_id }));
    await until(() => program.output.length === 3);
    expect(program.output.map(sessionOf)).toEqual(["before", "between", "after"]);
  });

  it("shows what came, and reads it again after a wrong time zone was corrected", async () => {
    await using directory = await temporaryDirectory();
    const env = { DATABASE_URL: directory.database };
    const wrong = await startGateway(NO_SERVICE, { ...env, UPSTREAM_TIME_ZONE: "UTC" });
    const body = JSON.stringify(callEndedEvent({ session_id: "s-1", remark: "not read" }));
    await wrong.deliver(body);
    await wrong[Symbol.asyncDispose]();
    await using gateway = await startGateway(NO_SERVICE, env);
    const run = async (...args: string[]) => {
      await using program = startProgram([CLI, "events", ...args, "--url", gateway.url], {});
      const code = await program.exited;
      return {
        code,
        lines: program.output.map((line) => JSON.parse(line) as Record<string, unknown>),
        stderr: program.stderr(),
      };
    };
    const first = await run("reread");
    expect(first).toMatchObject({ code: 0, lines: [{ read: 1, changed: 1, unreadable: 0 }] });
    expect(first.stderr).toMatch(/^1 read, 1 changed, 0 unreadable, up to \S+\n$/);
    expect((await run("reread")).lines).toEqual([{ read: 1, changed: 0, unreadable: 0 }]);
    const [before, after] = (await run()).lines;
    expect([before?.["startAt"], after?.["startAt"]]).toEqual(["2026-11-20T09:30:00.000Z", "2026-11-20T01:30:00.000Z"]);
    const [show = "", reread = ""] = documented;
    const shown = await run(...argumentsOf(show, String(before?.["cursor"])));
    const receivedAt = before?.["receivedAt"];
    expect(shown).toMatchObject({ code: 0, lines: [{ event: before, receivedAt, body, missing: null }] });
    const revision = await run("show", String(after?.["cursor"]));
    expect(revision.lines).toMatchObject([{ event: after, receivedAt, body: null, missing: "NOT_KEPT" }]);
    const none = { code: 0, lines: [{ read: 0, changed: 0, unreadable: 0 }] };
    expect(await run(...argumentsOf(reread, String(before?.["cursor"])))).toMatchObject(none);
    const { data } = await gateway.ask("{ auditEvents { nodes { action count subjectId } } }");
    const shownCall = { action: "DELIVERY_SHOWN", count: 1, subjectId: nodeId("CallEnded", "s-1", "1") };
    const rereads = { action: "DELIVERIES_REREAD", count: 1, subjectId: null };
    expect(data).toEqual({ auditEvents: { nodes: [shownCall, rereads] } });
    await gateway.ask(`mutation { forgetPhone(number: "${String(after?.["callee"])}") { events } }`);
    const erased = { code: 1, lines: [], stderr: "The log has no entry at the cursor any more.\n" };
    expect(await run("show", String(after?.["cursor"]))).toEqual(erased);
  });

  it("keeps no body with RAW_DELIVERY_DAYS=0, and deletes those that were kept", async () => {
    await using directory = await temporaryDirectory();
    const before = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database });
    await before.deliver(callEndedEvent());
    const bodies = async ({ ask }: typeof before) => {
      type Events = { callEndedEvents: { nodes: { cursor: string }[] } };
      const { nodes } = (await ask<Events>("{ callEndedEvents { nodes { cursor } } }")).data?.callEndedEvents ?? {
        nodes: [],
      };
      const query = "query($cursor: String!) { rawDelivery(cursor: $cursor) { body } }";
      const answers = await Promise.all(
        nodes.map(({ cursor }) => ask<{ rawDelivery: { body: string | null } }>(query, { cursor })),
      );
      return answers.map(({ data }) => data?.rawDelivery.body);
    };
    expect(await bodies(before)).toEqual([expect.stringContaining("event_data")]);
    await before[Symbol.asyncDispose]();
    const env = { DATABASE_URL: directory.database, RAW_DELIVERY_DAYS: "0" };
    await using after = await startGateway(NO_SERVICE, env, { purgeTimes: { firstAfterMs: 0, intervalMs: 100 } });
    await after.deliver(callEndedEvent());
    await until(async () => (await bodies(after)).every((body) => body === null));
    expect(await bodies(after)).toEqual([null, null]);
  });

  it("ends with 0 when the reader closes the pipe", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    for (let at = 0; at < 120; at += 1) await gateway.deliver(callEndedEvent());
    const program = spawn(process.execPath, [CLI, "events", "--url", gateway.url], { env: onSameClock({}) });
    let stderr = "";
    program.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    program.stdout.once("data", () => program.stdout.destroy());
    expect([await new Promise((resolve) => program.once("close", resolve)), stderr]).toEqual([0, ""]);
  });
});
