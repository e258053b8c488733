import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { spawnGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { createTaskInput } from "../tasks/input.ts";
import { countInHeap, heapAt } from "./heapOf.ts";
import { askByGet, transports, type GraphqlResult } from "./transports.ts";

let sandbox: TestSandbox;
let directory: Directory;
let gateway: GatewayProgram;
const file = () => join(directory.path, "heap.heapsnapshot");
beforeAll(async () => {
  sandbox = await startSandbox();
  directory = await temporaryDirectory();
  // The caches keep answers for longer than this test runs.
  gateway = await spawnGateway(sandbox, { ...heapAt(file()), UPSTREAM_CACHE_MS: "600000" });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

/** A different number for each way into the gateway, so that a find shows its way. */
const numbers = new Map<string, string>();
function numberOf(way: string): string {
  const number = numbers.get(way) ?? String(1_391_700_000 + numbers.size * 1117);
  numbers.set(way, number);
  return number;
}

const list = "query List($phone: String) { callLogs(filter: { phone: $phone }) { totalCount nodes { callee } } }";
const page = "query Page($first: Int!) { callLogs(first: $first) { totalCount } }";
const event = "query Event($id: ID!) { callEnded(sessionId: $id) { callee } node(id: $id) { id } }";
const live = "subscription Live($phone: String) { callEnded(filter: { phone: $phone }) { sessionId callee } }";
const create =
  "mutation Create($input: CreateTaskInput!) { createTask(input: $input) { submission { id } errors { code } } }";
const forget = "mutation Forget($number: String!) { forgetPhone(number: $number) { events } }";

const everyWay = [
  ...transports.map(([name, open]) => {
    const ask = async (request: { query: string; variables?: unknown }) => {
      await using transport = await open(gateway.url);
      return await transport.ask(request);
    };
    return [name, ask] as const;
  }),
  [
    "GET",
    (request: { query: string; variables?: unknown }): Promise<GraphqlResult> => askByGet(gateway.url, request),
  ] as const,
];

async function giveVariables(): Promise<void> {
  // First, because an event clears the response cache.
  for (const at of [1, 2]) {
    const phone = numberOf(`subscription ${at}`);
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    const variables = { phone, after: data?.callEndedEvents.headCursor };
    const query = live.replace("($phone", "($after: String, $phone").replace("(filter", "(after: $after filter");
    await using socket = subscribe<{ callEnded: { callee: string } }>(openSocket(gateway.url), query, variables);
    await using sse = await openSse<{ callEnded: { callee: string } }>(gateway.url, { query, variables });
    const results = Promise.all([socket.next(), sse.next()]);
    await gateway.deliver(callEndedEvent({ session_id: `live-${at}`, callee: phone }));
    expect((await results).map((result) => result.data?.callEnded.callee)).toEqual([phone, phone]);
  }
  for (const [name, ask] of everyWay)
    // More is cached from the second time on.
    for (const _ of [1, 2, 3]) {
      const { errors } = await ask({ query: list, variables: { phone: numberOf(`variable by ${name}`) } });
      expect(errors).toBeUndefined();
      await ask({ query: page, variables: { first: Number(numberOf(`refused number by ${name}`)) } });
      await ask({ query: list, variables: { phone: { no: numberOf(`text of the wrong type by ${name}`) } } });
      await ask({ query: event, variables: { id: numberOf(`id by ${name}`) } });
      await ask({ query: list, variables: { phone: "", [`x${numberOf(`name of a variable by ${name}`)}`]: 1 } });
    }
  for (const at of [1, 2, 3]) {
    const input = createTaskInput({
      idempotencyKey: `key-${at}`,
      name: `for ${numberOf("name of a task")}`,
      numbers: [{ number: numberOf("new task"), extra: { [`x${numberOf("key of extra")}`]: numberOf("extra") } }],
    });
    await gateway.ask(create, { input });
  }
  // The database client keeps the last statement until the next one.
  await gateway.ask("{ callEndedEvents { headCursor } }");
}

async function giveLiterals(): Promise<void> {
  for (const [name, ask] of everyWay)
    for (const _ of [1, 2, 3]) {
      const { errors } = await ask({
        query: list
          .replace("phone: $phone", `phone: "${numberOf(`literal by ${name}`)}"`)
          .replace("($phone: String)", ""),
      });
      expect(errors).toBeUndefined();
      await ask({ query: `{ a${numberOf(`alias by ${name}`)}: serviceTimeZone }` });
      await ask({ query: `{ no${numberOf(`unknown field by ${name}`)} }` });
      await ask({ query: `{ "${numberOf(`no document by ${name}`)}` });
    }
}

async function found(): Promise<string[]> {
  const counts = await countInHeap(gateway, file(), [...numbers.values()]);
  return [...numbers.keys()].filter((_, at) => (counts[at] ?? 0) > 0);
}

describe("A82: numbers in requests", () => {
  it("leave the memory with their operation as variables, and with forgetPhone as texts of documents", async () => {
    await giveVariables();
    const fromEvents = new Set(["subscription 1", "subscription 2"]);
    // The data of events is in the log.
    expect((await found()).filter((way) => !fromEvents.has(way))).toEqual([]);
    await giveLiterals();
    // Proves that the search can find it.
    expect(await found()).toContain("literal by POST");

    for (const way of fromEvents) {
      const { data } = await gateway.ask(forget, { number: numberOf(way) });
      expect(data).toEqual({ forgetPhone: { events: 1 } });
    }
    expect(await found()).toEqual([]);
    await giveLiterals();
    const { data } = await gateway.ask(forget, { number: numberOf("number that is nowhere") });
    expect(data).toEqual({ forgetPhone: { events: 0 } });
    expect(await found()).toEqual([]);
    await gateway.ask(`mutation { forgetPhone(number: "${numberOf("number in a document")}") { events } }`);
    expect(await found()).toEqual([]);
  });
});
