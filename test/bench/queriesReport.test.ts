// Tests the report of the queries.
import { describe, expect, it } from "vitest";
import { alikeAt, COLD, differentAt, inSituation, type QueryContest } from "../../bench/contest/queries.ts";
import { reportQueries } from "../../bench/contest/queriesReport.ts";
import { OURS, PEERS } from "../../bench/contest/queryServers.ts";
import { queryWorks } from "../../bench/contest/queryWork.ts";

/** One round of a server with this number of queries per second while it is warm. */
function roundOf(perSecond: number) {
  const sample = (factor: number) => ({
    "queries/s": perSecond * factor,
    "µs of processor/query": 1e6 / perSecond,
    "p50, ms": 1,
    "p99, ms": 4,
    "requests to the service/query": 1,
  });
  const situations = {
    [COLD]: sample(0.1),
    [differentAt(0)]: { ...sample(1), "p99 with new connections, ms": 8 },
    [alikeAt(0)]: sample(5),
  };
  return Object.fromEntries(
    Object.entries(situations).flatMap(([situation, measures]) =>
      Object.entries(measures).map(([measure, value]) => [inSituation(situation, measure), value]),
    ),
  );
}

function contestOf(speeds: Record<string, number>): QueryContest {
  const results = Object.entries(speeds).map(([name, perSecond]) => ({ name, rounds: [roundOf(perSecond)] }));
  return { work: queryWorks.q1, latencies: [0], results };
}

const rowsOf = (markdown: string) => markdown.split("\n").filter((line) => line.startsWith("| "));

describe("the report of the queries", () => {
  it("begins with the ratios to Mercurius", () => {
    const { markdown } = reportQueries([contestOf({ [OURS]: 1200, [PEERS.mercurius]: 1000 })]);
    expect(markdown).toMatch(/^\*\*Switchboard ÷ Mercurius \+ graphql-jit\.\*\*/);
    expect(rowsOf(markdown).slice(0, 8)).toEqual([
      "|  |  | Q1: 10 calls |",
      "| --- | --- | --- |",
      "| 0 ms | queries/s | 1.2 |",
      "| 0 ms | µs of processor/query | 0.833 |",
      "| 0 ms | p99, ms | 1 |",
      "| 0 ms | p99 with new connections, ms | 1 |",
      "| 0 ms, alike | queries/s | 1.2 |",
      "| cold | queries/s | 1.2 |",
    ]);
  });

  it("shows each situation, and no column that was not measured in it", () => {
    const { markdown } = reportQueries([contestOf({ [OURS]: 1200, [PEERS.yoga]: 300 })]);
    const [different, alike, cold] = markdown.split("\n\n").filter((part) => part.startsWith("|"));
    expect(different).toContain("| p99 with new connections, ms |");
    expect(different).toContain("| Q1: 10 calls | Switchboard | 1,200 |  | 833 |");
    expect(alike).not.toContain("new connections");
    expect(alike).toContain("| Q1: 10 calls | Switchboard | 6,000 |");
    expect(cold).toContain("| Q1: 10 calls | Switchboard | 120 |");
    expect(cold).toContain("|  | GraphQL Yoga | 30 | 4 |");
  });

  it("draws its chart without the floor, relative to the first server", () => {
    const { charts } = reportQueries([contestOf({ [OURS]: 1200, [PEERS.mercurius]: 1000 })]);
    expect(charts["queries-0ms.svg"]).toContain("Switchboard = 1");
    expect(charts["queries-0ms.svg"]).not.toMatch(/NaN|undefined|Infinity/);
  });
});
