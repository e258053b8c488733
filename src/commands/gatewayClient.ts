// A client of a running gateway. Commands ask its graph, for the database is its process', and not opened from outside.
import { ConfigError, variables } from "../config/config.ts";
import { httpUrl, readVariables, secretText } from "../config/configRules.ts";
import { UsageError } from "./options.ts";

/** The gateway has refused, and would again. Any other error may pass: of the gateway, or of the way to it. One line. */
export class GatewayRefusal extends Error {
  override readonly name = "GatewayRefusal";
  /** Where to go on behind entries of the log that are missing; null: it was refused for another reason. */
  readonly cursor: string | null;

  constructor(message: string, cursor: string | null = null) {
    super(message);
    this.cursor = cursor;
  }
}

export interface GatewayClient {
  /** What `data` holds. Throws GatewayRefusal, or an Error of one line where the gateway fails or does not answer. */
  ask<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
  /** Each result of a subscription, until its stream ends; throws as `ask` does, and where the connection breaks. */
  listen<T>(query: string, variables?: Record<string, unknown>): AsyncIterableIterator<T>;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Result<T> {
  data?: T | null;
  errors?: { message: string; extensions?: { code?: string; retryable?: boolean; cursor?: string } }[];
}

/**
 * `url` is the gateway's own address or its /graphql; default: PORT's on this machine. The key is SWITCHBOARD_KEY. Throws
 * UsageError or ConfigError where one of them cannot be used.
 */
export function createGatewayClient(url: string | undefined, env: Environment): GatewayClient {
  const address = `${baseOf(url, env).replace(/\/(graphql\/?)?$/, "")}/graphql`;
  // A key that was read from a file often ends with its line.
  const given = { SWITCHBOARD_KEY: env["SWITCHBOARD_KEY"]?.trim() };
  const { SWITCHBOARD_KEY: key } = readVariables({ SWITCHBOARD_KEY: secretText.optional() }, given);

  async function post(accept: string, body: unknown): Promise<Response> {
    const headers = {
      accept,
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    };
    return fetch(address, { method: "POST", headers, body: JSON.stringify(body) }).catch((cause: Error) => {
      throw new Error(`No gateway answers at ${address}.`, { cause });
    });
  }
  function dataOf<T>({ data, errors }: Result<T>, status: number): T {
    const [error] = errors ?? [];
    if (error) throw failureOf(error);
    if (data == null) throw new Error(`What answers there is no gateway: it said ${status}.`);
    return data;
  }
  function failureOf({ message, extensions = {} }: NonNullable<Result<unknown>["errors"]>[0]) {
    const { code, retryable, cursor } = extensions;
    const unknown =
      key === undefined
        ? "The gateway asks for a key: set SWITCHBOARD_KEY."
        : "The gateway does not know the key in SWITCHBOARD_KEY.";
    const told = `${code ?? "The gateway failed"}: ${code === "UNAUTHENTICATED" ? unknown : message}`;
    return retryable ? new Error(told) : new GatewayRefusal(told, cursor);
  }
  return {
    async ask<T>(query: string, variables: Record<string, unknown> = {}) {
      const response = await post("application/json", { query, variables });
      return dataOf(await resultIn<T>(response), response.status);
    },
    async *listen<T>(query: string, variables: Record<string, unknown> = {}) {
      const response = await post("text/event-stream", { query, variables });
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        dataOf(await resultIn<T>(response), response.status);
      }
      for await (const text of eventsOf(response)) yield dataOf(JSON.parse(text) as Result<T>, response.status);
    },
  };
}

function baseOf(url: string | undefined, env: Environment): string {
  if (url === undefined) {
    const { PORT } = readVariables({ PORT: variables.PORT }, env);
    if (PORT === 0) throw new ConfigError(["PORT is 0: where the gateway listens is to be told by --url"]);
    return `http://127.0.0.1:${PORT}`;
  }
  const [issue] = httpUrl.safeParse(url).error?.issues ?? [];
  if (issue) throw new UsageError(`--url ${issue.message}.`);
  return url;
}

function broke(cause: unknown): never {
  throw new Error("The connection to the gateway broke.", { cause });
}

/** Empty for what is no result at all. */
async function resultIn<T>(response: Response): Promise<Result<T>> {
  const text = await response.text().catch(broke);
  try {
    return (JSON.parse(text) as Result<T> | null) ?? {};
  } catch {
    return {};
  }
}

/** The data of each `next` of a stream in the form of graphql-sse's distinct connections. */
async function* eventsOf(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of piecesOf(response)) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data && /^event: next$/m.test(block)) yield data;
    }
  }
}

async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (body) yield* body;
  } catch (error) {
    broke(error);
  }
}
