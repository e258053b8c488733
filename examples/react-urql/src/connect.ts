import type { Client as Socket } from "graphql-ws";
import { cacheExchange, Client, fetchExchange } from "urql";
import { createSocket } from "../../recipes/graphqlWs.ts";
import { resumingExchange } from "../../recipes/urqlExchange.ts";

export interface Connection {
  client: Client;
  socket: Socket;
}

/** The socket opens with the first subscription, and closes with the last one. */
export function connect(gatewayUrl: string, key: string): Connection {
  const authorization = `Bearer ${key}`;
  const socket = createSocket(`${gatewayUrl.replace(/^http/, "ws")}/graphql`, () => authorization);
  const client = new Client({
    url: `${gatewayUrl}/graphql`,
    fetchOptions: { headers: { authorization } },
    exchanges: [cacheExchange, fetchExchange, resumingExchange(socket)],
  });
  return { client, socket };
}
