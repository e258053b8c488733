import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, spawnGateway, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const sessionOf = (line: string) => (JSON.parse(line) as { sessionId: string }).sessionId;

describe("switchboard events", () => {
  it("prints every page of the log, each revision once, in order", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const events = Array.from({ length: 230 }, (_, at) => callEndedEvent({ session_id: `s-${at}` }));
    for (const event of events) await gateway.deliver(event);
    await gateway.deliver(callEndedEvent({ session_id: "s-7", billsec: 1, end_at: "2099-01-01 00:00:00" }));
    await using program = startProgram([CLI, "events", "--url", `${gateway.url}/graphql`], {});
    expect([await program.exited, program.stderr()]).toEqual([0, ""]);
    expect(program.output.map(sessionOf)).toEqual([...events.map((_, at) => `s-${at}`), "s-7"]);
    expect(JSON.parse(program.output[230] ?? "")).toMatchObject({ revision: 2, billsec: 1, extra: { 姓名: "Li" } });
  });

  it("continues after its last entry with --follow when the gateway restarts", async () => {
    await using directory = await temporaryDirectory();
    const first = await spawnGateway(NO_SERVICE, { DATABASE_URL: directory.database });
    await first.deliver(callEndedEvent({ session_id: "before" }));
    await using program = startProgram([CLI, "events", "--follow", "--url", first.url], {});
    await until(() => program.output.length === 1);
    first.process.kill("SIGKILL");
    await first.exited;
    await until(() => program.stderr().includes("Retrying.\n"));
    expect(program.stderr().split("\n")[0]).toMatch(
      /^(The connection to the gateway broke|No gateway answers at .+)\. Retrying/,
    );
    const { port } = new URL(first.url);
    await using second = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database, PORT: port });
    for (const session_id of ["between", "after"]) await second.deliver(callEndedEvent({ session_id }));
    await until(() => program.output.length === 3);
    expect(program.output.map(sessionOf)).toEqual(["before", "between", "after"]);
  });

  it("ends with 0 when the reader closes the pipe", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    for (let at = 0; at < 120; at += 1) await gateway.deliver(callEndedEvent());
    const program = spawn(process.execPath, [CLI, "events", "--url", gateway.url], { env: {} });
    let stderr = "";
    program.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    program.stdout.once("data", () => program.stdout.destroy());
    expect([await new Promise((resolve) => program.once("close", resolve)), stderr]).toEqual([0, ""]);
  });
});
