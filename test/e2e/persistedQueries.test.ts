// Automatic persisted queries, as published clients ask for them: they send the text when the gateway says it keeps none.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client/core";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { Client, createRequest, fetchExchange } from "@urql/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transports } from "../security/transports.ts";
import { type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";

const QUERY = "query Zone { serviceTimeZone }";
const data = { serviceTimeZone: "Asia/Shanghai" };
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hashAlone = { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(QUERY) } } } as const;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE);
});
afterAll(() => gateway[Symbol.asyncDispose]());

/** An Apollo Client with its persisted query link, and the bodies or searches that it sent. */
function apolloClient(url: string, useGETForHashedQueries = false) {
  const sent: string[] = [];
  const fetchAndRecord: typeof fetch = (input, init) => {
    sent.push(typeof init?.body === "string" ? init.body : decodeURIComponent(typeof input === "string" ? input : ""));
    return fetch(input, init);
  };
  const http = new HttpLink({
    uri: `${url}/graphql`,
    fetch: fetchAndRecord,
    headers: { "x-switchboard-preflight": "1" },
  });
  const link = new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(http);
  return { sent, client: new ApolloClient({ link, cache: new InMemoryCache() }) };
}

const ask = ({ client }: ReturnType<typeof apolloClient>) =>
  client.query({ query: gql(QUERY), fetchPolicy: "no-cache", errorPolicy: "none" });

describe("without trusted documents", () => {
  it.each([["POST"], ["GET"]])(
    "Apollo Client asks once by the hash alone over %s, and then sends texts",
    async (method) => {
      const apollo = apolloClient(gateway.url, method === "GET");
      for (let times = 0; times < 2; times += 1) expect((await ask(apollo)).data).toEqual(data);
      expect(apollo.sent.map((text) => text.includes("serviceTimeZone"))).toEqual([false, true, true]);
    },
  );

  it.each([[false], [true]])(
    "urql is told by the message that it looks for, preferGetMethod %s",
    async (preferGetMethod) => {
      const url = `${gateway.url}/graphql`;
      const fetchOptions = { headers: { "x-switchboard-preflight": "1" } };
      const client = new Client({ url, preferGetMethod, fetchOptions, exchanges: [fetchExchange] });
      // What its exchange for persisted queries sends first.
      const refused = await client.executeQuery(createRequest(QUERY, {}, hashAlone.extensions)).toPromise();
      expect(refused.error?.graphQLErrors.map(({ message }) => message)).toEqual(["PersistedQueryNotSupported"]);
      expect((await client.query(QUERY, {}).toPromise()).data).toEqual(data);
    },
  );

  it.each(transports)("an ID without a text is refused with a code of its own over %s", async (_, open) => {
    await using transport = await open(gateway.url);
    for (const request of [hashAlone, { ...hashAlone, query: "" }, { documentId: "sha256:a" }, { doc_id: "a" }]) {
      const { errors } = await transport.ask(request);
      const code = "PERSISTED_QUERY_NOT_SUPPORTED";
      expect(errors).toMatchObject([{ message: "PersistedQueryNotSupported", extensions: { code } }]);
    }
    expect(await transport.ask({ ...hashAlone, query: QUERY })).toEqual({ data });
  });

  it("an ID without a text is 400 or 200, by the type that the client accepts", async () => {
    const statusFor = async (accept: string) => {
      const headers = { accept, "content-type": "application/json" };
      const body = JSON.stringify(hashAlone);
      return (await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body })).status;
    };
    expect(await statusFor("application/graphql-response+json")).toBe(400);
    expect(await statusFor("application/json")).toBe(200);
  });
});

it("with trusted documents, Apollo Client runs them by their hash and never falls back", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "documents.json");
  // Apollo Client hashes what it prints.
  await writeFile(file, JSON.stringify({ [sha256("query Zone {\n  serviceTimeZone\n}")]: QUERY }));
  await using trusting = await startGateway(NO_SERVICE, { TRUSTED_DOCUMENTS: file });
  const apollo = apolloClient(trusting.url);
  expect((await ask(apollo)).data).toEqual(data);
  const unknown = apollo.client.query({ query: gql("query Me { viewer { name } }"), fetchPolicy: "no-cache" });
  await expect(unknown).rejects.toMatchObject({ errors: [{ extensions: { code: "DOCUMENT_NOT_TRUSTED" } }] });
  expect(apollo.sent.map((text) => "query" in (JSON.parse(text) as object))).toEqual([false, false]);
});
