// `switchboard mcp`: lets a program of this machine, which speaks the Model Context Protocol over standard input and output, use the tools
// of a gateway. Each message is one line. The key is in SWITCHBOARD_KEY, so that it is in no file of the program.
import { exitWhenReaderCloses, printLine } from "../output.ts";
import { JSON_LIMITS } from "../../config/limits.ts";
import { parseUnrounded } from "../../format/exactJson.ts";
import { isObject } from "../../format/fieldParsers.ts";
import { parseRequestJson } from "../../graphql/operationParams.ts";
import { messageIdOf, type MessageId } from "../../mcp/messageId.ts";
import { lastEventData } from "../../util/text/lastEventData.ts";
import { splitLines } from "../../util/text/splitLines.ts";
import { gatewayAccess, type GatewayAccess } from "./gatewayClient.ts";

interface Message {
  /** An integer from 2^53 on is text. */
  id?: string | number;
  method?: string;
  params?: Record<string, unknown>;
}

type Answer = Record<string, unknown>;

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const NOT_ANSWERED = -32_000;
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";

/** Resolves when standard input has ended and everything is answered. */
export async function mcpCommand(url: string | undefined, env: NodeJS.ProcessEnv): Promise<number> {
  exitWhenReaderCloses();
  const gateway = gatewayAccess(url, env, "/mcp");
  const running = new Map<string | number, AbortController>();
  const answers = new Set<Promise<void>>();
  /** The revision that a handshake of 2025 has chosen. */
  let version: string | null = null;

  /** `line`: is sent as it was written, so that no number in it is rounded. */
  async function answer(message: Message, line: string, id: string | number): Promise<void> {
    const written = messageIdOf(message, line);
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const response = await ask(gateway, message, line, version, controller.signal);
      const result = response["result"] as { protocolVersion?: unknown } | undefined;
      if (message.method === "initialize" && typeof result?.protocolVersion === "string")
        version = result.protocolVersion;
      await printLine({ ...response, id: written });
    } catch (error) {
      // Nobody waits for the answer of a cancelled request.
      if (!controller.signal.aborted) await printLine(errorOf(written, NOT_ANSWERED, (error as Error).message));
    } finally {
      running.delete(id);
    }
  }

  for await (const text of splitLines(process.stdin.setEncoding("utf8"))) {
    // Programs of Windows may begin with a byte order mark, which counts as white space.
    const line = text.trim();
    if (line === "") continue;
    const message = readLine(line);
    if (!message) {
      await printLine(
        errorOf(
          null,
          PARSE_ERROR,
          `A line must be a message of JSON-RPC 2.0, nested ${JSON_LIMITS.levels} levels at most.`,
        ),
      );
      continue;
    }
    const { id, method, params } = message;
    if (method === "notifications/cancelled") running.get(params?.["requestId"] as string)?.abort();
    // The gateway keeps nothing between requests, so notifications change nothing there.
    if (id === undefined || method === undefined) continue;
    const answered = answer(message, line, id).finally(() => answers.delete(answered));
    answers.add(answered);
  }
  await Promise.all(answers);
  return 0;
}

/** Null: it is no message, or nested more deeply than the gateway takes. */
function readLine(line: string): Message | null {
  const message = parseRequestJson(line);
  return isObject(message) ? message : null;
}

/** As the gateway wrote it, also numbers from 2^53 on. Null: it is no message. */
function readAnswer(text: string): Answer | null {
  try {
    const answer = parseUnrounded(text);
    return isObject(answer) ? answer : null;
  } catch {
    return null;
  }
}

const errorOf = (id: MessageId, code: number, message: string): Answer => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});

/** Throws an Error of one line if the gateway did not answer with a message of the protocol. */
async function ask(
  { address, headers, redirectText }: GatewayAccess,
  message: Message,
  line: string,
  version: string | null,
  signal: AbortSignal,
): Promise<Answer> {
  const init: RequestInit = {
    method: "POST",
    headers: { ...headers, ...protocolHeaders(message, version) },
    body: line,
    redirect: "manual",
    signal,
  };
  const response = await fetch(address, init).catch((cause: Error) => {
    throw new Error(`No gateway answers at ${address}.`, { cause });
  });
  if (response.status >= 300 && response.status < 400) throw new Error(redirectText(response.status));
  if (response.status === 404) throw new Error(`${address} is not there: the gateway needs MCP=on.`);
  const text = await response.text();
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const answer = readAnswer(isStream ? lastEventData(text) : text);
  if (answer && ("result" in answer || "error" in answer)) return answer;
  const [refusal] = (answer?.["errors"] as { message?: string }[] | undefined) ?? [];
  throw new Error(refusal?.message ?? `Not a gateway with tools for agents (HTTP ${response.status}). Check --url.`);
}

/** The newest revision has these headers on every request, and the others the version after the handshake. */
function protocolHeaders({ method = "", params }: Message, version: string | null): Record<string, string> {
  const stated = (params?.["_meta"] as Record<string, unknown> | undefined)?.[VERSION_KEY];
  const accepted = { accept: "application/json, text/event-stream" };
  if (typeof stated !== "string") return version === null ? accepted : { ...accepted, "mcp-protocol-version": version };
  const name = params?.["name"] ?? params?.["uri"];
  return {
    ...accepted,
    "mcp-protocol-version": stated,
    "mcp-method": method,
    ...(typeof name === "string" && { "mcp-name": headerValueOf(name) }),
  };
}

/** As the protocol encodes a text that a header could not hold as it is. */
const headerValueOf = (text: string): string =>
  /^(?!=\?base64\?|\s)[\x20-\x7e]*(?<!\s)$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`;
