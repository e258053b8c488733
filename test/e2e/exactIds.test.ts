import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startBoth } from "../support/startBoth.ts";
import { openSocket } from "../support/streams.ts";

const { sandbox, gateway } = await startBoth();
beforeAll(async () => {
  await sandbox.control("POST", "seed", { tasks: [{ id: ID, name: "Beyond 2^53" }] });
});
beforeEach(() => sandbox.forget());

const ID = "9007199254740993123";
const QUERY = "query($id: ID!) { task(taskId: $id) { taskId name } }";
/** Written by hand, because JSON.stringify cannot write such a number. */
const VARIABLES = `{"id":${ID}}`;

const asked: [string, () => Promise<unknown>][] = [
  [
    "in the variables of a POST",
    async () => {
      const body = `{"query":${JSON.stringify(QUERY)},"variables":${VARIABLES}}`;
      const headers = { "content-type": "application/json" };
      return (await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body })).json();
    },
  ],
  [
    "in the variables of a GET",
    async () => {
      const search = new URLSearchParams({ query: QUERY, variables: VARIABLES });
      return (await fetch(`${gateway.url}/graphql?${search}`, { headers: { "x-switchboard-preflight": "1" } })).json();
    },
  ],
  [
    "over WebSocket",
    async () => {
      const client = openSocket(gateway.url);
      // JSON.rawJSON keeps the digits.
      const variables = { id: (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(ID) };
      const { value } = await client.iterate({ query: QUERY, variables }).next();
      await client.dispose();
      return value;
    },
  ],
  ["in a literal", () => gateway.ask(`{ task(taskId: ${ID}) { taskId name } }`)],
  ["as a text", () => gateway.ask(QUERY, { id: ID })],
];

describe("an id beyond 2^53 reaches the service digit by digit", () => {
  it.each(asked)("sends an id beyond 2^53 to the service digit by digit, given in %s", async (_, ask) => {
    expect(await ask()).toMatchObject({ data: { task: { taskId: ID, name: "Beyond 2^53" } } });
    expect((await sandbox.requests()).map(({ path }) => path)).toEqual([`/openapi/tasks/${ID}`]);
  });

  it("refuses variables of a GET that are not JSON, and does not repeat them", async () => {
    const search = new URLSearchParams({ query: QUERY, variables: "+8613800010001" });
    const response = await fetch(`${gateway.url}/graphql?${search}`, { headers: { "x-switchboard-preflight": "1" } });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain("BAD_USER_INPUT");
    expect(text + gateway.output.join()).not.toContain("8613800010001");
  });
});
