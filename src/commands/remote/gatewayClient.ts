// Sends GraphQL requests to a running gateway. Commands use it because only the gateway's process may open its database.
import { ConfigError, variables } from "../../config/config.ts";
import { readVariables } from "../../config/readVariables.ts";
import { httpUrl, secretText } from "../../config/variableRules.ts";
import { terminalLine } from "../../util/logging/terminalText.ts";
import { UsageError } from "../options.ts";

/** The gateway refused the request and would refuse it again. Other errors may be temporary. The message is one line. */
export class GatewayRefusal extends Error {
  override readonly name = "GatewayRefusal";
  /** The cursor after missing entries of the log. Null: refused for another reason. */
  readonly cursor: string | null;

  constructor(message: string, cursor: string | null = null) {
    super(message);
    this.cursor = cursor;
  }
}

export interface GatewayClient {
  /** Resolves with `data`. Throws GatewayRefusal, or an Error of one line if the gateway fails or does not answer. */
  query<T>(query: string, variables?: Record<string, unknown>): Promise<T>;
  /** Yields the nodes of a list, page by page. The query has one root field, a connection, and takes `$after`. Throws like `query`. */
  list<T>(query: string, variables?: Record<string, unknown>): AsyncGenerator<T, void, undefined>;
  /** Yields the `data` of each result until the stream ends. Throws like `query`, and if the connection breaks. */
  subscribe<T>(query: string, variables?: Record<string, unknown>): AsyncIterableIterator<T>;
}

type Environment = Readonly<Record<string, string | undefined>>;

interface Connection<T> {
  nodes: T[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface Result<T> {
  data?: T | null;
  errors?: { message: string; extensions?: { code?: string; retryable?: boolean; cursor?: string } }[];
}

/** How a command reaches a gateway. */
export interface GatewayAccess {
  address: string;
  /** The headers of a POST of JSON, with the key if there is one. */
  headers: Record<string, string>;
  /** Why an answer with this status, which sends requests elsewhere, is not followed. */
  redirectText: (status: number) => string;
}

/** `path`: at the gateway, such as /graphql. Throws as createGatewayClient. */
export function gatewayAccess(url: string | undefined, env: Environment, path: string): GatewayAccess {
  const address = `${baseOf(url, env).replace(/\/((graphql|mcp)\/?)?$/, "")}${path}`;
  const { SWITCHBOARD_KEY: key } = readVariables({ SWITCHBOARD_KEY: secretText.optional() }, env);
  return {
    address,
    headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    redirectText: (status) =>
      `${address} sends requests to another address (HTTP ${status}), and none is sent there. Check --url.`,
  };
}

/**
 * Sends the API key in SWITCHBOARD_KEY. Throws UsageError for an unusable `url`, ConfigError for an unusable variable.
 *
 * @param url the gateway's address, with or without /graphql. Default: PORT on this machine.
 */
export function createGatewayClient(url: string | undefined, env: Environment): GatewayClient {
  const { address, headers, redirectText } = gatewayAccess(url, env, "/graphql");
  const hasKey = "authorization" in headers;

  async function post(accept: string, body: unknown): Promise<Response> {
    // The request may hold phone numbers, which no other address may get.
    const init: RequestInit = {
      method: "POST",
      headers: { ...headers, accept },
      body: JSON.stringify(body),
      redirect: "manual",
    };
    const response = await fetch(address, init).catch((cause: Error) => {
      throw new Error(`No gateway answers at ${address}.`, { cause });
    });
    if (response.status >= 300 && response.status < 400) throw new GatewayRefusal(redirectText(response.status));
    return response;
  }
  function dataOf<T>({ data, errors }: Result<T>, status: number): T {
    const [error] = errors ?? [];
    if (error) throw failureOf(error);
    if (data == null) throw new Error(`Not a Switchboard gateway (HTTP ${status}). Check --url.`);
    return data;
  }
  function failureOf({ message, extensions = {} }: NonNullable<Result<unknown>["errors"]>[0]) {
    const { code, retryable, cursor } = extensions;
    const keyProblem = hasKey
      ? "The gateway does not know the key in SWITCHBOARD_KEY."
      : "The gateway requires a key: set SWITCHBOARD_KEY.";
    const text = `${code ?? "The gateway failed"}: ${code === "UNAUTHENTICATED" ? keyProblem : terminalLine(message)}`;
    return retryable ? new Error(text) : new GatewayRefusal(text, cursor);
  }
  async function ask<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const response = await post("application/json", { query, variables });
    return dataOf(await readResult<T>(response), response.status);
  }
  return {
    query: ask,
    async *list<T>(query: string, variables: Record<string, unknown> = {}) {
      for (let after: string | null = null; ;) {
        const [page]: Connection<T>[] = Object.values(
          await ask<Record<string, Connection<T>>>(query, { after, ...variables }),
        );
        if (page === undefined) return;
        yield* page.nodes;
        if (!page.pageInfo.hasNextPage) return;
        after = page.pageInfo.endCursor;
      }
    },
    async *subscribe<T>(query: string, variables: Record<string, unknown> = {}) {
      const response = await post("text/event-stream", { query, variables });
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        dataOf(await readResult<T>(response), response.status);
      }
      for await (const text of eventsOf(response)) yield dataOf(JSON.parse(text) as Result<T>, response.status);
    },
  };
}

function baseOf(url: string | undefined, env: Environment): string {
  if (url === undefined) {
    const { PORT } = readVariables({ PORT: variables.PORT }, env);
    if (PORT === 0) throw new ConfigError(["PORT is 0, so the gateway's address is unknown: use --url"]);
    return `http://127.0.0.1:${PORT}`;
  }
  const [issue] = httpUrl.safeParse(url).error?.issues ?? [];
  if (issue) throw new UsageError(`--url ${issue.message}.`);
  return url;
}

function throwConnectionLost(cause: unknown): never {
  throw new Error("The connection to the gateway broke.", { cause });
}

/** Empty if the body is not a GraphQL result. */
async function readResult<T>(response: Response): Promise<Result<T>> {
  const text = await response.text().catch(throwConnectionLost);
  try {
    return (JSON.parse(text) as Result<T> | null) ?? {};
  } catch {
    return {};
  }
}

/** Yields the data of each `next` event (graphql-sse, distinct connections mode). */
async function* eventsOf(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunksOf(response)) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data && /^event: next$/m.test(block)) yield data;
    }
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (body) yield* body;
  } catch (error) {
    throwConnectionLost(error);
  }
}
