import * as fc from "fast-check";
import { parse, validate, type GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { createCheckReserve } from "../../../src/loaders/checkReserve.ts";
import { unexpectedNeed } from "../../../src/loaders/checkRequests.ts";
import { createProofs } from "../../../src/loaders/proofs.ts";
import { createLoaders } from "../../../src/loaders/loaders.ts";
import type { Requester } from "../../../src/upstream/requester.ts";
import { findExcess } from "../../../src/graphql/documents/documentLimits.ts";
import { schema } from "../../../src/schema/schema.ts";
import { generateOperation } from "../executor/generatedOperations.ts";
import { codes, pipeline } from "../pipeline.ts";
import { listChecks } from "../../upstream/service.ts";
import { service, TASKS, type Length, type Oddities } from "./budgetService.ts";

const events = {
  page: async () => ({ events: [], hasMore: false, headCursor: "c9" }),
  bySession: async () => null,
} as never;

/** A gateway that has learned nothing yet about the service. */
function asking(odd: Oddities, length: Length, queryBudget: number) {
  const { upstream, requests } = service(odd, length);
  const proofs = createProofs();
  const known = listChecks({ proofs });
  const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
  const checkReserve = createCheckReserve(proofs);
  const own = { events };
  return {
    ...pipeline({ queryBudget, checkReserve, logBudget: 1_000_000, loaders, introspection: true, own }),
    requests,
  };
}

/** The requests that the gateway counts, and those that it sets aside for checks, read from the messages of its refusals. */
function countedFor(query: string, variables: unknown): { counted: number; checks: number } {
  const refusalOver = (queryBudget: number) => {
    const { prepare, grantOf } = asking({}, "few", queryBudget);
    const operation = prepare({ query, variables }, grantOf());
    return ("errors" in operation && operation.errors[0]?.message) || "";
  };
  const counted = Number(/may need (\d+) requests/.exec(refusalOver(0))?.[1] ?? 0);
  const checks = Number(/and (\d+) to check its lists/.exec(refusalOver(counted))?.[1] ?? 0);
  return { counted, checks };
}

const literals = {
  first: ["1", "3", "10", "100"],
  taskId: ['"7"', "8", '"9"'],
  taskIds: ['["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]', "[2, 3]"],
  sessionId: ['"s-1"', '"none"'],
  filter: ["{ taskIds: [1, 2] }", "{ direction: OUTBOUND }"],
  AuditEventFilter: ["{ actions: [DELIVERIES_REREAD] }", "null"],
  RecipientFilter: ["{ outcome: BUSY }", "null"],
};

/** Lists of tasks and of their call logs, which share the most requests. */
const below = fc.constantFrom(
  "{ totalCount }",
  "{ nodes { sessionId task { name } } }",
  "{ nodes { task { callLogs(first: 3) { totalCount } } } }",
  "{ edges { node { task { a: callLogs { totalCount } b: callLogs(first: 2) { nodes { id } } } } } }",
);
const lists = fc
  .tuple(fc.integer({ min: 1, max: 100 }), fc.boolean(), fc.integer({ min: 1, max: TASKS }), below)
  .map(([first, searches, count, fields]) => {
    const ids = Array.from({ length: count }, (_, at) => at + 1).join(" ");
    return `{ callLogs(first: ${first}) ${fields} tasksByIds(taskIds: [${ids}]) { a: callLogs ${fields} callLogs(first: 2) ${fields} } ${searches ? 'callLog(sessionId: "none") { id }' : ""} }`;
  });
/** Operations that share no request. */
const apart = fc.tuple(fc.integer({ min: 1, max: TASKS }), fc.integer({ min: 1, max: 100 })).map(([count, first]) => {
  const ids = Array.from({ length: count }, (_, at) => at + 1).join(" ");
  return `{ tasksByIds(taskIds: [${ids}]) { callLogs(first: ${first}) { totalCount } } }`;
});
const operations = fc
  .oneof(
    apart.map((query) => ({ query, variables: {} })),
    lists.map((query) => ({ query, variables: {} })),
    fc.integer().map((seed) => generateOperation(seed, literals)),
  )
  .filter(({ query }) => {
    const document = parse(query);
    return findExcess(document) === null && validate(schema, document).length === 0;
  });

const anyLength = fc.constantFrom<Length>("few", "some", "many");
const oddities: fc.Arbitrary<Oddities> = fc.record(
  {
    most: fc.integer({ min: 1, max: 100 }),
    shift: fc.integer({ min: -40, max: 40 }),
    misplaced: fc.boolean(),
    ignoresTasks: fc.boolean(),
    moves: fc.integer({ min: 0, max: 30 }),
    fails: fc.integer({ min: 2, max: 5 }),
  },
  { requiredKeys: [] },
);

describe("A80: QUERY_BUDGET", () => {
  it("bounds the requests to a correct service, and an operation that was admitted fails for want of none", async () => {
    let most = 0;
    await fc.assert(
      fc.asyncProperty(operations, anyLength, async ({ query, variables }, length) => {
        const { counted, checks } = countedFor(query, variables);
        fc.pre(counted > 0);
        const budget = counted + checks;
        const { run, requests } = asking({}, length, budget);
        const { errors } = await run(query, variables);
        expect(errorsOfWant(errors)).toEqual([]);
        expect(requests()).toBeLessThanOrEqual(budget);
        most = Math.max(most, requests());
      }),
      { numRuns: 200 },
    );
    expect(most).toBeGreaterThan(20);
  });

  it("bounds the requests to a faulty service, retries and checks included, and the service is blamed", async () => {
    let stopped = 0;
    await fc.assert(
      fc.asyncProperty(
        operations,
        anyLength,
        oddities,
        fc.nat(100),
        async ({ query, variables }, length, odd, room) => {
          const { counted, checks } = countedFor(query, variables);
          fc.pre(counted > 0);
          const budget = counted + checks + room;
          const { run, requests } = asking(odd, length, budget);
          const { errors } = await run(query, variables);
          expect(requests()).toBeLessThanOrEqual(budget);
          expect(codes(errors?.filter(({ message }) => !message.includes("too many calls around")))).not.toContain(
            "QUERY_TOO_COMPLEX",
          );
          if (errorsOfWant(errors).length > 0) stopped += 1;
        },
      ),
      { numRuns: 200 },
    );
    // Otherwise the generated services would deviate too little.
    expect(stopped).toBeGreaterThan(5);
  });
});

const errorsOfWant = (errors: readonly GraphQLError[] = []) =>
  errors.filter(({ message }) => message === unexpectedNeed(null).message).map(({ path }) => path);

describe("an operation that needs all of QUERY_BUDGET", () => {
  const range = 'since: "2026-11-19T00:00:00Z", until: "2026-11-19T23:00:00Z"';
  const list = `{ callLogs(first: 3, filter: { ${range} }) { totalCount } }`;
  const filtered = `{ callLogs(first: 3, filter: { ${range}, taskIds: [2, 3] }) { totalCount } }`;

  it.each([list, filtered])("is refused with both numbers while its checks have no room: %s", async (query) => {
    const { counted, checks } = countedFor(query, {});
    expect([counted, checks > 0]).toEqual([1, true]);
    const { prepare, grantOf, requests } = asking({ keepsRange: true }, "many", checks);
    expect(prepare({ query }, grantOf())).toMatchObject({
      errors: [
        {
          message: `The operation may need 1 requests to the service, and ${checks} to check its lists; QUERY_BUDGET is ${checks}. Ask for less, or set QUERY_BUDGET to ${1 + checks} or more.`,
        },
      ],
    });
    expect(requests()).toBe(0);
  });

  it.each([list, filtered])("is answered where its checks have room, and needs less room then: %s", async (query) => {
    const { counted, checks } = countedFor(query, {});
    const { run, requests } = asking({ keepsRange: true }, "many", counted + checks);
    expect((await run(query)).errors).toBeUndefined();
    const checked = requests();
    expect(checked).toBeGreaterThan(1);
    expect((await run(query)).errors).toBeUndefined();
    expect(requests()).toBe(checked + 1);
  });

  it("is charged for its checks (RATE_LIMIT)", async () => {
    let charges = 0;
    const { upstream, requests } = service({ keepsRange: true }, "many");
    const known = listChecks();
    const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
    const { run } = pipeline({ queryBudget: 20, loaders, pay: () => void (charges += 1) });
    expect((await run(list)).errors).toBeUndefined();
    expect(charges).toBe(requests());
    expect(charges).toBeGreaterThan(1);
  });

  it("blames the service if it is known to end lists wrongly and no request is left to check this one", async () => {
    const { upstream, requests } = service({ keepsRange: true }, "many");
    const known = listChecks();
    known.listEnd.contradict();
    const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
    const { run } = pipeline({ queryBudget: 1, loaders });
    const { errors } = await run(list);
    expect(codes(errors)).toEqual(["UPSTREAM_CONTRACT"]);
    expect(errors?.map(({ message }) => message)).toEqual([unexpectedNeed(null).message]);
    expect(requests()).toBe(1);
  });
});
