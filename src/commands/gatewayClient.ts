// A client of a running gateway. Commands ask its graph, for the database is its process', and not opened from outside.

/** The gateway has refused, and would again. Any other error may pass: of the gateway, or of the way to it. One line. */
export class GatewayRefusal extends Error {
  override readonly name = "GatewayRefusal";
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
  errors?: { message: string; extensions?: { code?: string; retryable?: boolean } }[];
}

/** `url` is the gateway's own address or its /graphql; default: PORT's on this machine. The key is SWITCHBOARD_KEY. */
export function createGatewayClient(url: string | undefined, env: Environment): GatewayClient {
  const base = url ?? `http://127.0.0.1:${env["PORT"] ?? "4000"}`;
  const address = `${base.replace(/\/(graphql\/?)?$/, "")}/graphql`;
  const key = env["SWITCHBOARD_KEY"];

  async function post(accept: string, body: unknown): Promise<Response> {
    const headers = {
      accept,
      "content-type": "application/json",
      ...(key ? { authorization: `Bearer ${key}` } : {}),
    };
    return fetch(address, { method: "POST", headers, body: JSON.stringify(body) }).catch((cause: Error) => {
      throw new Error(`No gateway answers at ${address}.`, { cause });
    });
  }
  return {
    async ask<T>(query: string, variables: Record<string, unknown> = {}) {
      const response = await post("application/json", { query, variables });
      return dataOf((await response.json().catch(() => ({}))) as Result<T>, response.status);
    },
    async *listen<T>(query: string, variables: Record<string, unknown> = {}) {
      const response = await post("text/event-stream", { query, variables });
      if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
        dataOf((await response.json().catch(() => ({}))) as Result<T>, response.status);
      }
      for await (const text of eventsOf(response)) yield dataOf(JSON.parse(text) as Result<T>, response.status);
    },
  };
}

function dataOf<T>({ data, errors }: Result<T>, status: number): T {
  const [error] = errors ?? [];
  if (error) {
    const message = `${error.extensions?.code ?? "The gateway failed"}: ${error.message}`;
    throw error.extensions?.retryable ? new Error(message) : new GatewayRefusal(message);
  }
  if (data == null) throw new Error(`What answers there is no gateway: it said ${status}.`);
  return data;
}

/** The data of each `next` of a stream in the form of graphql-sse's distinct connections. */
async function* eventsOf(response: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data && /^event: next$/m.test(block)) yield data;
    }
  }
}
