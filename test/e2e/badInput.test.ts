import { beforeEach, describe, expect, it } from "vitest";
import { startBoth } from "../support/startBoth.ts";

const { sandbox, gateway } = await startBoth();
beforeEach(() => sandbox.forget());

const refused: [name: string, query: string, code: string, variables?: object][] = [
  ["a task id that is no number", `{ task(taskId: "abc") { name } }`, "BAD_USER_INPUT"],
  ["a task id that is a path", `{ task(taskId: "1/../2") { name } }`, "BAD_USER_INPUT"],
  ["task 0, which is no task", `{ task(taskId: "0") { name } }`, "BAD_USER_INPUT"],
  ["one bad id among good ones", `{ tasksByIds(taskIds: ["1", "x"]) { name } }`, "BAD_USER_INPUT"],
  [
    "101 ids",
    `query($ids: [ID!]!) { tasksByIds(taskIds: $ids) { name } }`,
    "QUERY_TOO_COMPLEX",
    { ids: Array.from({ length: 101 }, (_, i) => i + 1) },
  ],
  ["first: 0", `{ callLogs(first: 0) { totalCount } }`, "BAD_USER_INPUT"],
  ["first: 101", `{ callLogs(first: 101) { totalCount } }`, "BAD_USER_INPUT"],
  ["a negative first", `{ callEndedEvents(first: -1) { headCursor } }`, "BAD_USER_INPUT"],
  [
    "11 task ids, which the service cannot take",
    `{ callLogs(filter: { taskIds: [1,2,3,4,5,6,7,8,9,10,11] }) { totalCount } }`,
    "BAD_USER_INPUT",
  ],
  [
    "a filter's task id that is no number",
    `{ callLogs(filter: { taskIds: ["1,2"] }) { totalCount } }`,
    "BAD_USER_INPUT",
  ],
  [
    "since after until",
    `{ callLogs(filter: { since: "2026-01-02T00:00:00Z", until: "2026-01-01T00:00:00Z" }) { totalCount } }`,
    "BAD_USER_INPUT",
  ],
  ["a phone with a line break", `{ callLogs(filter: { phone: "138\\r\\nHost: x" }) { totalCount } }`, "BAD_USER_INPUT"],
  ["a phone of blanks", `{ callLogs(filter: { phone: "  " }) { totalCount } }`, "BAD_USER_INPUT"],
  ["a phone of signs alone", `{ callLogs(filter: { phone: "+" }) { totalCount } }`, "BAD_USER_INPUT"],
  ["a forged list cursor", `{ callLogs(after: "WyJhIl0AAAAAAAAAAAAAAAA") { totalCount } }`, "CURSOR_INVALID"],
  [
    "a forged event cursor",
    `{ callEndedEvents(after: "0000000001AAAAAAAAAAAAAAAA") { headCursor } }`,
    "CURSOR_INVALID",
  ],
  ["an id that is no node's", `{ node(id: "abc") { id } }`, "BAD_USER_INPUT"],
  [
    "a variable of another type",
    `query($f: Int!) { callLogs(first: $f) { totalCount } }`,
    "BAD_USER_INPUT",
    { f: "13800010001" },
  ],
  [
    "a time without an offset",
    `query($s: DateTime) { callLogs(filter: { since: $s }) { totalCount } }`,
    "BAD_USER_INPUT",
    { s: "2026-01-01 00:00:00" },
  ],
  [
    "a time of no calendar",
    `query($s: DateTime) { callLogs(filter: { since: $s }) { totalCount } }`,
    "BAD_USER_INPUT",
    { s: "2026-02-30T00:00:00Z" },
  ],
  ["an unknown field", `{ calls { totalCount } }`, "GRAPHQL_VALIDATION_FAILED"],
  ["a document that is none", `{ callLogs(`, "GRAPHQL_PARSE_FAILED"],
  ["more tokens than the limit", `{ ${"__typename ".repeat(1001)} }`, "GRAPHQL_PARSE_FAILED"],
  ["two operations and no name", `query A { __typename } query B { __typename }`, "BAD_USER_INPUT"],
];

