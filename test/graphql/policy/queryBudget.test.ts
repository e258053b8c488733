import * as fc from "fast-check";
import { parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { createCheckAllowance, checkBudgetExceeded } from "../../../src/loaders/checkRequests.ts";
import { createLoaders } from "../../../src/loaders/loaders.ts";
import { allowanceExceeded, type Requester } from "../../../src/upstream/requester.ts";
import type { CallLogPage, CallLogQuery, CallLogRecord, Upstream } from "../../../src/upstream/upstream.ts";
import { findExcess } from "../../../src/graphql/documents/documentLimits.ts";
import { schema } from "../../../src/schema/schema.ts";
import { callLog, task } from "../../resolvers/world.ts";
import { generateOperation } from "../executor/generatedOperations.ts";
import { codes, pipeline } from "../pipeline.ts";
import { listChecks } from "../../upstream/service.ts";

const TASKS = 12;
/** Calls of each task, and some calls without a task. */
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    callLog({
      sessionId: at % 17 === 0 ? null : `s-${at}`,
      taskId: at % 13 === 0 ? null : String(1 + (at % TASKS)),
      direction: at % 13 === 0 ? "inbound" : "outbound",
      startAt: "2026-11-19T09:30:00.000Z",
      endAt: "2026-11-19T09:31:00.000Z",
    }),
  );
/** Lists that fit on one page together, on a few pages, and on many. */
const lengths = { few: rowsOf(60), some: rowsOf(230), many: rowsOf(2400) };
type Length = keyof typeof lengths;

/** Ways in which a service may deviate from its document. */
interface Oddities {
  /** Maximum of rows on a page. */
  most?: number;
  /** Added to the total from one response to the next. */
  shift?: number;
  /** It reports another page than was requested. */
  misplaced?: boolean;
  ignoresTasks?: boolean;
  /** It leaves out calls that began outside the range. */
  keepsRange?: boolean;
  /** Positions by which each row moves from one response to the next. */
  moves?: number;
  /** Each n-th request fails and is sent again. */
  fails?: number;
}

function service(odd: Oddities, length: Length) {
  const rows = lengths[length];
  let requests = 0;
  async function send(asker: Requester): Promise<void> {
    await asker.payForRequest();
    requests += 1;
    if (odd.fails !== undefined && requests % odd.fails === 0) await send(asker);
  }
  const meant =
    ({ taskIds, since, until }: CallLogQuery) =>
    ({ taskId, startAt }: CallLogRecord) =>
      (!odd.keepsRange || startAt === null || (since <= startAt && startAt <= until)) &&
      (odd.ignoresTasks || taskIds.length === 0 || (taskId !== null && taskIds.includes(taskId)));
  const upstream: Pick<Upstream, "listCallLogs" | "getTask"> = {
    async listCallLogs(query, asker): Promise<CallLogPage> {
      await send(asker as Requester);
      const moved = ((odd.moves ?? 0) * requests) % rows.length;
      const all = [...rows.slice(moved), ...rows.slice(0, moved)].filter(meant(query));
      const pageSize = Math.min(query.pageSize, odd.most ?? 100);
      const start = (query.pageIndex - 1) * pageSize;
      const total = Math.max(0, all.length + (odd.shift ?? 0) * requests);
      const pageIndex = odd.misplaced ? 1 : query.pageIndex;
      return { rows: all.slice(start, start + pageSize), total, pageIndex, pageSize };
    },
    async getTask(taskId, asker) {
      await send(asker as Requester);
      return task({ taskId, createdAt: `2026-11-0${1 + (Number(taskId) % 9)}T00:00:0${Number(taskId) % 3}.000Z` });
    },
  };
  return { upstream: upstream as Upstream, requests: () => requests };
}

const events = {
  page: async () => ({ events: [], hasMore: false, headCursor: "c9" }),
  bySession: async () => null,
} as never;

/** `checks`: the requests that the process allows for checks beside the budget. */
function asking(odd: Oddities, length: Length, queryBudget: number, checks = 0, now: () => number = Date.now) {
  const { upstream, requests } = service(odd, length);
  const known = { ...listChecks(), allowance: createCheckAllowance(checks, now) };
  const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
  return {
    ...pipeline({ queryBudget, logBudget: 1_000_000, loaders, introspection: true, own: { events } }),
    requests,
  };
}

