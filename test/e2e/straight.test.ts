import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestGateway, NO_SERVICE, startGateway } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";

let straight: TestGateway;
let throughYoga: TestGateway;
beforeAll(async () => {
  [straight, throughYoga] = await Promise.all([
    startGateway(NO_SERVICE, { FAST_PATH: "on" }),
    startGateway(NO_SERVICE, { FAST_PATH: "off" }),
  ]);
});
afterAll(() => Promise.all([straight, throughYoga].map((gateway) => gateway[Symbol.asyncDispose]())));

const bodies: [string, unknown][] = [
  ["a query", { query: "{ __typename viewer { name scopes } }" }],
  ["a query with a variable", { query: "query ($id: ID!) { node(id: $id) { id } }", variables: { id: "x" } }],
  ["one of two operations", { query: "query A { a: __typename } query B { b: __typename }", operationName: "B" }],
  ["none of two operations", { query: "query A { a: __typename } query B { b: __typename }" }],
  ["an empty operation name", { query: "query A { a: __typename }", operationName: "" }],
  ["a failed field", { query: '{ task(taskId: "x") { name } viewer { name } }' }],
  ["a mutation that is refused as data", { query: 'mutation { reprocessQuarantined(id: "x") { reason } }' }],
  ["a syntax error", { query: "{" }],
  ["an unknown field", { query: "{ nothing }" }],
  ["a variable that cannot be coerced", { query: "query ($id: ID!) { node(id: $id) { id } }", variables: { id: [] } }],
  ["a text for variables", { query: "{ __typename }", variables: "x" }],
  ["a number for a query", { query: 7 }],
  ["a subscription", { query: "subscription { callEnded { id } }" }],
  ["an unknown parameter", { query: "{ __typename }", unknown: 1 }],
  ["extensions", { query: "{ __typename }", extensions: { a: 1 } }],
];
const accepts = [
  undefined,
  "*/*",
  "application/json",
  "application/graphql-response+json",
  "application/graphql-response+json, application/json",
  "application/json, application/graphql-response+json",
  "application/json;q=0.9, application/graphql-response+json;q=0.5",
  "application/json; charset=utf-8",
  "text/html",
  "image/png, application/json",
  "application/json, text/plain, */*",
  "multipart/mixed;incrementalSpec=v0.2,application/graphql-response+json,application/json;q=0.9",
  "application/graphql-response+json; charset=utf-8, application/json; charset=utf-8",
  "application/graphql-response+json; charset=latin1, application/json",
  "application/*",
  "*/json",
  "APPLICATION/GRAPHQL-RESPONSE+JSON",
  "multipart/mixed",
  "multipart/mixed;deferSpec=20220824",
];

describe("the fast JSON route answers like Yoga", () => {
  // For subscriptions see test/graphql/subscriptions/sharedGroupEvents.test.ts.
  it.each(bodies.filter(([name]) => name !== "a subscription"))(
    "answers %s like Yoga, as server-sent events",
    async (_, body) => {
      const answered = await answer(straight, body, "text/event-stream");
      expect(answered[0]?.type).toBe("text/event-stream");
      expect(answered).toEqual(await answer(throughYoga, body, "text/event-stream"));
    },
  );

  for (const [name, body] of bodies) {
    it.each(accepts)(`answers ${name} like Yoga, with Accept: %s`, async (accept) => {
      expect(await answer(straight, body, accept)).toEqual(await answer(throughYoga, body, accept));
    });
  }
});

describe("the fast JSON route and Yoga read a body alike", () => {
  const types = [
    "application/json ; charset=utf-8",
    'APPLICATION/JSON;charset="UTF-8"',
    "application/json;q=1",
    "text/plain",
  ];
  it.each(types)("both routes read a body with Content-Type: %s alike", async (type) => {
    const body = { query: "{ viewer { name } }" };
    const [expected] = await answer(straight, body, "application/json", type);
    for (const accept of ["application/json;q=0.9", "application/json, */*"]) {
      expect(await answer(straight, body, accept, type)).toEqual([expected, expected]);
      expect(await answer(throughYoga, body, accept, type)).toEqual([expected, expected]);
    }
    expect(expected?.status).toBe(type === "text/plain" ? 415 : 200);
  });
});

describe("both routes choose the accepted type with the highest q", () => {
  it.each([
    ["application/json;q=0.5, application/graphql-response+json;q=0.8", "application/graphql-response+json"],
    ["application/graphql-response+json; q=0.1, application/json", "application/json"],
    ["*/*;q=0.1, application/graphql-response+json; charset=utf-8; Q=0.2", "application/graphql-response+json"],
    ["application/graphql-response+json;q=0, application/json;q=0.001", "application/json"],
    ["application/json;q=1.0, application/graphql-response+json;q=1", "application/json"],
    ["text/event-stream;q=0.1, application/json;q=x", "application/json"],
    ["*/*, text/event-stream", "application/json"],
    ["text/event-stream;q=0.1, */*;q=0.2", "application/json"],
    ["text/event-stream, application/*, application/graphql-response+json", "application/json"],
  ])("both routes choose the type with the highest q of Accept: %s", async (accept, type) => {
    for (const gateway of [straight, throughYoga]) {
      const answered = await answer(gateway, { query: "{ viewer { name } }" }, accept);
      expect(answered.map(({ status, type }) => [status, type?.split(";", 1)[0]])).toEqual([
        [200, type],
        [200, type],
      ]);
    }
  });

  it.each(["application/json;q=0", "text/event-stream;q=0, image/png"])(
    "both routes answer 406 to Accept: %s",
    async (accept) => {
      for (const gateway of [straight, throughYoga]) {
        const [answered] = await answer(gateway, { query: "{ viewer { name } }" }, accept);
        expect(answered?.status).toBe(406);
      }
    },
  );
});

describe("both routes answer a subscription with text/event-stream", () => {
  it.each(["text/event-stream", "TEXT/Event-Stream", "application/json, Text/Event-Stream", "*/*, text/event-stream"])(
    "both routes stream a subscription for Accept: %s",
    async (accept) => {
      for (const { url } of [straight, throughYoga]) {
        await using stream = await openSse(url, { query: "subscription { callEnded { id } }" }, { accept });
        expect([stream.response.status, stream.response.headers.get("content-type")]).toEqual([
          200,
          "text/event-stream",
        ]);
      }
    },
  );
});

/** Sends the request twice, because the second run of a document is compiled. */
async function answer({ url }: TestGateway, body: unknown, accept: string | undefined, type = "application/json") {
  const answers = [];
  for (const _ of [1, 2]) {
    const response = await fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": type, ...(accept === undefined ? {} : { accept }) },
      body: JSON.stringify(body),
    });
    const text = (await response.text()).replace(/"requestId":"[^"]+"/g, '"requestId":""');
    const { status, headers } = response;
    answers.push({
      status,
      type: headers.get("content-type"),
      allow: headers.get("allow"),
      guard: headers.get("x-frame-options"),
      body: parsed(text),
    });
  }
  return answers;
}

function parsed(text: string): unknown {
  // The headers of a single part differ.
  const [, part] = text.startsWith("\r\n---") ? text.split(/\r\n\r\n|\r\n-----\r\n$/) : [];
  if (part !== undefined) return [JSON.parse(part)];
  return text.startsWith("{") ? JSON.parse(text) : text;
}
