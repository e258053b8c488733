import * as fc from "fast-check";
import { parse, validateExecutionArgs, type GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { scopes } from "../../../src/auth/scopes.ts";
import { createCoercionCache } from "../../../src/graphql/policy/coercionCache.ts";
import { createDecisionCache } from "../../../src/graphql/policy/decisionCache.ts";
import { schema } from "../../../src/schema/schema.ts";
import { codes, pipeline } from "../pipeline.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

function counted() {
  const count = { coerced: 0, decided: 0 };
  const coerce = createCoercionCache((document, operationName, variableValues) => {
    count.coerced += 1;
    return validateExecutionArgs({ schema, document, operationName, variableValues });
  });
  const decide = createDecisionCache(() => {
    count.decided += 1;
    return { refusal: null, requests: 0 };
  });
  const viewer = { name: "web", scopes: new Set(["calls:read"] as const), ...unrestricted };
  function prepare(document: ReturnType<typeof parse>, name: string | null, variables = {}, asking = viewer) {
    const coerced = coerce(document, name, variables);
    if (!("operation" in coerced)) return coerced.map(({ message }: GraphQLError) => message);
    decide(coerced, asking);
    return coerced.operation.name?.value ?? null;
  }
  return { count, prepare, viewer };
}

describe("the caches of coerced operations and of decisions", () => {
  it("coerce an operation without variables once, and decide once for each set of scopes", () => {
    const { count, prepare, viewer } = counted();
    const document = parse("query A { __typename } query B { __typename }");
    expect([prepare(document, "A"), prepare(document, "B"), prepare(document, "A")]).toEqual(["A", "B", "A"]);
    prepare(document, "A", {}, { ...viewer, scopes: new Set(viewer.scopes) });
    expect(count).toEqual({ coerced: 2, decided: 3 });
  });

  it("decide once for each value of a deciding variable, and coerce variables each time", () => {
    const { count, prepare } = counted();
    const document = parse("query A($n: Boolean = true) { __typename @skip(if: $n) }");
    for (const n of [true, false, true]) prepare(document, "A", { n });
    expect(count).toEqual({ coerced: 3, decided: 2 });
  });

  it("cache nothing for an unknown operation name", () => {
    const { count, prepare } = counted();
    const document = parse("query A { __typename }");
    for (const _ of [1, 2]) expect(prepare(document, "none")).toHaveLength(1);
    expect(count).toEqual({ coerced: 2, decided: 0 });
  });
});

describe("the cache of coerced subscriptions", () => {
  it("coerces once for each operation and each JSON of variables", () => {
    const { count, prepare } = counted();
    const fields = "callEnded(after: $after) { cursor }";
    const document = parse(`subscription A($after: String) { ${fields} } subscription B($after: String) { ${fields} }`);
    // Only the first run finds out that it is a subscription.
    prepare(document, "A", { after: "x" });
    for (const _ of [1, 2, 3]) for (const after of ["x", "y", null]) prepare(document, "A", { after });
    expect(count.coerced).toBe(4);
    prepare(document, "B", { after: "x" });
    prepare(document, "A");
    expect(count.coerced).toBe(6);
  });

  it("keeps the last hundred of a document", () => {
    const { count, prepare } = counted();
    const document = parse("subscription A($after: String) { callEnded(after: $after) { cursor } }");
    for (let at = 0; at <= 101; at += 1) prepare(document, "A", { after: String(at) });
    prepare(document, "A", { after: "101" });
    expect(count.coerced).toBe(102);
    prepare(document, "A", { after: "1" });
    expect(count.coerced).toBe(103);
  });

  it("does not take an infinite number for the null that JSON.stringify writes", () => {
    const { prepare } = counted();
    const document = parse("subscription A($filter: CallEndedFilter) { callEnded(filter: $filter) { cursor } }");
    const asked = (answered: string) => prepare(document, "A", JSON.parse(`{ "filter": { "answered": ${answered} } }`));
    for (const _ of [1, 2]) expect(asked("null")).toBe("A");
    expect(asked("1e400")).toEqual([expect.stringContaining("invalid value")]);
    expect(asked(`${"[".repeat(10_000)}${"]".repeat(10_000)}`)).toEqual([expect.stringContaining("invalid value")]);
  });
});

describe("decisions for viewers with different scopes", () => {
  it("do not depend on who sent the same document before", () => {
    const queries = [
      "{ viewer { name } }",
      "{ callLogs { totalCount } }",
      '{ callLogs(filter: { phone: "13800010001" }) { totalCount } }',
      "{ gateway { version } }",
      "query ($n: Boolean = false) { viewer { name } gateway @include(if: $n) { version } }",
      "query A { viewer { name } } query B { gateway { version } }",
    ];
    const requests = queries.flatMap((query) => [
      { query },
      { query, variables: { n: true } },
      { query, operationName: "B" },
    ]);
    const granted = fc.subarray([...scopes]);
    const sharing = pipeline();
    const verdict = (asked: ReturnType<typeof pipeline>, ...[request, given]: Parameters<typeof asked.refusal>) => {
      const operation = asked.prepare(request, asked.grantOf(given));
      return "errors" in operation ? operation.errors.map(({ message }) => message) : null;
    };
    fc.assert(
      fc.property(fc.constantFrom(...requests), granted, (request, given) => {
        expect(verdict(sharing, request, given)).toEqual(verdict(pipeline(), request, given));
      }),
      { numRuns: 300 },
    );
  });

  it("refuse a viewer without a scope after a viewer with it", () => {
    const { prepared, refusal } = pipeline();
    const query = '{ callLogs(filter: { phone: "13800010001" }) { totalCount } }';
    prepared(query);
    for (const _ of [1, 2]) expect(codes(refusal({ query }, ["calls:read"]))).toEqual(["FORBIDDEN"]);
    prepared(query);
  });
});
