import { once } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
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

const PROGRAMS = [
  ["the gateway", [MAIN], "PORT"],
  ["its metrics", [MAIN], "METRICS_PORT"],
  ["the embedded sandbox", [MAIN], "SANDBOX_PORT"],
  ["a sandbox alone", [CLI, "sandbox"], "SANDBOX_PORT"],
] as const;

describe("a port that is taken", () => {
  it("is reported at once with the variable to set, and ends the program with 1 if it stays taken", async () => {
    const endings = PROGRAMS.map(async ([what, args, name]) => {
      using taken = await takePort();
      await using directory = await temporaryDirectory();
      await using program = startProgram(args, { ...free, [name]: taken.port }, directory.path);
      const problem = `${name}: port ${taken.port} is taken by another program; set ${name} to a free one, or to 0`;
      await program.line(({ reason }) => reason === problem);
      return [what, await program.exited, program.stderr()];
    });
    const texts = PROGRAMS.map(([what, , name]) => [what, 1, expect.stringContaining(`${name}: port `)]);
    expect(await Promise.all(endings)).toEqual(texts);
  });

  it.each([
    ["the gateway", "PORT"],
    ["its metrics", "METRICS_PORT"],
  ])("is taken over by %s when the program before has ended", async (_, name) => {
    const taken = await takePort();
    await using directory = await temporaryDirectory();
    await using program = startProgram([MAIN], { ...free, [name]: taken.port }, directory.path);
    await program.line(({ reason }) => String(reason).includes("is taken"));
    taken[Symbol.dispose]();
    await program.line(({ msg }) => msg === "the gateway listens");
    const path = name === "PORT" ? "readyz" : "metrics";
    expect((await fetch(`http://127.0.0.1:${taken.port}/${path}`)).status).toBe(200);
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
