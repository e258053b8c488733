// An urql exchange for subscriptions that resume, with the client of graphqlWs.ts:
//   exchanges: [cacheExchange, fetchExchange, resumingExchange(createSocket(url, authorization))]
// The document selects `cursor`: subscription ($after: String) { callEnded(after: $after) { cursor … } }
import { subscriptionExchange, type Exchange, type ExecutionResult } from "urql";
import type { Client } from "graphql-ws";

export function resumingExchange(client: Client): Exchange {
  return subscriptionExchange({
    forwardSubscription({ query = "", ...request }) {
      const variables: Record<string, unknown> = { ...request.variables };
      return {
        subscribe: (sink) => ({
          unsubscribe: client.subscribe<{ callEnded?: { cursor: string } }>(
            { query, variables },
            {
              next(result) {
                sink.next(result as ExecutionResult);
                // graphql-ws sends the same object again after a reconnect.
                if (result.data?.callEnded) variables["after"] = result.data.callEnded.cursor;
              },
              error: (error) => sink.error(error),
              complete: () => sink.complete(),
            },
          ),
        }),
      };
    },
  });
}
