import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { OperationTypeNode } from "graphql";
import type { Client } from "graphql-ws";
import { resumeCallEnded } from "../../recipes/apolloLink.ts";
import { createSocket } from "../../recipes/graphqlWs.ts";
import { possibleTypes } from "./gql/possibleTypes.ts";

export interface Connection {
  client: ApolloClient;
  socket: Client;
}

/** The socket opens with the first subscription, and closes with the last one. */
export function connect(gatewayUrl: string, key: string): Connection {
  const authorization = `Bearer ${key}`;
  const socket = createSocket(`${gatewayUrl.replace(/^http/, "ws")}/graphql`, () => authorization);
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    resumeCallEnded.concat(new GraphQLWsLink(socket)),
    new HttpLink({ uri: `${gatewayUrl}/graphql`, headers: { authorization } }),
  );
  return { client: new ApolloClient({ link, cache: new InMemoryCache({ possibleTypes }) }), socket };
}
