// Subscribes like a client: to server-sent events with fetch, over WebSocket with the published graphql-ws client.
import { createClient, type Client } from "graphql-ws";
import { WebSocket } from "ws";

export interface Stream<T> extends AsyncDisposable {
  next(): Promise<T>;
}

export interface StreamResult<T> {
  data?: T | null;
  errors?: readonly { message: string; extensions?: Record<string, unknown> }[];
}

export async function openSse<T>(
  url: string,
  body: { query: string; variables?: unknown },
  headers: Record<string, string> = {},
): Promise<Stream<StreamResult<T>> & { response: Response }> {
  const disconnect = new AbortController();
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify(body),
    signal: disconnect.signal,
  });
  const events = readEvents(response);
  return {
    response,
    async next() {
      const { value, done } = await events.next();
      if (done) throw new Error("the stream ended");
      return JSON.parse(value) as StreamResult<T>;
    },
    async [Symbol.asyncDispose]() {
      disconnect.abort();
      await events.return(undefined).catch(() => undefined);
    },
  };
}

async function* readEvents(response: Response): AsyncGenerator<string, void, undefined> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const isNext = /^event: next$/m.test(block);
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (isNext && data) yield data;
    }
  }
}

export function openSocket(url: string, authorization?: string): Client {
  return createClient({
    url: `${url.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: true,
    connectionParams: authorization === undefined ? {} : { authorization },
  });
}

export function subscribe<T>(
  client: Client,
  query: string,
  variables?: Record<string, unknown>,
): Stream<StreamResult<T>> {
  const iterator = client.iterate<T>({ query, ...(variables ? { variables } : {}) });
  return {
    async next() {
      const { value, done } = await iterator.next();
      if (done) throw new Error("the subscription ended");
      return value as StreamResult<T>;
    },
    async [Symbol.asyncDispose]() {
      await iterator.return?.();
      await client.dispose();
    },
  };
}
