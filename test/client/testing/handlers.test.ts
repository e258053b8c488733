import { readFileSync } from "node:fs";
import { buildSchema, GraphQLError, type GraphQLObjectType } from "graphql";
import { createClient } from "graphql-ws";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  alert,
  callEnded,
  createEventFeed,
  recording,
  streamCheckpoint,
  streamGap,
  switchboardHandlers,
  task,
  taskSubmission,
  type RootResolvers,
} from "../../../client/src/testing/index.ts";
import { openSse } from "../../support/streams.ts";
import { until } from "../../support/until.ts";
import { operationOf } from "./operations.ts";

const ORIGIN = "https://calls.example";
const graph = buildSchema(readFileSync("src/schema/schema.graphql", "utf8"));
const fieldsOf = (root: GraphQLObjectType | null | undefined) => Object.values(root?.getFields() ?? {});
const named = <T extends { name: string }>(fields: readonly T[]) => fields.map((field) => [field.name, field] as const);

const server = setupServer(...switchboardHandlers({ url: `${ORIGIN}/graphql` }));
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

type Result = { data?: Record<string, unknown> | null; errors?: unknown };

async function ask(query: string, variables?: unknown, accept = "application/json"): Promise<Result> {
  const response = await fetch(`${ORIGIN}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as Result;
}

describe("a query or mutation", () => {
  it.each(named(fieldsOf(graph.getQueryType())))("of %s is answered with every field", async (name, field) => {
    const { data, errors } = await ask(operationOf(graph, "query", field));
    expect(errors).toBeUndefined();
    expect(data?.[name]).not.toBeNull();
  });

  it.each(named(fieldsOf(graph.getMutationType())))("of %s is answered with every field", async (name, field) => {
    const { data, errors } = await ask(operationOf(graph, "mutation", field));
    expect(errors).toBeUndefined();
    expect(data?.[name]).not.toBeNull();
  });

  it("gets what the test's own resolver returns for its arguments", async () => {
    const Query = { task: ({ taskId }: { taskId: string }) => task({ taskId, name: `named ${taskId}` }) };
    server.use(...switchboardHandlers({ Query }));
    const { data } = await ask("query ($id: ID!) { task(taskId: $id) { name } viewer { name } }", { id: "9" });
    expect(data).toEqual({ task: { name: "named 9" }, viewer: { name: "web" } });
  });

  it("gets the code of an error that the test's own resolver throws", async () => {
    const forbidden = new GraphQLError("needs a scope", { extensions: { code: "FORBIDDEN" } });
    server.use(...switchboardHandlers({ Query: { callLogs: () => Promise.reject(forbidden) } }));
    const { data, errors } = await ask("{ callLogs { totalCount } }");
    expect(data).toEqual({ callLogs: null });
    expect(errors).toMatchObject([{ path: ["callLogs"], extensions: { code: "FORBIDDEN" } }]);
  });

  it("is refused where the gateway would refuse it: a field that the graph does not have", async () => {
    expect(await ask("{ callLogs { ringTone } }")).toMatchObject({ errors: [{ message: /ringTone/ }] });
    expect(await ask("{ callLogs {")).toMatchObject({ errors: [{ message: /Syntax Error/ }] });
  });

  it("works by GET, too", async () => {
    const response = await fetch(`${ORIGIN}/graphql?query=${encodeURIComponent("{ viewer { name } }")}`);
    expect(await response.json()).toEqual({ data: { viewer: { name: "web" } } });
  });
});

/** A value for each field, so that a subscription that has none by default delivers something. */
const values: { [Name in keyof RootResolvers["Subscription"]]: () => unknown } = {
  alertRaised: alert,
  callEnded,
  callEndedStream: streamGap,
  recordingSettled: recording,
  taskProgress: task,
  taskSubmission,
};
const ownSubscriptions = Object.fromEntries(
  Object.entries(values).map(([name, value]) => [name, () => createEventFeed<unknown>().subscribe(value())]),
) as unknown as RootResolvers["Subscription"];

describe("a subscription", () => {
  it.each(named(fieldsOf(graph.getSubscriptionType())))("to %s delivers server-sent events", async (name, field) => {
    server.use(...switchboardHandlers({ Subscription: ownSubscriptions }));
    await using stream = await openSse<Record<string, unknown>>(ORIGIN, {
      query: operationOf(graph, "subscription", field),
    });
    const { data, errors } = await stream.next();
    expect(errors).toBeUndefined();
    expect(data?.[name]).not.toBeNull();
  });

  it.each(named(fieldsOf(graph.getSubscriptionType())))("to %s delivers over a WebSocket", async (name, field) => {
    server.use(...switchboardHandlers({ Subscription: ownSubscriptions }));
    const client = createClient({ url: `${ORIGIN.replace("http", "ws")}/graphql`, retryAttempts: 0 });
    const results = client.iterate({ query: operationOf(graph, "subscription", field) });
    const { value } = await results.next();
    await results.return?.();
    expect(value?.errors).toBeUndefined();
    expect(value?.data?.[name]).not.toBeNull();
  });

  it("begins with a checkpoint and then gets what the test pushes, until it is ended", async () => {
    const feed = createEventFeed<ReturnType<typeof callEnded | typeof streamCheckpoint>>();
    const Subscription = { callEndedStream: () => feed.subscribe(streamCheckpoint({ cursor: "c0" })) };
    server.use(...switchboardHandlers({ Subscription }));
    const query = "subscription { callEndedStream { __typename cursor } }";
    await using stream = await openSse(ORIGIN, { query });
    expect((await stream.next()).data).toEqual({ callEndedStream: { __typename: "StreamCheckpoint", cursor: "c0" } });
    feed.push(callEnded({ cursor: "c1" }));
    expect((await stream.next()).data).toEqual({ callEndedStream: { __typename: "CallEnded", cursor: "c1" } });
    feed.end();
    await expect(stream.next()).rejects.toThrow("the stream ended");
  });

  it("leaves the feed when its client goes, over either transport", async () => {
    const feed = createEventFeed<ReturnType<typeof callEnded>>();
    server.use(...switchboardHandlers({ Subscription: { callEnded: () => feed.subscribe() } }));
    const query = "subscription { callEnded { sessionId } }";
    const stream = await openSse(ORIGIN, { query });
    const client = createClient({
      url: `${ORIGIN.replace("http", "ws")}/graphql`,
      retryAttempts: 0,
      lazyCloseTimeout: 0,
    });
    const results = client.iterate({ query });
    const first = results.next();
    await until(() => feed.subscribers === 2);
    feed.push(callEnded({ sessionId: "s-1" }));
    expect((await first).value).toMatchObject({ data: { callEnded: { sessionId: "s-1" } } });
    await results.return?.();
    await until(() => feed.subscribers === 1);
    await stream[Symbol.asyncDispose]();
    await until(() => feed.subscribers === 0);
  });
});
