import type { GraphQLResponse, Observable, SubscribeFunction } from "relay-runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { followCalls as followOverSse } from "../../examples/recipes/graphqlSse.ts";
import { createSocket, followCalls } from "../../examples/recipes/graphqlWs.ts";
import { resumingSubscribe } from "../../examples/recipes/relaySubscribe.ts";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { callEndedEvent } from "../support/events.ts";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";

const MAX_WAIT_MS = 20;

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const API_KEYS_FILE = await writeKeys(directory.path, { web: ["calls:read"] });
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function headCursor(): Promise<string> {
  const query = "{ callEndedEvents { headCursor } }";
  const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
    query,
    {},
    { authorization: bearer("web") },
  );
  return data?.callEndedEvents.headCursor ?? "";
}

async function deliver(): Promise<string> {
  const event = callEndedEvent();
  expect((await gateway.deliver(event)).status).toBe(200);
  return String(event.event_data["session_id"]);
}

/** The first credentials are wrong, and the later ones right. */
function createAuthorization() {
  const asked: string[] = [];
  return {
    asked,
    async authorize() {
      asked.push(asked.length === 0 ? "Bearer wrong" : bearer("web"));
      return asked.at(-1) ?? "";
    },
  };
}

const fail = (errors: unknown) => expect.fail(JSON.stringify(errors));

it("the graphql-ws recipe replaces a connection that goes silent, and resumes", async () => {
  await using proxy = await cuttingProxy(gateway.url);
  const client = createSocket(`${proxy.url.replace("http", "ws")}/graphql`, () => bearer("web"), MAX_WAIT_MS, 100);
  const received: unknown[] = [];
  const errors: unknown[] = [];
  const end = followCalls(
    client,
    await headCursor(),
    ({ sessionId }) => received.push(sessionId),
    (e) => errors.push(e),
  );
  const first = await deliver();
  await until(() => received.length === 1);
  proxy.freezeAll();
  const second = await deliver();
  await until(() => received.length === 2);
  end();
  expect(received).toEqual([first, second]);
  expect(errors).toEqual([]);
});

it("the graphql-ws recipe asks for credentials again after a refusal", async () => {
  const { authorize, asked } = createAuthorization();
  const after = await headCursor();
  const expected = await deliver();
  const client = createSocket(`${gateway.url.replace("http", "ws")}/graphql`, authorize, MAX_WAIT_MS);
  const received: unknown[] = [];
  const errors: unknown[] = [];
  const end = followCalls(
    client,
    after,
    ({ sessionId }) => received.push(sessionId),
    (e) => errors.push(e),
  );
  await until(() => received.length > 0);
  end();
  expect(asked).toEqual(["Bearer wrong", bearer("web")]);
  expect({ received, errors }).toEqual({ received: [expected], errors: [] });
});

it("the graphql-sse recipe asks for credentials again after a refusal", async () => {
  const { authorize, asked } = createAuthorization();
  const after = await headCursor();
  const expected = await deliver();
  const received: unknown[] = [];
  const onCall = ({ sessionId }: { sessionId: unknown }) => received.push(sessionId);
  const end = followOverSse(`${gateway.url}/graphql`, authorize, after, onCall, fail, MAX_WAIT_MS);
  await until(() => received.length > 0);
  end();
  expect(asked).toEqual(["Bearer wrong", bearer("web")]);
  expect(received).toEqual([expected]);
});

it("the graphql-sse recipe replaces a connection that goes silent, and resumes", async () => {
  await using proxy = await cuttingProxy(gateway.url);
  const received: unknown[] = [];
  const onCall = ({ sessionId }: { sessionId: unknown }) => received.push(sessionId);
  const authorize = async () => bearer("web");
  const after = await headCursor();
  const end = followOverSse(`${proxy.url}/graphql`, authorize, after, onCall, fail, MAX_WAIT_MS, 1000);
  const first = await deliver();
  await until(() => received.length === 1);
  proxy.freezeAll();
  const second = await deliver();
  await until(() => received.length === 2);
  end();
  expect(received).toEqual([first, second]);
});

it("the Relay recipe hands on why the gateway refused a subscription", async () => {
  const client = createSocket(`${gateway.url.replace("http", "ws")}/graphql`, () => bearer("web"), MAX_WAIT_MS);
  const text = "subscription Calls { callEnded { cursor missing } }";
  const request = { name: "Calls", text } as Parameters<SubscribeFunction>[0];
  const answer = resumingSubscribe(client)(request, {}, {}) as Observable<GraphQLResponse>;
  await expect(answer.toPromise()).rejects.toMatchObject({
    source: { errors: [{ extensions: { code: "GRAPHQL_VALIDATION_FAILED" } }] },
  });
  await client.dispose();
});

it("the graphql-sse recipe tells of a cursor that the gateway refuses", async () => {
  const errors: unknown[] = [];
  const authorize = async () => bearer("web");
  const onCall = () => expect.fail("A call was received.");
  const end = followOverSse(`${gateway.url}/graphql`, authorize, "nonsense", onCall, (error) => errors.push(error));
  await until(() => errors.length > 0);
  end();
  expect(errors).toEqual([
    [expect.objectContaining({ extensions: expect.objectContaining({ code: "CURSOR_INVALID" }) })],
  ]);
});
