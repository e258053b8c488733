import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createWaiting } from "../../src/util/start/waiting.ts";
import { MAIN, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const EXISTING = { DATABASE_MUST_EXIST: "true" };

describe("A start that creates a database", () => {
  it("says so in a warning and in the greeting, and a start on an existing one does not", async () => {
    await using directory = await temporaryDirectory();
    const env = { PORT: "0", SANDBOX_PORT: "0", DATABASE_URL: `${directory.database}\r\n`, CONSOLE: "off" };
    const start = async () => {
      await using program = startProgram([MAIN], env, directory.path);
      await until(() => program.stderr().includes("Ctrl+C"));
      program.process.kill("SIGTERM");
      await program.exited;
      const warnings = program.output.filter((line) => line.includes("A NEW, EMPTY DATABASE WAS CREATED"));
      return [warnings.length, program.stderr().includes("A NEW, EMPTY DATABASE")];
    };
    expect(await start()).toEqual([1, true]);
    expect(await start()).toEqual([0, false]);
    // No second file whose name has the line break.
    expect(readdirSync(directory.path).filter((name) => name.includes("\r"))).toEqual([]);
  });
});

describe("DATABASE_MUST_EXIST=true", () => {
  it("lets the start wait where the file is missing, and creates neither file nor folder", async () => {
    await using directory = await temporaryDirectory();
    const folder = join(directory.path, "not-mounted");
    const env = { PORT: "0", SANDBOX_PORT: "0", DATABASE_URL: `file:${folder}/calls.db`, ...EXISTING };
    await using program = startProgram([MAIN], env, directory.path);
    const { reason } = await program.line(({ msg }) => String(msg).startsWith("the start waits"));
    expect(reason).toContain("DATABASE_URL names no database of a gateway, and DATABASE_MUST_EXIST is true");
    expect(existsSync(folder)).toBe(false);
  });

  it("lets the start wait for a missing folder of recordings, too", async () => {
    await using directory = await temporaryDirectory();
    const first = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database });
    await first[Symbol.asyncDispose]();
    const env = { DATABASE_URL: directory.database, RECORDINGS_DIR: join(directory.path, "recordings"), ...EXISTING };
    const waits = Promise.withResolvers<unknown>();
    const waiting = createWaiting({ log: { warn: ({ reason }) => waits.resolve(reason) } });
    const starting = startGateway(NO_SERVICE, env, { waiting });
    expect(await Promise.race([waits.promise, starting])).toContain("RECORDINGS_DIR names no folder");
    expect(existsSync(env.RECORDINGS_DIR)).toBe(false);
    mkdirSync(env.RECORDINGS_DIR);
    await using second = await starting;
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  });
});
