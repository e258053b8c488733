import { afterAll, beforeAll, expect, it } from "vitest";
import { NO_SERVICE, startGateway, type TestGateway } from "../support/gateway.ts";
import { openSocket } from "../support/streams.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE);
});
afterAll(() => gateway[Symbol.asyncDispose]());

// Clients without a name send "" (https://github.com/apollographql/apollo-client/issues/1760), and graphql-js takes it for a name
// (https://github.com/graphql/graphql-js/pull/2149).
const unnamed = { query: "query A { __typename }", operationName: "" };
const answered = { data: { __typename: "Query" } };

it("an empty operation name means none in a POST", async () => {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body: JSON.stringify(unnamed) });
  expect(await response.json()).toEqual(answered);
});

it("an empty operation name means none on a WebSocket", async () => {
  const client = openSocket(gateway.url);
  expect((await client.iterate(unnamed).next()).value).toEqual(answered);
  await client.dispose();
});

it("an empty operation name means none in server-sent events", async () => {
  const headers = { "content-type": "application/json", accept: "text/event-stream" };
  const response = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body: JSON.stringify(unnamed) });
  expect(await response.text()).toContain(`data: ${JSON.stringify(answered)}`);
});
