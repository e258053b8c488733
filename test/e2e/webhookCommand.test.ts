import { describe, expect, it } from "vitest";
import { exchange } from "../server/serve.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { CLI, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const start = (gateway: { url: string }, args: readonly string[] = [], env: Environment = {}) =>
  startProgram([CLI, "doctor", "--webhook", "--url", gateway.url, ...args], env);

const NOTHING_CAME = expect.stringMatching(
  /^none {5}No webhook was accepted in this time, and none was refused: .*certificate/,
);

/** Looks once. */
async function look(gateway: { url: string }, args: readonly string[] = [], env: Environment = {}) {
  await using program = start(gateway, ["--timeout", "0", ...args], env);
  return { code: await program.exited, lines: program.output, stderr: program.stderr() };
}

/** A call that ended this many minutes from now, by the service's clock in China. */
function endedIn(minutes: number) {
  const wallClock = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  const end = Date.now() + minutes * 60_000;
  return callEndedEvent({
    start_at: wallClock(end - 60_000),
    end_at: wallClock(end),
    answer_at: wallClock(end - 30_000),
  });
}

const post = (gateway: TestGateway, path: string, headers: Record<string, string>, method: "POST" | "PUT" = "POST") =>
  fetch(gateway.url + path, { method, headers, body: "{}" });

describe("switchboard doctor --webhook", () => {
  it("waits for a webhook, says why others are refused, and ends with 0 when one was read", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    await using program = start(gateway);
    await until(() => program.stderr().includes("Waiting for a webhook."));
    const right = { authorization: WEBHOOK_AUTHORIZATION };
    await post(gateway, "/calllog", { authorization: `Bearer ${WEBHOOK_AUTHORIZATION}` });
    await post(gateway, "/calllog", {});
    await post(gateway, "/calllogs", right);
    await post(gateway, "/calllog", right, "PUT");
    await until(() => program.output.length >= 4);
    for (const problem of [
      "refused  A request came with another Authorization header than WEBHOOK_AUTHORIZATION",
      "refused  A request came without an Authorization header, which anybody can send",
      "refused  A request came with the right header, and to another path than WEBHOOK_PATH",
      "refused  A request came with the right header, and not by POST",
    ])
      expect(program.output).toContainEqual(expect.stringContaining(problem));
    expect((await gateway.deliver(endedIn(0))).status).toBe(200);
    expect(await program.exited).toBe(0);
    expect(program.output.at(-1)).toMatch(/^arrived {2}A webhook was accepted and read at 20/);
    // It was there before the next one looks.
    expect(await look(gateway)).toMatchObject({ code: 0, lines: [expect.stringContaining("arrived")] });
    expect(program.output.join("") + program.stderr()).not.toContain(WEBHOOK_AUTHORIZATION);
  });

  it("says that none came, with 1, and names the reason of one that was refused after another was accepted", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    expect(await look(gateway)).toMatchObject({ code: 1, lines: [NOTHING_CAME] });
    await gateway.deliver(endedIn(0));
    const port = Number(new URL(gateway.url).port);
    const head = `POST /calllog HTTP/1.1\r\nhost: not,usable\r\nauthorization: ${WEBHOOK_AUTHORIZATION}\r\n`;
    await exchange(port, `${head}content-length: 0\r\nconnection: close\r\n\r\n`);
    const { code, lines } = await until(async () => {
      const seen = await look(gateway);
      return seen.lines.length === 2 && seen;
    });
    expect([code, lines[0]]).toEqual([1, expect.stringContaining("a Host header that is no host name")]);
  });

  it("tells what was refused before it waits apart, and that nothing reached the gateway meanwhile", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    await post(gateway, "/calllog", { authorization: "another" });
    await post(gateway, "/calllog", { authorization: "another" });
    await using silent = start(gateway, ["--timeout", "1"]);
    expect(await silent.exited).toBe(1);
    expect(silent.output).toEqual([
      expect.stringMatching(/^before {3}Refused until now: 2 WRONG_HEADER\. The last one came at 20.*Z\.$/),
      NOTHING_CAME,
    ]);
    await using program = start(gateway);
    await until(() => program.output.length === 1);
    await post(gateway, "/calllog", { authorization: "another" });
    await until(() => program.output.length === 2);
    expect(program.output[1]).toContain("refused  A request came with another Authorization header");
    await gateway.deliver(endedIn(0));
    expect(await program.exited).toBe(0);
  });

  it("says that a webhook could not be read, or does not end a call", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    await gateway.deliver("no JSON");
    expect(await look(gateway)).toMatchObject({
      code: 1,
      lines: [expect.stringContaining("switchboard quarantine shows it")],
    });
    await gateway.deliver(endedIn(0));
    expect((await look(gateway)).code).toBe(0);
  });

  it.each([
    [60, 78, "calls end 60 minutes after their webhooks come: it is wrong"],
    [-480, 0, "Its call ended 480 minutes before: it came late, or UPSTREAM_TIME_ZONE is wrong"],
  ])("suspects the time zone of a first call that ended %d minutes from now", async (minutes, expected, text) => {
    await using gateway = await startGateway(NO_SERVICE);
    await gateway.deliver(endedIn(minutes));
    const { code, lines } = await look(gateway);
    expect([code, lines.at(-1)]).toEqual([expected, expect.stringContaining(text)]);
  });

  it("asks with a key that has admin alone, prints JSON, and says what another key lacks", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { ops: ["admin"], web: ["calls:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: file });
    await gateway.deliver(endedIn(60));
    // Without calls:read, one call says nothing of the zone.
    const { code, lines } = await look(gateway, ["--json"], { SWITCHBOARD_KEY: keyOf("ops") });
    expect([code, JSON.parse(lines[0] ?? "")]).toEqual([
      0,
      expect.objectContaining({ outcome: "arrived", timesAheadMinutes: 0 }),
    ]);
    const web = await look(gateway, [], { SWITCHBOARD_KEY: keyOf("web") });
    expect([web.code, web.stderr]).toEqual([1, expect.stringMatching(/^FORBIDDEN: /)]);
    const none = await look(gateway);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining("set SWITCHBOARD_KEY")]);
  });

  it("says where no gateway answers, and goes on while one starts anew", async () => {
    const none = await look({ url: "http://127.0.0.1:9" });
    expect([none.code, none.stderr]).toEqual([1, "No gateway answers at http://127.0.0.1:9/graphql.\n"]);
    const first = await startGateway(NO_SERVICE);
    const PORT = new URL(first.url).port;
    await using program = start(first);
    await until(() => program.stderr().includes("Waiting for a webhook."));
    await first[Symbol.asyncDispose]();
    await using second = await startGateway(NO_SERVICE, { PORT });
    await second.deliver(endedIn(0));
    expect(await program.exited).toBe(0);
  });

  it.each([
    [["--timeout", "soon"], "--timeout must be a whole number of seconds"],
    [["--timeout", "-1"], "--timeout must be a whole number of seconds"],
  ])("refuses %j with 64", async (args, problem) => {
    await using program = start({ url: "http://127.0.0.1:9" }, args);
    expect([await program.exited, program.stderr().split("\n")[0]]).toEqual([64, expect.stringContaining(problem)]);
  });

  it("refuses its options without --webhook", async () => {
    await using program = startProgram([CLI, "doctor", "--timeout", "1"], {});
    expect([await program.exited, program.stderr().split("\n")[0]]).toEqual([
      64,
      "--timeout, --address and --url need --webhook.",
    ]);
  });
});