describe("Bad input", () => {
  it.each(refused)("refuses %s before any request to the service", async (_, query, code, variables) => {
    const { errors } = await gateway.ask(query, variables);
    expect(errors?.map(({ extensions }) => extensions["code"])).toEqual([code]);
    expect(errors?.[0]?.extensions["requestId"]).toMatch(/^[a-p]{24}$/);
    expect(errors?.[0]?.message).not.toContain("13800010001");
    expect(await sandbox.requests()).toEqual([]);
  });

  it("refuses a cursor of a list with other arguments before any request", async () => {
    const { data } = await gateway.ask<{ callLogs: { pageInfo: { endCursor: string } } }>(
      `{ callLogs(first: 2) { pageInfo { endCursor } } }`,
    );
    await sandbox.forget();
    const { errors } = await gateway.ask(
      `query($after: String) { callLogs(first: 2, after: $after, filter: { direction: INBOUND }) { totalCount } }`,
      { after: data?.callLogs.pageInfo.endCursor },
    );
    expect(errors?.[0]?.extensions["code"]).toBe("CURSOR_INVALID");
    expect(await sandbox.requests()).toEqual([]);
  });
});

describe("An invalid HTTP request", () => {
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) =>
    fetch(`${gateway.url}/graphql`, { method: "POST", body, headers });
  const query = `{"query":"{ __typename }"}`;

  it.each([
    ["text/plain", 415],
    ["application/x-www-form-urlencoded", 415],
    ["multipart/form-data; boundary=x", 415],
    ["application/graphql", 415],
    ["application/json; charset=utf-16", 415],
    ["application/json; charset=utf-8", 200],
  ])("answers a request with the content type %s by %i", async (type, status) => {
    expect((await post(query, { "content-type": type })).status).toBe(status);
  });

  it.each([
    ["an encoded body", query, { "content-type": "application/json", "content-encoding": "gzip" }, 415],
    ["a batch", `[${query},${query}]`, { "content-type": "application/json" }, 400],
    ["no JSON", "{", { "content-type": "application/json" }, 400],
    ["an empty object", "{}", { "content-type": "application/json" }, 400],
    ["null", "null", { "content-type": "application/json" }, 400],
    ["a query that is no text", `{"query":{}}`, { "content-type": "application/json" }, 400],
  ])("refuses an invalid HTTP request: %s", async (_, body, headers, status) => {
    const response = await post(body, headers);
    expect(response.status).toBe(status);
    const { errors } = (await response.json()) as { errors: { extensions: object }[] };
    expect(errors[0]?.extensions).toHaveProperty("requestId");
  });

  it("refuses a body with bytes that are not UTF-8", async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"query":"{ __typename }","x":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect((await post(new Uint8Array(bytes), { "content-type": "application/json" })).status).toBe(400);
  });

  it("refuses a body over the limit", async () => {
    const large = JSON.stringify({ query: "{ __typename }", variables: { x: "x".repeat(17 * 1024 * 1024) } });
    const answer = await post(large, { "content-type": "application/json" }).then(
      ({ status }) => status,
      () => "cut",
    );
    expect([413, "cut"]).toContain(answer);
  });

  it("refuses a GET that another site could have sent", async () => {
    const address = `${gateway.url}/graphql?query=${encodeURIComponent("{ __typename }")}`;
    expect((await fetch(address)).status).toBe(403);
    expect((await fetch(address, { headers: { "x-switchboard-preflight": "1" } })).status).toBe(200);
  });

  it("refuses a GET without an operation, or with an unknown operation name", async () => {
    const statusOf = async (name: string) => {
      const asked = new URLSearchParams({ query: "query A { __typename }", operationName: name });
      const headers = { "x-switchboard-preflight": "1", accept: "application/graphql-response+json" };
      return (await fetch(`${gateway.url}/graphql?${asked}`, { headers })).status;
    };
    expect([await statusOf("A"), await statusOf(""), await statusOf("B")]).toEqual([200, 200, 400]);
  });

  it("refuses a mutation by GET", async () => {
    const query = `mutation { createTask(input: {
      idempotencyKey: "get", name: "x", assistantId: "1", numbers: [{ number: "1" }]
      option: {
        lineIds: ["1"], periods: [["09:00"]], startDate: "2026-01-01", retryCount: 0, retryIntervalSeconds: 0
        numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 }
      } }) { replayed } }`;
    const address = `${gateway.url}/graphql?query=${encodeURIComponent(query)}`;
    const response = await fetch(address, { headers: { "x-switchboard-preflight": "1" } });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
    expect(await sandbox.requests()).toEqual([]);
  });
});
