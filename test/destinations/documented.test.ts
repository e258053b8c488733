// The pages' receivers, run as they are shown, and the file that they show.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { blocksOf } from "../docs/blocks.ts";
import { ROOT } from "../house/sources.ts";
import { tempFile } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { SECRET } from "./receiver.ts";

const block = (language: string) => {
  const [found, ...others] = blocksOf("docs/destinations.md").filter(
    ({ language: own, code }) => own === language && !/asItCame|broker|folder|bucket/.test(code),
  );
  if (!found || others.length > 0) throw new Error(`The page has not one block of ${language}.`);
  return found.code;
};

/** Its lines of JSON, and the port that the first one tells. */
async function run(command: string, extension: string, code: string) {
  // Beside node_modules, so that a program finds its package.
  const folder = mkdtempSync(join(ROOT, "node_modules", ".receiver-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, `receiver.${extension}`);
  writeFileSync(file, code);
  const program = spawn(command, [file], {
    env: { PATH: process.env["PATH"], WEBHOOK_SECRET: SECRET, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    program.kill();
    if (program.exitCode === null) await new Promise((resolve) => program.once("exit", resolve));
  });
  const lines: { id?: string; sessionId?: string; port?: number }[] = [];
  createInterface(program.stdout).on("line", (line) => lines.push(JSON.parse(line) as object));
  const port = await until(() => lines[0]?.port);
  return { host: `127.0.0.1:${port}`, lines };
}

describe("docs/destinations.md", () => {
  it.each([
    ["Node", process.execPath, "mjs", "js"],
    ["Python", "python3", "py", "python"],
  ])(
    "shows a receiver in %s that takes signed events once, and refuses others",
    async (_, command, extension, language) => {
      const { host, lines } = await run(command, extension, block(language));
      const definition = (JSON.parse(block("json")) as object[])[0];
      const file = tempFile("destinations.json");
      const own = { url: `http://${host}/calls`, secrets: [SECRET, SECRET.replace("AQE", "AgI")], filter: {} };
      writeFileSync(file, JSON.stringify([{ ...definition, ...own }]));
      const env = { DESTINATIONS_FILE: file, DESTINATION_HOSTS: host };
      await using gateway = await startGateway(NO_SERVICE, env);
      const event = callEndedEvent();
      const id = String(event.event_data["session_id"]);
      await gateway.deliver(event);
      await until(() => lines.length === 2);
      expect(lines[1]).toEqual({ id: expect.any(String) as string, sessionId: id });
      const now = String(Math.floor(Date.now() / 1000));
      // What is no text of ASCII ended a comparison with an error: https://github.com/mishrasanjeev/grantex/pull/892,
      // and a time that is none passed as one: https://github.com/thirdweb-dev/js/pull/7103
      for (const [timestamp, signature] of [
        [now, "v1,AAAA"],
        [now, "v1,\u00e9"],
        [now, ""],
        ["\u00b2", "v1,AAAA"],
        ["9".repeat(5000), "v1,AAAA"],
      ] as const) {
        const headers = { "webhook-id": "x", "webhook-timestamp": timestamp, "webhook-signature": signature };
        const forged = await fetch(`http://${host}/calls`, { method: "POST", headers, body: "{}" });
        expect([forged.status, lines.length]).toEqual([401, 2]);
      }
    },
  );
});
