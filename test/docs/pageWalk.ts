// Walks a page as a newcomer does: its programs in terminals of their own, its commands in one shell, and each answer beside what is shown.
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { gatewayAt, MAIN, temporaryDirectory, type GatewayAddress } from "../support/gateway.ts";
import { freePorts } from "../support/network/freePort.ts";
import { startProgram, type Environment, type Program } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { blocksOf, isShown, withHosts, type Block } from "./blocks.ts";
import { openPageShell, zoneInDaytime } from "./pageShell.ts";

export interface PageWalk extends AsyncDisposable {
  blocks: readonly Block[];
  gateway: GatewayAddress;
  /** The page's text with the addresses and the zone of the test. */
  here(text: string): string;
  /** Runs `npm start` or `npm run sandbox` in a terminal of its own, with the variables that the block sets. */
  start(block: Block | undefined): Program;
  /** Runs a text in the page's shell. */
  run(command: string): Promise<string>;
  /** Runs a block, and compares what it prints with the block of results that follows it, if one does. */
  follow(block: Block): Promise<void>;
}

export const isStart = ({ language, code }: Block) => language === "sh" && /\bnpm (?:start|run sandbox)\n$/.test(code);

const NODE = process.execPath;
/** Programs of this checkout take the place of npm's. */
const NPM = `npm() { if [ "$1" = start ]; then exec "${NODE}" "${MAIN}"; else exec "${NODE}" "${CLI}" "$2"; fi; }\n`;
const NPX = `npx() { shift 2; "${NODE}" "${CLI}" "$@" < /dev/null 2>&1; }\n`;

export async function createPageWalk(page: string): Promise<PageWalk> {
  await using parts = new AsyncDisposableStack();
  const { path } = parts.use(await temporaryDirectory());
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  const hosts = { "127.0.0.1:4000": `127.0.0.1:${port}`, "127.0.0.1:4010": `127.0.0.1:${sandboxPort}` };
  const zone = zoneInDaytime();
  const here = (text: string) => withHosts(text, hosts).replaceAll("Asia/Shanghai", zone);
  const ports: Environment = { PORT: String(port), SANDBOX_PORT: String(sandboxPort) };
  const env = { ...ports, SANDBOX_TIME_ZONE: zone, CONSOLE: "off" };
  const { run } = parts.use(openPageShell({ PORT: String(port) }, `cd "${path}"\n${NPX}`));
  const blocks = blocksOf(page);
  const running = parts.move();

  async function follow(block: Block): Promise<void> {
    const command = here(block.code);
    const shown = blocks[blocks.indexOf(block) + 1];
    const printed = await run(command);
    if (shown?.language === "text")
      expect({ command, printed, isShown: isShown(here(shown.code), printed) }).toMatchObject({ isShown: true });
    if (shown?.language !== "json") return;
    const expected: unknown = JSON.parse(here(shown.code));
    let answer = answerOf(printed, expected);
    // Asks again while the answer differs, as the pages say, unless the command changes something.
    const isQuestion = /^(?:ask|check)\b/m.test(command) && !command.includes("createTask");
    const agrees = async () => {
      if (isDeepStrictEqual(answer, expected)) return true;
      answer = answerOf(await run(command), expected);
      return false;
    };
    if (isQuestion) await until(agrees).catch(() => undefined);
    expect({ command, answer }).toEqual({ command, answer: expected });
  }

  return {
    blocks,
    gateway: gatewayAt(`http://127.0.0.1:${port}`),
    here,
    start: (block) => running.use(startProgram(["-c", NPM + here(block?.code ?? "")], env, path, "bash")),
    run,
    follow,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Without `extensions`, and with "…" for a text where the page shows that. */
function answerOf(printed: string, shown: unknown): unknown {
  const { extensions: _, ...answer } = JSON.parse(printed) as Record<string, unknown>;
  return asShown(answer, shown);
}

function asShown(actual: unknown, shown: unknown): unknown {
  if (shown === "…" && typeof actual === "string") return shown;
  if (typeof actual !== "object" || actual === null || typeof shown !== "object" || shown === null) return actual;
  const at = (key: string): unknown => Object.entries(shown).find(([name]) => name === key)?.[1];
  const entries = Object.entries(actual).map(([key, value]) => [key, asShown(value, at(key))] as const);
  return Array.isArray(actual) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}
