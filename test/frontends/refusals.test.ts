// Errors of requests that were refused before they became an operation, as clients read them.
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { describe, expect, it } from "vitest";
import { writeKeys } from "../support/keys.ts";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";

const QUERY = "{ serviceTimeZone }";
const NO_SERVICE = { url: "http://127.0.0.1:9" };

describe("A request without credentials", () => {
  it("is refused in the type of GraphQL responses if the client accepts it, and else as JSON", async () => {
    await using directory = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE });
    const typeFor = async (accept: string) => {
      const headers = { "content-type": "application/json", accept };
      const body = JSON.stringify({ query: QUERY });
      const response = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body });
      expect([response.status, await response.text()]).toEqual([401, expect.stringContaining("UNAUTHENTICATED")]);
      return response.headers.get("content-type");
    };
    const accepted = "application/graphql-response+json,application/json;q=0.9";
    expect(await typeFor(accepted)).toBe("application/graphql-response+json");
    expect(await typeFor("application/json, application/graphql-response+json;q=0")).toBe("application/json");
    expect(await typeFor("*/*")).toBe("application/json");
  });

  it("tells Apollo Client its code", async () => {
    await using directory = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE });
    const link = new HttpLink({ uri: `${gateway.url}/graphql` });
    const client = new ApolloClient({ link, cache: new InMemoryCache() });
    const error: unknown = await client.query({ query: gql(QUERY) }).catch((reason: unknown) => reason);
    const codes = CombinedGraphQLErrors.is(error) ? error.errors.map(({ extensions }) => extensions?.["code"]) : error;
    expect(codes).toEqual(["UNAUTHENTICATED"]);
  });
});
