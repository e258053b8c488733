import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { reportListenError } from "../../src/commands/runServer.ts";
import { MAIN, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";

async function takePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  return { port: String(port), [Symbol.dispose]: () => void server.close() };
}

const free = { PORT: "0", SANDBOX_PORT: "0" };

describe("a port that is taken", () => {
  it.each([
    ["the gateway", [MAIN], "PORT"],
    ["its metrics", [MAIN], "METRICS_PORT"],
    ["the embedded sandbox", [MAIN], "SANDBOX_PORT"],
    ["a sandbox alone", [CLI, "sandbox"], "SANDBOX_PORT"],
  ])("is reported for %s with the variable to set, and the exit code is 78", async (_, args, name) => {
    using taken = await takePort();
    await using directory = await temporaryDirectory();
    await using program = startProgram(args, { ...free, [name]: taken.port }, directory.path);
    expect(await program.exited).toBe(78);
    const problem = `  ${name}: port ${taken.port} is taken by another program; set ${name} to a free one, or to 0\n`;
    expect(program.stderr()).toBe(`The configuration cannot be used:\n${problem}`);
  });
});

describe("reportListenError", () => {
  const report = reportListenError("calls.example", { PORT: 80, METRICS_PORT: null, SANDBOX_PORT: 81 });
  const listening = { syscall: "listen", code: "EACCES" };

  it.each([
    [{ ...listening, port: 80 }, "HOST and PORT cannot be listened on (EACCES)"],
    [{ ...listening, port: 81 }, "SANDBOX_PORT cannot be listened on (EACCES)"],
    [{ ...listening, code: "EADDRNOTAVAIL" }, "HOST and PORT cannot be listened on (EADDRNOTAVAIL)"],
    [{ syscall: "getaddrinfo", code: "ENOTFOUND", hostname: "calls.example" }, "HOST has no address (ENOTFOUND)"],
  ])("names the variables for %o", (fields, text) => {
    expect(() => report(Object.assign(new Error("x"), fields))).toThrow(text);
  });

  it.each([
    { syscall: "mkdir", code: "EACCES" },
    { syscall: "getaddrinfo", code: "ENOTFOUND", hostname: "database.example" },
  ])("throws any other error unchanged: %o", (fields) => {
    const error = Object.assign(new Error("x"), fields);
    expect(() => report(error)).toThrow(error);
  });
});

describe("switchboard sandbox", () => {
  it("starts with any values in the gateway's variables", async () => {
    const env = {
      HOST: "0.0.0.0",
      PORT: "canary",
      UPSTREAM_URL: "canary",
      UPSTREAM_TOKEN: "canary ",
      UPSTREAM_TIME_ZONE: "canary",
      WEBHOOK_AUTHORIZATION: "canary\n",
      JWT_ISSUER: "canary",
      SANDBOX_TOKEN: "",
    };
    await using program = startProgram([CLI, "sandbox"], { ...env, SANDBOX_PORT: "0" });
    expect(await program.line(({ msg }) => msg === "The sandbox listens.")).toMatchObject({
      timeZone: "Asia/Shanghai",
    });
  });

  it("names each of its own bad variables", async () => {
    const env = { SANDBOX_PORT: "canary", SANDBOX_TIME_ZONE: "canary", LOG_LEVEL: "canary", PORT: "canary" };
    await using program = startProgram([CLI, "sandbox"], env);
    expect(await program.exited).toBe(78);
    const named = [...program.stderr().matchAll(/^ {2}(\w+) must be/gm)].map(([, name]) => name);
    expect(named).toEqual(["SANDBOX_PORT", "SANDBOX_TIME_ZONE", "LOG_LEVEL"]);
    expect(program.stderr()).not.toContain("canary");
  });
});
