import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { spawnGateway } from "../support/gateway.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe } from "../support/streams.ts";
import { askByGet, transports, type GraphqlResult } from "./transports.ts";

const sandbox = await startSandbox();
const gateway = await spawnGateway(sandbox, { INTROSPECTION: "off" });
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const LARGEST = 16 * 1024 * 1024;
const LONG = "x".repeat(2 * 1024 * 1024);
const aliased = (count: number, field: string) =>
  Array.from({ length: count }, (_, at) => `a${at}: ${field}`).join(" ");
const summaries = (count: number) => `{ task(taskId: "7") { ${aliased(count, "summary")} } }`;
const codes = ({ errors = [] }: GraphqlResult) => errors.map(({ extensions }) => extensions?.["code"]);

beforeAll(async () => {
  await sandbox.control("POST", "seed", { tasks: [{ id: 7, summary: LONG }] });
});

const everyWay = [
  ...transports.map(([name, open]) => {
    const ask = async (request: { query: string; operationName?: string }) => {
      await using transport = await open(gateway.url);
      return await transport.ask(request);
    };
    return [name, ask] as const;
  }),
  ["GET", (request: { query: string }) => askByGet(gateway.url, request)] as const,
];

describe.each(everyWay)("A72: the limit of 16 MiB for an answer, over %s", (_, ask) => {
  it("answers QUERY_TOO_COMPLEX in place of a larger answer", async () => {
    const within = await ask({ query: summaries(2) });
    expect(within.errors).toBeUndefined();
    expect(JSON.stringify(within).length).toBeLessThan(LARGEST);
    const beyond = await ask({ query: summaries(8) });
    expect([beyond.data, codes(beyond)]).toEqual([null, ["QUERY_TOO_COMPLEX"]]);
    expect(beyond.errors?.[0]?.message).toBe("The answer is larger than 16 MiB: select fewer fields, or fewer items.");
  });
});

describe.each(transports)("A72: the limit of 128 characters for a name, over %s", (_, open) => {
  it("applies to operationName", async () => {
    await using transport = await open(gateway.url);
    const query = (name: string) => `query ${name} { serviceTimeZone } query Other { serviceTimeZone }`;
    const [longest, tooLong] = ["n".repeat(128), "n".repeat(129)];
    expect(await transport.ask({ query: query(longest), operationName: longest })).toEqual({
      data: { serviceTimeZone: "Asia/Shanghai" },
    });
    const result = await transport.ask({ query: query("n"), operationName: tooLong });
    expect(codes(result)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(result.errors?.[0]?.message).toBe("A name has more than 128 characters.");
  });
});

describe("A72: a result of a subscription over 16 MiB", () => {
  type Ended = { callEnded: { sessionId: string } | null };
  const query = `subscription($after: String!) { callEnded(after: $after) { sessionId ${aliased(90, "hangupReason")} } }`;

  it("is an error, in a shared group and alone, and the next result follows", async () => {
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    const variables = { after: data?.callEndedEvents.headCursor };
    await using first = subscribe<Ended>(openSocket(gateway.url), query, variables);
    await using second = subscribe<Ended>(openSocket(gateway.url), query, variables);
    await using third = await openSse<Ended>(gateway.url, { query, variables });
    await using alone = await openSse<Ended>(gateway.url, {
      query: query.replace("hangupReason", "cursor"),
      variables,
    });
    const streams = [first, second, third, alone];
    for (const [session_id, length] of [
      ["s-1", 4],
      ["s-2", 200 * 1024],
      ["s-3", 4],
    ] as const) {
      const results = Promise.all(streams.map((stream) => stream.next()));
      await gateway.deliver(callEndedEvent({ session_id, hangup_reason: "y".repeat(length) }));
      const expected = length === 4 ? [session_id] : ["QUERY_TOO_COMPLEX"];
      for (const result of await results)
        expect(length === 4 ? [result.data?.callEnded?.sessionId] : codes(result as GraphqlResult)).toEqual(expected);
    }
  });
});

describe.runIf(process.platform === "linux")("A72: an answer that is too large", () => {
  const megabytes = (name: "VmRSS" | "VmHWM") => {
    const status = readFileSync(`/proc/${gateway.process.pid}/status`, "latin1");
    return Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  };

  it("takes no more memory than a small one", async () => {
    const ask = () => gateway.ask(summaries(90));
    await ask();
    const before = megabytes("VmRSS");
    // Resets the peak of the resident memory (proc(5)).
    writeFileSync(`/proc/${gateway.process.pid}/clear_refs`, "5");
    for (const { errors } of await Promise.all([ask(), ask(), ask(), ask()]))
      expect(errors?.[0]?.extensions["code"]).toBe("QUERY_TOO_COMPLEX");
    // Each has 180 MB as JSON.
    expect(megabytes("VmHWM") - before).toBeLessThan(150);
  });
});
