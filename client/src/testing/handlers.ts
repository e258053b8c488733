// Handlers of Mock Service Worker for a whole gateway: queries and mutations over HTTP, subscriptions as server-sent events and
// over WebSocket (graphql-transport-ws).
import { makeServer } from "graphql-ws";
import type { ExecutionResult } from "graphql";
import { http, HttpResponse, type HttpHandler } from "msw/http";
import { ws, type WebSocketHandler } from "msw/ws";
import { createMockGraph, type MockGraph, type OperationParams, type OwnResolvers } from "./mockGraph.ts";

export interface HandlerOptions extends OwnResolvers {
  /** The gateway's address, such as https://calls.example/graphql, or a pattern of MSW. Default: any host, path /graphql. */
  url?: string;
}

const GRAPHQL_RESPONSE = "application/graphql-response+json";

/** Give them to setupServer or setupWorker. A field without a resolver of its own answers with the factories' values. */
export function switchboardHandlers({ url = "*/graphql", ...own }: HandlerOptions = {}): (
  | HttpHandler
  | WebSocketHandler
)[] {
  const graph = createMockGraph(own);
  return [
    http.post(url, async ({ request }) => answer(graph, request, (await request.json()) as OperationParams)),
    http.get(url, ({ request }) => answer(graph, request, paramsOf(new URL(request.url)))),
    socketHandler(graph, url.replace(/^http/, "ws")),
  ];
}

function paramsOf({ searchParams }: URL): OperationParams {
  const variables = searchParams.get("variables");
  return {
    query: searchParams.get("query"),
    operationName: searchParams.get("operationName"),
    variables: variables === null ? null : (JSON.parse(variables) as Record<string, unknown>),
  };
}

async function answer(graph: MockGraph, request: Request, params: OperationParams): Promise<Response> {
  const accept = request.headers.get("accept") ?? "";
  const result = await graph.run(params);
  if (Symbol.asyncIterator in result) return eventStream(result, request.signal);
  if (accept.includes("text/event-stream") && !accept.includes("json"))
    return eventStream(onlyItem(result), request.signal);
  const refused = result.data === undefined && accept.includes(GRAPHQL_RESPONSE);
  return HttpResponse.json(JSON.parse(JSON.stringify(result)), {
    status: refused ? 400 : 200,
    headers: { "content-type": accept.includes(GRAPHQL_RESPONSE) ? GRAPHQL_RESPONSE : "application/json" },
  });
}

async function* onlyItem<T>(item: T): AsyncGenerator<T> {
  yield item;
}

function eventStream(results: AsyncIterable<ExecutionResult>, signal: AbortSignal): Response {
  const iterator = results[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      // Some browsers ignore a response until its first byte.
      controller.enqueue(encoder.encode(":\n\n"));
    },
    async pull(controller) {
      const { value, done } = await iterator.next();
      const text = done === true ? "event: complete\ndata:\n\n" : `event: next\ndata: ${JSON.stringify(value)}\n\n`;
      controller.enqueue(encoder.encode(text));
      if (done === true) controller.close();
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  signal.addEventListener("abort", () => void iterator.return?.(), { once: true });
  return new HttpResponse(body, { headers: { "content-type": "text/event-stream", "cache-control": "no-cache" } });
}

function socketHandler({ schema, roots }: MockGraph, url: string): WebSocketHandler {
  const server = makeServer({ schema, roots });
  return ws.link(url).addEventListener("connection", ({ client }) => {
    const closed = server.opened(
      {
        protocol: "graphql-transport-ws",
        send: (text) => client.send(text),
        close: (code, reason) => client.close(code, reason),
        onMessage: (listener) =>
          client.addEventListener(
            "message",
            ({ data }) => void listener(data as string).catch(() => client.close(4500)),
          ),
      },
      {},
    );
    client.addEventListener("close", ({ code, reason }) => void closed(code, reason));
  });
}
