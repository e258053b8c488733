// Counts the requests to the service for one query. Compares them with one request for each field, and with the minimum for a
// client that knows the number of calls of each task. The counts are exact and do not depend on the machine.
import { spawnSandbox, type TestSandbox } from "../test/support/sandbox.ts";
import { printTable } from "./support/compare.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";

interface Case {
  title: string;
  query: string;
  /** Calls of each task. */
  calls: readonly number[];
  naive: number;
  least: number;
}

const FIRST_TASK = 600_001;
const DAY = `since: "2026-03-02T00:00:00+08:00", until: "2026-03-02T23:59:59+08:00"`;
const LIST = "{ totalCount nodes { sessionId taskId } }";

const evenly = Array.from({ length: 10 }, () => 9);
const unevenly = [160, 40, 22, 11, 7, 5, 3, 1, 0, 0];
const full = Array.from({ length: 10 }, () => 150);
const twentyFive = Array.from({ length: 25 }, (_, at) => at % 8);

const cases: readonly Case[] = [
  {
    title: "50 calls over 6 tasks",
    query: `{ callLogs(first: 50, filter: { ${DAY} }) { nodes { sessionId task { taskId name } } } }`,
    calls: [9, 9, 8, 8, 8, 8],
    naive: 1 + 50,
    least: 1 + 6,
  },
  ...[
    { title: "evenly filled", calls: evenly },
    { title: "unevenly filled", calls: unevenly },
    { title: "too full to share", calls: full },
  ].map(({ title, calls }) => ({
    title: `10 tasks, first 5 calls: ${title}`,
    query: tasksQuery(10, `callLogs(first: 5) ${LIST}`),
    calls,
    naive: 10 + 10,
    least: 10 + leastLists(calls),
  })),
  {
    title: "25 tasks, two lists each",
    query: tasksQuery(
      25,
      `out: callLogs(first: 5, filter: { direction: OUTBOUND }) ${LIST}
       in: callLogs(first: 5, filter: { direction: INBOUND }) ${LIST}`,
    ),
    calls: twentyFive,
    naive: 25 + 50,
    least: 25 + 2 * 3,
  },
];

export async function benchRequests(): Promise<void> {
  const rows: string[][] = [];
  for (const each of cases) {
    await using sandbox = await spawnSandbox();
    await using gateway = await startGateway({ service: sandbox.url });
    await sandbox.control("POST", "seed", seedOf(each.calls));
    await sandbox.forget();
    await checkAnswer(gateway, each);
    const asked = await askedOf(sandbox);
    rows.push([`  ${each.title}`, ...[asked, each.naive, each.least].map(String), (asked / each.naive).toFixed(2)]);
    await gateway.stop();
  }
  printTable([["requests to the service per query", "gateway", "naive", "least possible", "gateway / naive"], ...rows]);
}

function tasksQuery(count: number, lists: string): string {
  const ids = Array.from({ length: count }, (_, at) => `"${FIRST_TASK + at}"`);
  return `{ tasksByIds(taskIds: [${ids.join()}]) { taskId ${lists} } }`;
}

function seedOf(counts: readonly number[]) {
  const ids = counts.map((_, at) => FIRST_TASK + at);
  return {
    tasks: ids.map((id, at) => ({ id, name: `Task ${id}`, createdAt: `2026-03-01 ${10 + (at % 10)}:00:00` })),
    calls: counts.flatMap((count, at) =>
      Array.from({ length: count }, (_, call) => ({
        sessionId: `${at}-${call}`,
        taskId: FIRST_TASK + at,
        direction: "outbound",
        startAt: `2026-03-02 ${String(9 + (call % 9)).padStart(2, "0")}:${String(at).padStart(2, "0")}:00`,
      })),
    ),
  };
}

/** For ten tasks: some asked for singly, the fullest first, and the rest on as many common pages as it needs. */
function leastLists(counts: readonly number[]): number {
  const byFullness = counts.toSorted((a, b) => b - a);
  const plans = byFullness.map((_, singly) => {
    const rest = byFullness.slice(singly).reduce((sum, count) => sum + count, 0);
    return singly + Math.max(1, Math.ceil(rest / 100));
  });
  return Math.min(counts.length, ...plans);
}

async function askedOf(sandbox: TestSandbox): Promise<number> {
  return (await sandbox.requests()).length;
}

interface Result {
  errors?: unknown;
  data?: { callLogs?: { nodes: unknown[] }; tasksByIds?: Record<string, { totalCount: number } | string>[] };
}

async function checkAnswer({ url, authorization }: BenchGateway, { title, query, calls }: Case): Promise<void> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ query }),
  });
  const { errors, data } = (await response.json()) as Result;
  const found = data?.tasksByIds?.map(({ callLogs, out }) => callLogs ?? out);
  const isRight = found
    ? found.every((list, at) => typeof list === "object" && list.totalCount === calls[at])
    : data?.callLogs?.nodes.length === 50;
  if (errors || !isRight) throw new Error(`${title}: the answer is wrong: ${JSON.stringify({ errors })}`);
}
