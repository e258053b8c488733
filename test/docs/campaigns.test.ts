// Runs docs/campaigns.md from its first block to its last: an empty gateway beside a service with a past, the import, and the second round.
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.ts";
import { gatewayAt, MAIN, temporaryDirectory, type Directory, type GatewayAddress } from "../support/gateway.ts";
import { freePorts } from "../support/network/freePort.ts";
import { startProgram, type Program } from "../support/program.ts";
import { CLI, type SeenRequest } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { blocksOf, isShown, withHosts, type Block } from "./blocks.ts";
import { openPageShell, zoneInDaytime, type PageShell } from "./pageShell.ts";

const PAGE = "docs/campaigns.md";
const NODE = process.execPath;
const blocks = blocksOf(PAGE);
const isStart = ({ code }: Block) => /\bnpm (?:start|run sandbox)\n$/.test(code);
const [sandboxStart, gatewayStart, ...otherStarts] = blocks.filter(isStart);
/** Each call of a number that the page's first campaign reached. */
const REACHED = ["10000000011", "10000000012"];
const UNREACHED = ["10000000033", "10000000052", "10000000016"];

const zone = zoneInDaytime();
let directory: Directory;
let programs: AsyncDisposableStack;
let hosts: Record<string, string>;
let gateway: GatewayAddress;
let gatewayProgram: Program;
let shell: PageShell;
const here = (text: string) => withHosts(text, hosts).replaceAll("Asia/Shanghai", zone);

/** As in a terminal of its own, from the page's text. Programs of this checkout take the place of npm's. */
function startAs(block: Block | undefined, env: Record<string, string>): Program {
  const npm = `npm() { if [ "$1" = start ]; then exec "${NODE}" "${MAIN}"; else exec "${NODE}" "${CLI}" "$2"; fi; }`;
  const script = `${npm}\n${here(block?.code ?? "")}`;
  return programs.use(startProgram(["-c", script], env, directory.path, "bash"));
}

beforeAll(async () => {
  directory = await temporaryDirectory();
  programs = new AsyncDisposableStack();
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  hosts = { "127.0.0.1:4000": `127.0.0.1:${port}`, "127.0.0.1:4010": `127.0.0.1:${sandboxPort}` };
  gateway = gatewayAt(`http://127.0.0.1:${port}`);
  const sandbox = startAs(sandboxStart, { SANDBOX_PORT: String(sandboxPort), SANDBOX_TIME_ZONE: zone });
  await sandbox.line(({ msg }) => msg === "The sandbox listens.");
  gatewayProgram = startAs(gatewayStart, { PORT: String(port), CONSOLE: "off" });
  await gatewayProgram.line(({ msg }) => msg === "the gateway listens");
  const npx = `npx() { shift 2; "${NODE}" "${CLI}" "$@" < /dev/null 2>&1; }\n`;
  shell = programs.use(openPageShell({ PORT: String(port) }, `cd "${ROOT}"\n${npx}`));
});
afterAll(async () => {
  await programs[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const next = (block: Block) => blocks[blocks.indexOf(block) + 1];
const answerOf = (printed: string) => {
  const { extensions: _, ...answer } = JSON.parse(printed) as Record<string, unknown>;
  return answer;
};

/** Asks again while the answer differs, as the page says, unless the command changes something. */
async function compare(block: Block, shown: string): Promise<void> {
  const expected: unknown = JSON.parse(shown);
  const isAsked = /^ask /m.test(block.code) && !block.code.includes("createTask");
  let answer: unknown = answerOf(await shell.run(here(block.code)));
  const asked = async () => {
    answer = answerOf(await shell.run(here(block.code)));
    return isDeepStrictEqual(answer, expected);
  };
  if (isAsked && !isDeepStrictEqual(answer, expected)) await until(asked).catch(() => undefined);
  expect({ command: block.code, answer }).toEqual({ command: block.code, answer: expected });
}

/** The numbers of each task that the service was asked to create. */
async function phoned(): Promise<string[][]> {
  const response = await fetch(here("http://127.0.0.1:4010/sandbox/requests"), {
    headers: { authorization: "Bearer sandbox-token" },
  });
  const requests = (await response.json()) as SeenRequest[];
  const created = requests.filter(({ method, path }) => method === "POST" && path === "/openapi/tasks");
  return created.map(({ body }) => (body as { numbers: { number: string }[] }).numbers.map(({ number }) => number));
}

describe("docs/campaigns.md, walked from top to bottom", () => {
  const walked = blocks.slice(
    0,
    blocks.findIndex(({ language }) => language === "graphql"),
  );
  const reference = blocks.slice(walked.length);

  it("starts a service with a past and an empty gateway that says how to fill its log", () => {
    expect(otherStarts).toEqual([]);
    const shown = blocks.find(({ language }) => language === "text");
    expect(isShown(shown?.code ?? "", gatewayProgram.output.join("\n"))).toBe(true);
  });

  it("imports, counts, checks, sends and follows the second round with the answers that it shows", async () => {
    const commands = walked.filter((block) => block.language === "sh" && !isStart(block));
    expect(commands.length).toBe(10);
    for (const block of commands) {
      const result = next(block);
      if (result?.language === "json") await compare(block, result.code);
      else {
        const printed = await shell.run(here(block.code));
        expect([isShown(result?.code ?? "", printed), printed]).toEqual([true, printed]);
      }
    }
  });

  it("phones those who were not reached once, and nobody else", async () => {
    expect(await phoned()).toEqual([UNREACHED]);
    // Another round from the first task, which the page only checks.
    const created = walked.find(({ code }) => code.includes("createTask"))?.code ?? "";
    const again = here(created.replace('"renewals-second-round"', '"renewals-third-round"'));
    expect(answerOf(await shell.run(again))).toMatchObject({
      data: { createTask: { submission: { status: "ACCEPTED", numberCount: 1 }, errors: [] } },
    });
    const rounds = await phoned();
    expect(rounds).toHaveLength(2);
    expect(rounds.flat().filter((number) => REACHED.includes(number))).toEqual([]);
    expect(UNREACHED).toContain(rounds[1]?.[0]);
  });

  it("runs the documents and commands of the rest of the page against the same gateway", async () => {
    const variables = { taskId: "424242", first: 5, after: null };
    for (const block of reference.filter(({ language }) => language === "graphql")) {
      const own = next(block);
      const given = own?.language === "json" ? (JSON.parse(own.code) as object) : variables;
      expect([block.code, (await gateway.ask(block.code, given)).errors]).toEqual([block.code, undefined]);
    }
    const commands = reference.filter(({ language }) => language === "sh");
    expect(commands.length).toBe(1);
    for (const { code } of commands)
      expect(await shell.run(here(code))).toContain('"name":"recipients","build":2,"version":"2","state":"LIVE"');
  });
});
