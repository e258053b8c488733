import { describe, expect, it } from "vitest";
import { SANDBOX_TOKEN } from "../../src/commands/sandboxCommand.ts";
import { MAIN, temporaryDirectory } from "../support/gateway.ts";
import { startProgram, type Environment } from "../support/program.ts";

/** Starts a gateway with its embedded sandbox. `statusFor` is the sandbox's answer to a token. */
async function start(env: Environment = {}) {
  const directory = await temporaryDirectory();
  const program = startProgram([MAIN], { PORT: "0", SANDBOX_PORT: "0", ...env }, directory.path);
  const { url, sandbox } = (await program.line(({ msg }) => msg === "the gateway listens")) as Record<string, string>;
  const statusFor = async (token: string) =>
    (await fetch(`${sandbox}/sandbox`, { headers: { authorization: `Bearer ${token}` } })).status;
  return {
    program,
    statusFor,
    ask: (query: string) =>
      fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query }),
      }).then((answer) => answer.json()),
    async [Symbol.asyncDispose]() {
      await program[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

describe("A77: the embedded sandbox", () => {
  it("has a random token, which only its gateway knows", async () => {
    await using started = await start();
    expect(await started.statusFor(SANDBOX_TOKEN)).toBe(401);
    expect(await started.ask("{ callLogs(first: 1) { totalCount } }")).toMatchObject({
      data: { callLogs: { totalCount: expect.any(Number) } },
    });
  });

  it("has the token in SANDBOX_TOKEN if that is set", async () => {
    await using started = await start({ SANDBOX_TOKEN: "mine" });
    expect([await started.statusFor("mine"), await started.statusFor(SANDBOX_TOKEN)]).toEqual([200, 401]);
  });
});