/** The requests that the gateway counts, read from the message of its refusal. */
function countedFor(query: string, variables: unknown): number {
  const { prepare, grantOf } = asking({}, "few", 0);
  const operation = prepare({ query, variables }, grantOf());
  if (!("errors" in operation)) return 0;
  return Number(/may need (\d+) requests/.exec(operation.errors[0]?.message ?? "")?.[1]);
}

const literals = {
  first: ["1", "3", "10", "100"],
  taskId: ['"7"', "8", '"9"'],
  taskIds: ['["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]', "[2, 3]"],
  sessionId: ['"s-1"', '"none"'],
  filter: ["{ taskIds: [1, 2] }", "{ direction: OUTBOUND }"],
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
  it("bounds the requests to a correct service, and refuses nothing that has room for checks", async () => {
    let most = 0;
    await fc.assert(
      fc.asyncProperty(operations, anyLength, async ({ query, variables }, length) => {
        const counted = countedFor(query, variables);
        fc.pre(counted > 0);
        // Checks of a first list need a few requests that were not counted, and one for each of several tasks.
        const budget = counted * 4 + 20;
        const { run, requests } = asking({}, length, budget);
        const { errors } = await run(query, variables);
        const refusals = [allowanceExceeded().message, checkBudgetExceeded().message];
        expect((errors ?? []).filter(({ message }) => refusals.includes(message))).toEqual([]);
        expect(requests()).toBeLessThanOrEqual(budget);
        most = Math.max(most, requests());
      }),
      { numRuns: 100 },
    );
    expect(most).toBeGreaterThan(20);
  });

  it("bounds the requests to a faulty service, retries and checks included", async () => {
    let stopped = 0;
    await fc.assert(
      fc.asyncProperty(
        operations,
        anyLength,
        oddities,
        fc.nat(100),
        fc.nat(10),
        async ({ query, variables }, length, odd, room, checks) => {
          const counted = countedFor(query, variables);
          fc.pre(counted > 0);
          const { run, requests } = asking(odd, length, counted + room, checks, () => 0);
          const { errors } = await run(query, variables);
          expect(requests()).toBeLessThanOrEqual(counted + room + checks);
          if (codes(errors).includes("QUERY_TOO_COMPLEX")) stopped += 1;
        },
      ),
      { numRuns: 200 },
    );
    // Otherwise the generated services would deviate too little.
    expect(stopped).toBeGreaterThan(5);
  });
});

describe("an operation that needs all of QUERY_BUDGET", () => {
  const range = 'since: "2026-11-19T00:00:00Z", until: "2026-11-19T23:00:00Z"';
  const list = `{ callLogs(first: 3, filter: { ${range} }) { totalCount } }`;
  const filtered = `{ callLogs(first: 3, filter: { ${range}, taskIds: [2, 3] }) { totalCount } }`;

  it.each([list, filtered])("is answered, and its checks use the allowance of the process: %s", async (query) => {
    const { run, requests } = asking({ keepsRange: true }, "many", countedFor(query, {}), 20);
    expect((await run(query)).errors).toBeUndefined();
    const checked = requests();
    expect(checked).toBeGreaterThan(1);
    expect((await run(list)).errors).toBeUndefined();
    expect(requests()).toBeLessThanOrEqual(checked + 3);
  });

  it("is refused while the allowance is used up, and answered in the next minute", async () => {
    let now = 0;
    const { run, requests } = asking({ keepsRange: true }, "some", 1, 2, () => now);
    const refused = await run(list);
    expect(refused.errors?.map(({ message }) => message)).toEqual([checkBudgetExceeded().message]);
    expect(requests()).toBe(3);
    now = 60_000;
    await run(list);
    now = 120_000;
    expect((await run(list)).errors).toBeUndefined();
  });

  it("is charged for its checks (RATE_LIMIT)", async () => {
    let charges = 0;
    const { upstream, requests } = service({ keepsRange: true }, "many");
    const known = listChecks();
    const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
    const { run } = pipeline({ queryBudget: 1, loaders, pay: () => void (charges += 1) });
    expect((await run(list)).errors).toBeUndefined();
    expect(charges).toBe(requests());
  });

  it("gets no allowance if the service is known to end lists wrongly", async () => {
    const { upstream, requests } = service({ keepsRange: true }, "many");
    const known = listChecks();
    known.listEnd.contradict();
    const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
    const { run } = pipeline({ queryBudget: 1, loaders });
    expect((await run(list)).errors?.map(({ message }) => message)).toEqual([checkBudgetExceeded().message]);
    expect(requests()).toBe(1);
  });
});
