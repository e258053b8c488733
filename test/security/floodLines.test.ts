// docs/runbook.md, "One key floods": the log names the key, whichever limit refuses it.
import { describe, expect, it, onTestFinished } from "vitest";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";

const FLOODED = ({ msg }: Record<string, unknown>) => msg === "a viewer is refused by its limits";

async function start(env: Record<string, string>) {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const file = await writeKeys(directory.path, { web: ["calls:read"], ops: ["calls:read"] });
  const gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: file, ...env });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const ask = async (query: string, viewer = "web") => {
    const { errors } = await gateway.ask(query, undefined, { authorization: bearer(viewer) });
    return errors?.[0]?.extensions["code"];
  };
  const lines = () => gateway.output.map((line) => JSON.parse(line) as Record<string, unknown>).filter(FLOODED);
  return { gateway, ask, lines };
}

describe("One key floods", () => {
  it.each([
    [
      "RATE_LIMIT",
      { RATE_LIMIT: "1" },
      (at: number) => `{ task(taskId: "${at + 1}") { name } }`,
      "RATE_LIMITED",
      "requests",
    ],
    ["RATE_LIMIT of refused operations", { RATE_LIMIT: "1" }, () => "{ nothing }", "RATE_LIMITED", "refusedOperations"],
    [
      "LOG_RATE_LIMIT",
      { LOG_RATE_LIMIT: "1000", LOG_BUDGET: "1000" },
      () => "{ callEndedEvents(first: 100) { nodes { sessionId } } }",
      "RATE_LIMITED",
      "rows",
    ],
    [
      "QUERY_BUDGET",
      { QUERY_BUDGET: "1" },
      () => '{ a: task(taskId: "1") { name } b: task(taskId: "2") { name } }',
      "QUERY_TOO_COMPLEX",
      "operationSize",
    ],
  ])("%s: the log names it in one line, and no other", async (_, env, query, code, limit) => {
    const { ask, lines, gateway } = await start(env);
    const codes: unknown[] = [];
    for (let at = 0; at < 20; at += 1) codes.push(await ask(query(at)));
    expect(codes).toContain(code);
    await ask("{ serviceTimeZone }", "ops");
    expect(lines()).toMatchObject([{ level: "warn", viewer: "web", limits: { [limit]: 1 } }]);
    expect(lines()[0]?.["refused"]).toBe(1);
    const text = gateway.output.join("\n");
    expect(text).not.toContain("key-of-web");
  });
});
