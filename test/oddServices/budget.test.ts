// QUERY_BUDGET over HTTP: random operations, budgets and services, most of which count or page oddly.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs, seed } from "./examine.ts";
import { startGateway, type Answer } from "./gatewayClient.ts";
import { selectionOf } from "./oracle.ts";
import type { ListFilter } from "./questions.ts";
import { selectCalls, usualSemantics } from "./selectCalls.ts";
import { startService, type Json } from "./service.ts";
import { honestServices } from "./services/honest.ts";
import { pages } from "./services/pages.ts";
import { totals } from "./services/totals.ts";
import { createWorld, DAY, usual } from "./world.ts";

const iso = (epochMs: number) => new Date(epochMs).toISOString();
const all = { since: iso(usual.now - 9 * DAY), until: iso(usual.now + DAY) };
const taskIds = ["1", "2", "12", "112", "7"];

/** A list of an operation: of its own, or of each of some tasks. */
interface List {
  first: number;
  filter: ListFilter;
  ofTasks: string[] | null;
}

const first = fc.constantFrom(1, 2, 5, 10, 20, 50, 100);
const filter: fc.Arbitrary<ListFilter> = fc
  .record(
    {
      taskIds: fc.subarray(taskIds, { minLength: 1 }),
      direction: fc.constantFrom("INBOUND" as const, "OUTBOUND" as const),
      kind: fc.constantFrom("PHONE" as const, "PRIVATE_TEST" as const),
    },
    { requiredKeys: [] },
  )
  .map((given) => ({ ...all, ...given }));
const list: fc.Arbitrary<List> = fc.record({
  first,
  filter,
  ofTasks: fc.option(fc.subarray(taskIds, { minLength: 1 })),
});
const operations = fc.array(fc.array(list, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
/** Rows in all: a round number, so that no total of all calls proves that totals are exact, and others. */
const lengths = fc.constantFrom(40, 100, 130, 131);
const budgets = fc.integer({ min: 8, max: 60 });

const FIELDS = "{ totalCount nodes { sessionId } pageInfo { hasNextPage } driftDetected }";
const withoutTasks = ({ taskIds: _taskIds, ...rest }: ListFilter) => rest;

function documentOf(lists: readonly List[]) {
  const variables: Json = {};
  const fields = lists.map(({ first, filter, ofTasks }, at) => {
    variables[`f${at}`] = ofTasks ? withoutTasks(filter) : filter;
    const own = `callLogs(first: ${first}, filter: $f${at}) ${FIELDS}`;
    return ofTasks ? `l${at}: tasksByIds(taskIds: ${JSON.stringify(ofTasks)}) { ${own} }` : `l${at}: ${own}`;
  });
  const types = lists.map(({ ofTasks }, at) => `$f${at}: ${ofTasks ? "TaskCallLogFilter" : "CallLogFilter"}`);
  return { query: `query(${types.join(", ")}) { ${fields.join(" ")} }`, variables };
}

interface Shown {
  totalCount: number;
  nodes: unknown[];
  pageInfo: { hasNextPage: boolean };
  driftDetected: boolean;
}

/** The lists of the answer that are shown, each with its filter. */
function* shownLists(
  { data }: Answer,
  lists: readonly List[],
): Generator<{ shown: Shown; first: number; filter: ListFilter }> {
  for (const [at, { first, filter, ofTasks }] of lists.entries()) {
    const value = data?.[`l${at}`];
    const found = ofTasks ? ((value ?? []) as ({ callLogs: Shown | null } | null)[]) : [{ callLogs: value as Shown }];
    for (const [index, each] of found.entries()) {
      const own = ofTasks ? { ...withoutTasks(filter), taskIds: [ofTasks[index] as string] } : filter;
      if (each?.callLogs) yield { shown: each.callLogs, first, filter: own };
    }
  }
}

/** Their totals look right, as far as the lists of one operation show. */
const undetected = ["tells the total of the question before", "lists a call once for each of its assistants"];
const services = [...honestServices, ...totals, ...pages].filter(({ name }) => !undetected.includes(name));

describe.concurrent("A80: QUERY_BUDGET, with random operations and budgets,", () => {
  it.for(services)("is an upper bound if the service $name", async (odd) => {
    const isHonest = honestServices.includes(odd);
    await fc.assert(
      fc.asyncProperty(operations, lengths, budgets, async (asked, calls, budget) => {
        const world = createWorld(3, { ...usual, calls, ...odd.world });
        const semantics = { ...usualSemantics, ...odd.semantics };
        await using service = await startService(world, odd.oddity, semantics);
        await using gateway = await startGateway(service, world, { QUERY_BUDGET: String(budget) });
        for (const lists of asked) {
          const before = service.requests();
          const { query, variables } = documentOf(lists);
          const answer = await gateway.ask(query, variables);
          const sent = service.requests() - before;
          expect(sent).toBeLessThanOrEqual(budget);
          const codes = answer.errors.map(({ extensions }) => extensions.code);
          if (answer.data === null && sent === 0) expect(codes).toEqual(["QUERY_TOO_COMPLEX"]);
          else expect(codes).not.toContain("QUERY_TOO_COMPLEX");
          if (isHonest && answer.data !== null) expect(answer.errors).toEqual([]);
          for (const { shown, first, filter } of shownLists(answer, lists)) {
            if (shown.driftDetected && !isHonest) continue;
            const right = selectCalls(world, selectionOf(filter, world), semantics, service.turn()).length;
            expect([shown.totalCount, shown.nodes.length, shown.pageInfo.hasNextPage]).toEqual([
              right,
              Math.min(right, first),
              right > first,
            ]);
          }
        }
      }),
      { numRuns: runs, seed, endOnFailure: true },
    );
  });
});
