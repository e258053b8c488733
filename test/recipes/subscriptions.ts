// Each recipe of examples/recipes/ as a subscription that the harness can follow.
import { ApolloClient, gql, InMemoryCache } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { Environment, Network, RecordSource, requestSubscription, Store } from "relay-runtime";
import { Client, fetchExchange } from "urql";
import { resumeCallEnded } from "../../examples/recipes/apolloLink.ts";
import { followCalls as followOverSse } from "../../examples/recipes/graphqlSse.ts";
import { createSocket, followCalls } from "../../examples/recipes/graphqlWs.ts";
import { resumingSubscribe } from "../../examples/recipes/relaySubscribe.ts";
import { resumingExchange } from "../../examples/recipes/urqlExchange.ts";
import { compileRelay } from "../support/generators/compileRelay.ts";
import type { Subscribe } from "../support/resume.ts";

const MAX_WAIT_MS = 50;
const QUERY = "subscription callsSubscription($after: String) { callEnded(after: $after) { cursor sessionId } }";

interface Calls {
  callEnded: { cursor: string; sessionId: string };
}

export const openSocket = (url: string, pingMs?: number) =>
  createSocket(`${url.replace("http", "ws")}/graphql`, () => "Bearer none", MAX_WAIT_MS, pingMs);

const throwError = (error: unknown): never => {
  throw error;
};

export const subscriptions = {
  "graphql-ws": (url, after, onSession) => {
    const client = openSocket(url);
    const end = followCalls(client, after, ({ sessionId }) => onSession(String(sessionId)), throwError);
    return { [Symbol.asyncDispose]: async () => end() };
  },
  "graphql-sse": (url, after, onSession) => {
    const onCall = ({ sessionId }: { sessionId: string | null }) => onSession(String(sessionId));
    const end = followOverSse(`${url}/graphql`, async () => "Bearer none", after, onCall, throwError, MAX_WAIT_MS);
    return { [Symbol.asyncDispose]: async () => end() };
  },
  "@apollo/client": (url, after, onSession) => {
    const link = resumeCallEnded.concat(new GraphQLWsLink(openSocket(url)));
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const subscription = client.subscribe<Calls>({ query: gql(QUERY), variables: { after } }).subscribe({
      next: ({ data, error }) => (data ? onSession(data.callEnded.sessionId) : throwError(error)),
      error: throwError,
    });
    return {
      async [Symbol.asyncDispose]() {
        subscription.unsubscribe();
        client.stop();
      },
    };
  },
  urql: (url, after, onSession) => {
    const exchanges = [fetchExchange, resumingExchange(openSocket(url))];
    const client = new Client({ url: `${url}/graphql`, exchanges });
    const { unsubscribe } = client
      .subscription<Calls>(QUERY, { after })
      .subscribe(({ data, error }) => (data ? onSession(data.callEnded.sessionId) : throwError(error)));
    return { [Symbol.asyncDispose]: async () => unsubscribe() };
  },
  "relay-runtime": async (url, after, onSession) => {
    const network = Network.create(() => throwError("not a subscription"), resumingSubscribe(openSocket(url)));
    const environment = new Environment({ network, store: new Store(new RecordSource()) });
    const subscription = await compileRelay(QUERY);
    const { dispose } = requestSubscription<{ response: Calls; variables: { after: string } }>(environment, {
      subscription,
      variables: { after },
      onNext: (data) => onSession(String(data?.callEnded.sessionId)),
      onError: throwError,
    });
    return { [Symbol.asyncDispose]: async () => dispose() };
  },
} satisfies Record<string, Subscribe>;
