// Runs docs/getting-started.md from its first command to its last, and compares what comes with what the page shows.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";
import { startForPeople, type StartedForPeople } from "../support/startedForPeople.ts";
import { until } from "../support/until.ts";
import { blocksOf, isShown, withHosts, type Block } from "./blocks.ts";
import { openPageShell, zoneInDaytime } from "./pageShell.ts";

const blocks = blocksOf("docs/getting-started.md");
/** A day of calls should not end while the test runs. */
const zone = zoneInDaytime();

let directory: Directory;
let started: StartedForPeople;
let here: (text: string) => string;
beforeAll(async () => {
  directory = await temporaryDirectory();
  // Faster than for people, so that the task's call ends soon.
  const env = { SANDBOX_TOKEN: "sandbox-token", SANDBOX_TIME_ZONE: zone, SANDBOX_SPEED: "20", CONSOLE: "off" };
  started = await startForPeople(directory.path, env);
  const { url } = await started.program.line(({ msg }) => msg === "The sandbox listens.");
  here = (page) =>
    withHosts(page, {
      "127.0.0.1:4000": new URL(started.url).host,
      "127.0.0.1:4010": new URL(String(url)).host,
    }).replaceAll("Asia/Shanghai", zone);
  await started.begun();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

/** The block of results behind a command, or null. */
const shownBy = (block: Block) => {
  const next = blocks[blocks.indexOf(block) + 1];
  return next && next.language !== "sh" ? next : null;
};

const commands = blocks.filter(({ language, code }) => language === "sh" && !code.startsWith("npm "));

describe("docs/getting-started.md", () => {
  it("shows what the terminal says at the start", async () => {
    const shown = blocks.find(({ language, heading }) => language === "text" && heading === "Start");
    const said = await until(() => started.program.stderr().includes("Ctrl+C") && started.program.stderr());
    expect(isShown(here(shown?.code ?? ""), said)).toBe(true);
  });

  it("shows the answer to each command", async () => {
    expect(commands.length).toBe(8);
    await using shell = openPageShell();
    // A stream ends here when it has shown what the page waits for.
    const run = ({ code }: Block) =>
      shell.run(here(code.includes("curl -sN") ? `${code.trim()} | sed '/while-away/q'\n` : code));
    for (const block of commands) {
      const shown = shownBy(block);
      if (shown?.language === "json") {
        const expected = (JSON.parse(here(shown.code)) as { data: unknown }).data;
        // The event is there when the sandbox's webhook has come, and the last answer when the sandbox has called the task's number.
        await until(async () => {
          const { data } = JSON.parse(await run(block)) as { data: unknown };
          const isWaiting = /"callEnded":null|"ACCEPTED","task":null/.test(JSON.stringify(data)) || isRunning(data);
          if (!isWaiting) expect(data).toEqual(expected);
          return !isWaiting;
        });
      } else {
        const output = await run(block);
        if (shown) expect([isShown(here(shown.code), output), output]).toEqual([true, output]);
      }
    }
  });
});

const isRunning = (data: unknown) => /"task":\{"status":"(?:RUNNING|PENDING)"/.test(JSON.stringify(data));
