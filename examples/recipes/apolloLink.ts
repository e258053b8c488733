// An Apollo link for subscriptions that resume: put it before a GraphQLWsLink with the client of graphqlWs.ts.
// The document selects `cursor`: subscription ($after: String) { callEnded(after: $after) { cursor … } }
import { ApolloLink } from "@apollo/client";
import { tap } from "rxjs";

/** `resumeCallEnded.concat(new GraphQLWsLink(createSocket(url, authorization)))` */
export const resumeCallEnded = new ApolloLink((operation, forward) => {
  // Apollo keeps its own variables as the key of its cache, so the cursor goes into a copy.
  const variables = { ...operation.variables };
  operation.variables = variables;
  return forward(operation).pipe(
    tap(({ data }) => {
      const call = data?.["callEnded"] as { cursor: string } | undefined;
      if (call) variables["after"] = call.cursor; // graphql-ws sends the same object again after a reconnect
    }),
  );
});
