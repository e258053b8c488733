// Hive Gateway, as docs/federation.md says to run it: with the supergraph as a text, and the client's Authorization header forwarded.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createGatewayRuntime, getGraphQLWSOptions } from "@graphql-hive/gateway-runtime";
import { MemPubSub } from "@graphql-hive/pubsub";
import { composeServices } from "@theguild/federation-composition";
import { parse } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";

export interface Subgraph {
  name: string;
  /** With its path. */
  url: string;
  sdl: string;
}

export interface Router extends AsyncDisposable {
  /** Without a path. */
  url: string;
}

/** How the router subscribes to the gateway. */
export type RouterTransport = "sse" | "ws" | CallbackTransport;

/** Apollo's HTTP callback protocol: the router asks the gateway to post results to this address, which leads to the router. */
export interface CallbackTransport {
  callbackUrl: string;
  heartbeatMs: number;
  /** Where the router listens. */
  port: number;
}

const AUTHORIZATION = "{context.headers.authorization}";
function subscriptionsBy(transport: RouterTransport) {
  if (transport === "sse") return { kind: "http" };
  if (transport === "ws") return { kind: "ws", options: { connectionParams: { authorization: AUTHORIZATION } } };
  const { callbackUrl: public_url, heartbeatMs: heartbeat_interval } = transport;
  return { kind: "http-callback", options: { path: "/callback", public_url, heartbeat_interval } };
}

export function compose(subgraphs: readonly Subgraph[]): string {
  const { errors, supergraphSdl } = composeServices(
    subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) })),
  );
  if (errors?.length || !supergraphSdl)
    throw new Error(`The subgraphs do not compose: ${errors?.map(String).join("\n")}`);
  return supergraphSdl;
}

export async function startRouter(supergraph: string, transport: RouterTransport = "sse"): Promise<Router> {
  const runtime = createGatewayRuntime({
    supergraph,
    // Errors of subgraphs are part of the tests.
    logging: false,
    // Results of callbacks pass through it.
    pubsub: new MemPubSub(),
    webhooks: true,
    // Without it, the router refuses @defer.
    deferStream: true,
    propagateHeaders: {
      fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get("authorization") }),
    },
    transportEntries: {
      "*.http": { options: { method: "POST", subscriptions: subscriptionsBy(transport) } },
    },
  });
  // A WebSocket's first operation does not wait for the schema.
  await runtime.getSchema();
  const server = createServer(runtime);
  const sockets = new WebSocketServer({ server, path: "/graphql" });
  // A browser sends no headers with a WebSocket, so the credentials come with its first message.
  const options = getGraphQLWSOptions(runtime, ({ connectionParams }) => {
    const { authorization } = (connectionParams ?? {}) as { authorization?: string };
    const headers = authorization === undefined ? {} : { authorization };
    return { headers, request: new Request("http://127.0.0.1/graphql", { headers }) };
  });
  const subscriptions = useServer(options, sockets);
  server.listen(typeof transport === "object" ? transport.port : 0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      await subscriptions.dispose();
      await runtime[Symbol.asyncDispose]();
      server.closeAllConnections();
      await closed;
    },
  };
}
