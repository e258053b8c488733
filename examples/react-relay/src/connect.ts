import type { Client } from "graphql-ws";
import { Environment, Network, type FetchFunction, type GraphQLResponse } from "relay-runtime";
import { createSocket } from "../../recipes/graphqlWs.ts";
import { resumingSubscribe } from "../../recipes/relaySubscribe.ts";
import type { GatewayError } from "../../shared/messageFor.ts";
import { errorsOfResponse } from "./errors.ts";

export interface Connection {
  environment: Environment;
  socket: Client;
}

/**
 * The socket opens with the first subscription, and closes with the last one. `onErrors` gets what failed in the answer to each
 * query: Relay itself shows null for a failed field, and throws only if there is no data at all.
 */
export function connect(gatewayUrl: string, key: string, onErrors: (errors: GatewayError[]) => void): Connection {
  const authorization = `Bearer ${key}`;
  const socket = createSocket(`${gatewayUrl.replace(/^http/, "ws")}/graphql`, () => authorization);
  const fetchQuery: FetchFunction = async ({ name, text, operationKind }, variables) => {
    const response = await fetch(`${gatewayUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization },
      body: JSON.stringify({ operationName: name, query: text, variables }),
    });
    const result = (await response.json()) as GraphQLResponse;
    if (operationKind === "query" && "data" in result && result.data) onErrors(errorsOfResponse(result));
    return result;
  };
  return { environment: new Environment({ network: Network.create(fetchQuery, resumingSubscribe(socket)) }), socket };
}
