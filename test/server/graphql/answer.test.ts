// Which writer answers: by what a client accepts, and what the operation is.
import { OperationTypeNode, parse, type ExecutionResult } from "graphql";
import { describe, expect, it, onTestFinished } from "vitest";
import { allowEveryone } from "../../../src/auth/authenticate.ts";
import type { Parts } from "../../../src/graphql/executor/answerInParts.ts";
import type { Operation, OperationPipeline, OperationResult } from "../../../src/graphql/operation.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { routeOf } from "../route.ts";
import { serve } from "../serve.ts";

const BODY = JSON.stringify({ query: "{ __typename }" });
const WHOLE: ExecutionResult = { data: { whole: true } };
const JSON_TYPE = "application/json; charset=utf-8";
const PARTS_TYPE = 'multipart/mixed; boundary="-"';
const EVENTS_TYPE = "text/event-stream";
const PARTS_ACCEPT = "multipart/mixed;incrementalSpec=v0.2, application/json;q=0.9";

async function* resultsOf(results: readonly ExecutionResult[]): AsyncGenerator<ExecutionResult, undefined> {
  yield* results;
  return undefined;
}
const partsOf = (...results: ExecutionResult[]): Parts =>
  Object.assign(resultsOf(results), { isOneAnswer: true as const });

/** A route whose pipeline has one operation. */
async function serveOperation(kind: OperationTypeNode, result: () => OperationResult, fastPath = true) {
  const [prepared, ran]: [unknown[], Parameters<Operation["run"]>[]] = [[], []];
  const pipeline: OperationPipeline = {
    prepare(request) {
      prepared.push(request);
      const run: Operation["run"] = (...args) => {
        ran.push(args);
        return result();
      };
      return { kind, document: parse("{ __typename }"), name: null, run };
    },
  };
  const route = routeOf({ pipeline, fastPath, admit: allowEveryone(), connectionQuota: createConnectionQuota() });
  const server = await serve((request, response) => void route(request, response, { "x-own": "1" }));
  onTestFinished(() => server[Symbol.asyncDispose]());

  async function ask(accept: string, method = "POST") {
    const target = method === "GET" ? `?query=${encodeURIComponent("{ __typename }")}` : "";
    const response = await fetch(`${server.url}/graphql${target}`, {
      method,
      headers: { accept, "content-type": "application/json", "x-switchboard-preflight": "1" },
      ...(method === "GET" ? {} : { body: BODY }),
    });
    expect(response.headers.get("x-own")).toBe("1");
    const { status, headers } = response;
    const [type, stored] = [headers.get("content-type"), headers.get("cache-control")];
    return { status, type, stored, text: await response.text() };
  }
  return { ask, prepared, ran };
}

it("an answer in one piece by GET is not stored, whatever type its client accepts", async () => {
  const { ask } = await serveOperation(OperationTypeNode.QUERY, () => WHOLE);
  for (const accept of ["application/json", "application/json, text/plain", "multipart/mixed"])
    expect((await ask(accept, "GET")).stored).toBe("no-store");
});

describe.each([true, false])("an answer with the fast path %s", (fastPath) => {
  it.each([
    ["application/json", JSON_TYPE],
    ["*/*", JSON_TYPE],
    ["application/json;q=0.5, text/event-stream;q=0.9", JSON_TYPE],
    [PARTS_ACCEPT, JSON_TYPE],
    ["application/graphql-response+json", "application/graphql-response+json; charset=utf-8"],
    ["text/event-stream", EVENTS_TYPE],
    ["text/event-stream; charset=utf-8", EVENTS_TYPE],
    ["image/png, TEXT/*", EVENTS_TYPE],
    ["multipart/mixed", PARTS_TYPE],
  ])("of a query in one piece, for Accept: %s, has the type %s", async (accept, type) => {
    const { ask, prepared } = await serveOperation(OperationTypeNode.QUERY, () => WHOLE, fastPath);
    for (const method of ["POST", "GET"]) {
      const answer = await ask(accept, method);
      expect([answer.status, answer.type]).toEqual([200, type]);
      expect(answer.text).toContain('{"data":{"whole":true}}');
    }
    expect(prepared.length).toBe(2);
  });

  it.each([
    [PARTS_ACCEPT, PARTS_TYPE],
    ["multipart/mixed, text/event-stream", PARTS_TYPE],
    ["text/event-stream, multipart/mixed", EVENTS_TYPE],
    ["application/json, text/event-stream", EVENTS_TYPE],
  ])("of a query in parts, for Accept: %s, has the type %s and all parts", async (accept, type) => {
    const parts = () => partsOf({ data: { part: 1 } }, { data: { part: 2 } });
    const { ask, ran } = await serveOperation(OperationTypeNode.QUERY, parts, fastPath);
    const answer = await ask(accept);
    expect([answer.status, answer.type, ran[0]?.[3]]).toEqual([200, type, true]);
    expect(answer.text.match(/"part":\d/g)).toEqual(['"part":1', '"part":2']);
    expect(answer.text).toMatch(type === EVENTS_TYPE ? /event: complete\ndata:\n\n$/ : /\r\n-----\r\n$/);
  });

  it("of a subscription is a stream, where its type is accepted by name among others", async () => {
    const { ask, ran } = await serveOperation(OperationTypeNode.SUBSCRIPTION, () => resultsOf([WHOLE]), fastPath);
    for (const accept of [
      "text/event-stream",
      "application/json, text/event-stream",
      "multipart/mixed, Text/Event-Stream",
    ])
      expect((await ask(accept)).type).toBe(EVENTS_TYPE);
    expect(ran.map(([, send]) => typeof send)).toEqual(["function", "function", "function"]);
  });

  it.each(["application/json", "*/*", "text/*", "multipart/mixed", "application/json;charset=utf-8"])(
    "of a subscription is 406, for Accept: %s, and it does not run",
    async (accept) => {
      const { ask, ran } = await serveOperation(OperationTypeNode.SUBSCRIPTION, () => resultsOf([WHOLE]), fastPath);
      for (const method of ["POST", "GET"]) {
        const { status, text } = await ask(accept, method);
        expect([status, /"code":"(\w+)"/.exec(text)?.[1]]).toEqual([406, "BAD_USER_INPUT"]);
      }
      expect(ran).toEqual([]);
    },
  );

  it.each([
    "application/json",
    "text/event-stream",
    "text/*",
    "multipart/mixed",
    "application/json, text/event-stream",
  ])("of a mutation by GET is 405, for Accept: %s, and it does not run", async (accept) => {
    const { ask, ran } = await serveOperation(OperationTypeNode.MUTATION, () => WHOLE, fastPath);
    const { status, text } = await ask(accept, "GET");
    expect([status, /"requestId":"[^"]+"/.test(text), ran]).toEqual([405, true, []]);
    expect((await ask(accept)).status).toBe(200);
  });
});
