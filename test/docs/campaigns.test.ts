// Walks docs/campaigns.md from its first block to its last: an empty gateway beside a service with a past, the import, and the second round.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Program } from "../support/program.ts";
import type { SeenRequest } from "../support/sandbox.ts";
import { isShown } from "./blocks.ts";
import { createPageWalk, isStart, type PageWalk } from "./pageWalk.ts";

/** The numbers of the page's first campaign. */
const REACHED = ["10000000011", "10000000012"];
const UNREACHED = ["10000000033", "10000000052", "10000000016"];

let walk: PageWalk;
let gateway: Program;
beforeAll(async () => {
  walk = await createPageWalk("docs/campaigns.md");
  const [sandboxStart, gatewayStart, ...others] = walk.blocks.filter(isStart);
  expect(others).toEqual([]);
  await walk.start(sandboxStart).line(({ msg }) => msg === "The sandbox listens.");
  gateway = walk.start(gatewayStart);
  await gateway.line(({ msg }) => msg === "the gateway listens");
});
afterAll(() => walk[Symbol.asyncDispose]());

/** The blocks of the walk, and those of the reference that follows it. */
function parts() {
  const end = walk.blocks.findIndex(({ language }) => language === "graphql");
  return { walked: walk.blocks.slice(0, end), reference: walk.blocks.slice(end) };
}

/** The numbers of each task that the service was asked to create. */
async function phoned(): Promise<string[][]> {
  const response = await fetch(walk.here("http://127.0.0.1:4010/sandbox/requests"), {
    headers: { authorization: "Bearer sandbox-token" },
  });
  const requests = (await response.json()) as SeenRequest[];
  const created = requests.filter(({ method, path }) => method === "POST" && path === "/openapi/tasks");
  return created.map(({ body }) => (body as { numbers: { number: string }[] }).numbers.map(({ number }) => number));
}

describe("docs/campaigns.md, walked from top to bottom", () => {
  it("starts a service with a past and an empty gateway that says how to fill its log", () => {
    const shown = walk.blocks.find(({ language }) => language === "text");
    expect(isShown(shown?.code ?? "", gateway.output.join("\n"))).toBe(true);
  });

  it("imports, counts, checks, sends and follows the second round with the answers that it shows", async () => {
    const commands = parts().walked.filter((block) => block.language === "sh" && !isStart(block));
    expect(commands.length).toBe(10);
    for (const block of commands) await walk.follow(block);
  });

  it("phones those who were not reached once, and nobody else", async () => {
    expect(await phoned()).toEqual([UNREACHED]);
    // Another round from the first task, which the page only checks.
    const created = parts().walked.find(({ code }) => code.includes("createTask"))?.code ?? "";
    const again = walk.here(created.replace('"renewals-second-round"', '"renewals-third-round"'));
    expect(JSON.parse(await walk.run(again))).toMatchObject({
      data: { createTask: { submission: { status: "ACCEPTED", numberCount: 1 }, errors: [] } },
    });
    const rounds = await phoned();
    expect(rounds).toHaveLength(2);
    expect(rounds.flat().filter((number) => REACHED.includes(number))).toEqual([]);
    expect(UNREACHED).toContain(rounds[1]?.[0]);
  });

  it("runs the documents and commands of the rest of the page against the same gateway", async () => {
    const variables = { taskId: "424242", first: 5, after: null };
    const { reference } = parts();
    for (const [at, { language, code }] of reference.entries()) {
      if (language !== "graphql") continue;
      const own = reference[at + 1];
      const given = own?.language === "json" ? (JSON.parse(own.code) as object) : variables;
      expect([code, (await walk.gateway.ask(code, given)).errors]).toEqual([code, undefined]);
    }
    const commands = reference.filter(({ language }) => language === "sh");
    expect(commands.length).toBe(1);
    for (const { code } of commands)
      expect(await walk.run(walk.here(code))).toContain('"name":"recipients","build":2,"version":"2","state":"LIVE"');
  });
});
