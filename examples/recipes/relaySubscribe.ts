// A Relay subscription function that resumes, with the client of graphqlWs.ts:
//   Network.create(fetchQuery, resumingSubscribe(createSocket(url, authorization)))
// The document selects `cursor`: subscription CallsSubscription($after: String) { callEnded(after: $after) { cursor … } }
import { Observable, type GraphQLResponse, type SubscribeFunction } from "relay-runtime";
import type { Client } from "graphql-ws";

export function resumingSubscribe(client: Client): SubscribeFunction {
  return ({ id, name, text }, request) =>
    Observable.create<GraphQLResponse>((sink) => {
      const variables = { ...request };
      // With `persistConfig` the compiler leaves the text out, and the gateway's manifest has it.
      const extensions = id ? { persistedQuery: id } : null;
      return client.subscribe<{ callEnded?: { cursor: string } }>(
        { operationName: name, query: text ?? "", variables, extensions },
        {
          next(result) {
            sink.next(result as GraphQLResponse);
            // graphql-ws sends the same object again after a reconnect.
            if (result.data?.callEnded) variables["after"] = result.data.callEnded.cursor;
          },
          error: (error) => sink.error(error instanceof Error ? error : refusalOf(error)),
          complete: () => sink.complete(),
        },
      );
    });
}

/** Errors of the gateway come as Relay throws those of a query: in `source`. */
function refusalOf(reason: unknown): Error {
  const source = Array.isArray(reason) ? { source: { errors: reason as unknown[] } } : {};
  return Object.assign(new Error("The subscription was refused."), source);
}
