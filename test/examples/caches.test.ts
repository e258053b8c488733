// What a cache shows, with its default settings, equals what the gateway answered.
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { buildSchema, isObjectType } from "graphql";
import {
  createOperationDescriptor,
  Environment,
  fetchQuery,
  Network,
  RecordSource,
  Store,
  type GraphQLResponse,
} from "relay-runtime";
import { cacheExchange, Client, fetchExchange, type Exchange } from "urql";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { possibleTypes } from "../../examples/react-apollo/src/gql/possibleTypes.ts";
import { keys, normalizedCache } from "../../examples/react-urql/src/normalizedCache.ts";
import { textAt } from "../house/sources.ts";
import { compileRelay } from "../support/generators/compileRelay.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";

const HOUR_MS = 3_600_000;
/** The hour before may belong to the day before. */
const SINCE = new Date(Date.now() - 24 * HOUR_MS).toISOString();
const QUERY = `{
  __typename
  callLogs(filter: { since: "${SINCE}" }) {
    __typename
    totalCount
    nodes {
      __typename
      id
      sessionId
      caller
      task { __typename id name assistant { __typename id assistantId versionId } }
      assistants { __typename assistantId versionId assistant { __typename id assistantId versionId } }
    }
  }
}`;

let sandbox: Sandbox;
let gateway: TestGateway;
beforeAll(async () => {
  sandbox = await emptySandbox();
  gateway = await startGateway(sandbox);
  for (const [at, vid] of [301, 302].entries()) {
    const [taskId = ""] = sandbox.control.seed({ tasks: [{ assistantId: 11, assistantVid: vid }] }).taskIds;
    // A call in progress would change, and its id with it.
    const startAt = Date.now() - HOUR_MS;
    const call = { taskId, startAt, assistant: [{ id: 11, vid }], caller: `A06${at}`, omit: ["sessionId"] };
    sandbox.control.seed({ calls: [call] });
  }
  // The gateway learns what an assistant's version is from the tasks.
  await gateway.ask(QUERY);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

interface Calls {
  callLogs: { nodes: { id: string; sessionId: null; task: { assistant: { id: string; versionId: string } } }[] };
}

async function answered(): Promise<Calls> {
  const { data } = await gateway.ask<Calls>(QUERY);
  if (!data) throw new Error("The gateway did not answer.");
  return data;
}

async function throughUrql(cache: Exchange): Promise<unknown> {
  const fetchOptions = { headers: { authorization: "Bearer none" } };
  const client = new Client({ url: `${gateway.url}/graphql`, fetchOptions, exchanges: [cache, fetchExchange] });
  await client.query(QUERY, {}).toPromise();
  const { data, operation } = await client.query(QUERY, {}, { requestPolicy: "cache-only" }).toPromise();
  expect(operation.context.meta?.cacheOutcome).toBe("hit");
  return data;
}

describe("Two versions of an assistant, and two calls without a session id, stay apart", () => {
  it("in the answer of the gateway", async () => {
    const { nodes } = (await answered()).callLogs;
    expect(nodes.map(({ sessionId }) => sessionId)).toEqual([null, null]);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(2);
    expect(nodes.map(({ task }) => task.assistant.versionId).sort()).toEqual(["301", "302"]);
  });

  it.each([{}, { possibleTypes }])("in Apollo's InMemoryCache %#", async (options) => {
    const cache = new InMemoryCache(options);
    const client = new ApolloClient({ link: new HttpLink({ uri: `${gateway.url}/graphql` }), cache });
    await client.query({ query: gql(QUERY) });
    expect(cache.readQuery({ query: gql(QUERY) })).toEqual(await answered());
    const types = Object.keys(cache.extract()).map((key) => key.split(":")[0]);
    expect(types.filter((type) => type === "Assistant" || type === "CallLog").length).toBe(4);
  });

  it("in Relay's store", async () => {
    // Relay selects no __typename of a root.
    const request = await compileRelay(`query callsQuery ${QUERY.replace("__typename", "")}`);
    const { data } = await gateway.ask(request.params.text ?? "");
    const network = Network.create(() => ({ data }) as GraphQLResponse);
    const environment = new Environment({ network, store: new Store(new RecordSource()) });
    await fetchQuery(environment, request, {}).toPromise();
    const { fragment } = createOperationDescriptor(request, {});
    const { callLogs } = await answered();
    expect(environment.lookup(fragment).data).toEqual({ callLogs });
    const types = Object.values(environment.getStore().getSource().toJSON()).map((record) => record?.["__typename"]);
    expect(types.filter((type) => type === "Assistant" || type === "CallLog").length).toBe(4);
  });

  it("in urql's document cache", async () => {
    expect(await throughUrql(cacheExchange)).toEqual(await answered());
  });

  it("in urql's normalized cache (@urql/exchange-graphcache), which warns of nothing", async () => {
    const warnings = vi.spyOn(console, "warn").mockReturnValue();
    expect(await throughUrql(normalizedCache())).toEqual(await answered());
    expect(warnings.mock.calls).toEqual([]);
    warnings.mockRestore();
  });
});

describe("The settings of the examples' caches", () => {
  const schema = buildSchema(textAt("src/schema/schema.graphql"));

  it("normalizedCache names each type without an id", () => {
    const roots = new Set([schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]);
    const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
    const embedded = types.filter((type) => !roots.has(type) && !("id" in type.getFields()));
    const names = embedded.map(({ name }) => name).filter((name) => !name.startsWith("__"));
    expect(Object.keys(keys)).toEqual(names.sort());
  });

  it("possibleTypes lets a fragment on an interface match", async () => {
    // The code generator reads documents that stand in gql(…).
    const text = `{ callLogs(filter: { since: "${SINCE}" }) { nodes { ... on Node { id } } } }`;
    const query = gql(text);
    const link = new HttpLink({ uri: `${gateway.url}/graphql` });
    const client = new ApolloClient({ link, cache: new InMemoryCache({ possibleTypes }) });
    const { data } = await client.query<{ callLogs: { nodes: { id: string }[] } }>({ query });
    const ids = (await answered()).callLogs.nodes.map(({ id }) => id);
    expect(data?.callLogs.nodes.map(({ id }) => id)).toEqual(ids);
  });
});
