// Every transport of an operation. All must give the same result.
import { once } from "node:events";
import { WebSocket } from "ws";
import { openSse } from "../support/streams.ts";

export interface GraphqlResult {
  data?: unknown;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

export interface Transport extends AsyncDisposable {
  ask(request: object): Promise<GraphqlResult>;
}

type Open = (url: string, authorization?: string) => Promise<Transport>;

const nothingToClose = { [Symbol.asyncDispose]: () => Promise.resolve() };
const headersOf = (authorization?: string): Record<string, string> => (authorization ? { authorization } : {});

async function post(url: string, authorization?: string): Promise<Transport> {
  const headers = { "content-type": "application/json", ...headersOf(authorization) };
  return {
    ...nothingToClose,
    async ask(request) {
      const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify(request) });
      return (await response.json()) as GraphqlResult;
    },
  };
}

async function sse(url: string, authorization?: string): Promise<Transport> {
  return {
    ...nothingToClose,
    async ask(request) {
      await using stream = await openSse(url, request as { query: string }, headersOf(authorization));
      return await stream.next();
    },
  };
}

/** One socket for all operations: a refusal must not affect it. */
async function socket(url: string, authorization?: string): Promise<Transport> {
  const open = new WebSocket(`${url.replace(/^http/, "ws")}/graphql`, "graphql-transport-ws");
  await once(open, "open");
  open.send(JSON.stringify({ type: "connection_init", payload: headersOf(authorization) }));
  await once(open, "message");
  let requests = 0;
  return {
    async ask(request) {
      const id = String((requests += 1));
      const result = Promise.withResolvers<GraphqlResult>();
      const onMessage = (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { id: string; type: string; payload: unknown };
        if (message.id !== id) return;
        if (message.type === "error")
          result.resolve({ errors: message.payload as NonNullable<GraphqlResult["errors"]> });
        if (message.type === "next") result.resolve(message.payload as GraphqlResult);
      };
      const onClose = (code: number) => result.reject(new Error(`the socket was closed with ${code}`));
      open.on("message", onMessage).once("close", onClose);
      open.send(JSON.stringify({ type: "subscribe", id, payload: request }));
      return result.promise.finally(() => open.off("message", onMessage).off("close", onClose));
    },
    async [Symbol.asyncDispose]() {
      if (open.readyState === WebSocket.CLOSED) return;
      open.close();
      await once(open, "close");
    },
  };
}

export const transports: readonly (readonly [string, Open])[] = [
  ["POST", post],
  ["server-sent events", sse],
  ["WebSocket", socket],
];

/** Short enough for a URL. */
export async function askByGet(
  url: string,
  { query, variables }: { query: string; variables?: unknown },
  authorization?: string,
): Promise<GraphqlResult> {
  const search = new URLSearchParams({
    query,
    ...(variables === undefined ? {} : { variables: JSON.stringify(variables) }),
  });
  const response = await fetch(`${url}/graphql?${search}`, {
    headers: { "x-switchboard-preflight": "1", ...headersOf(authorization) },
  });
  return (await response.json()) as GraphqlResult;
}
