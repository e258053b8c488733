import { describe, expect, it } from "vitest";
import { attacks, CANARY } from "./corpus.ts";
import { askByGet, transports, type GraphqlResult } from "./transports.ts";
import { startBoth } from "../support/startBoth.ts";

const { sandbox, gateway } = await startBoth({ INTROSPECTION: "off" });

const LARGEST_ADDRESS = 8000;

function expectRefusal({ data, errors = [] }: GraphqlResult, code: string): void {
  expect([...new Set(errors.map(({ extensions }) => extensions?.["code"]))]).toEqual([code]);
  expect(Object.values(data ?? {}).filter((value) => value !== null)).toEqual([]);
  const text = JSON.stringify(errors);
  expect(text.length).toBeLessThan(4096);
  expect(text).not.toMatch(/did you mean|subfields|RangeError|node_modules/i);
  for (const { message } of errors) expect(message).not.toMatch(/canary|\d{6}|INBOND|INBOUND|frist|"/);
  expect(text).not.toContain(CANARY);
}

describe.each(transports)("the corpus of attacks over %s", (_, open) => {
  it("is refused with codes before any request to the service, and leaves the gateway unchanged", async () => {
    await sandbox.forget();
    await using transport = await open(gateway.url);
    for (const { row, name, request, code } of attacks) {
      const result = await transport.ask(request).catch((error: Error) => ({ errors: [{ message: error.message }] }));
      expect(
        () => expectRefusal(result, code),
        `${row} ${name}: ${JSON.stringify(result).slice(0, 300)}`,
      ).not.toThrow();
    }
    expect(await transport.ask({ query: "{ serviceTimeZone }" })).toEqual({
      data: { serviceTimeZone: "Asia/Shanghai" },
    });
    expect(await sandbox.requests()).toEqual([]);
  });
});

describe("the corpus of attacks over GET", () => {
  const short = attacks.filter(
    ({ request }) =>
      String(request.query).length < LARGEST_ADDRESS &&
      !/^(mutation|subscription)/.test(String(request.query)) &&
      String(request.query).isWellFormed(),
  );

  it.each(short.map(({ row, name, request, code }) => [row, name, request, code] as const))(
    "%s: %s",
    async (_row, _name, request, code) => {
      expectRefusal(await askByGet(gateway.url, request as { query: string }), code);
    },
  );
});

describe("A12: error messages", () => {
  it("reveal no names of the graph while introspection is off, for the whole corpus", async () => {
    const answers = await Promise.all(
      attacks
        .filter(({ row }) => row === "A12")
        .map(({ request }) => gateway.ask(String(request.query), request.variables)),
    );
    const words = new Set(answers.flatMap(({ errors = [] }) => errors.flatMap(({ message }) => message.split(/\W+/))));
    for (const name of [
      "CallLog",
      "CallLogConnection",
      "CallLogFilter",
      "Query",
      "callLogs",
      "INBOUND",
      "CallDirection",
    ])
      expect(words).not.toContain(name);
  });
});
