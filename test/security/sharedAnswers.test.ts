import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startBare } from "../../bench/support/metered.ts";
import { spawnGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { spentTurns, withTurnMeter } from "../support/measuring/spentTurns.ts";

/** Long enough for all requests to join those in flight; with fewer of them there is less to see. */
const LATENCY_MS = 500;
const LIST_RATE_LIMIT = 400_000;
const DAY = "2026-11-20";
const ROW = "sessionId taskId caller callee direction startAt answerAt endAt duration answered";
const day = { since: `${DAY}T00:00:00+08:00`, until: `${DAY}T23:59:59+08:00` };
const lists = (count: number) => `fragment Page on CallLogConnection { totalCount nodes { ${ROW} } }
  query ($day: CallLogFilter) {
    ${Array.from({ length: count }, (_, at) => `l${at}: callLogs(first: ${100 - (at % 10)}, filter: $day) { ...Page }`).join(" ")}
  }`;

let service: Awaited<ReturnType<typeof startBare>>;
let directory: Directory;
let gateway: GatewayProgram;
beforeAll(async () => {
  service = await startBare("service", [String(LATENCY_MS)]);
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { web: ["calls:read"], modest: ["calls:read"] });
  gateway = await spawnGateway(service, {
    ...withTurnMeter,
    API_KEYS_FILE: keys,
    LIST_RATE_LIMIT: String(LIST_RATE_LIMIT),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const ask = (query: string, name: string) =>
  gateway.ask<Record<string, { nodes: unknown[] } | null>>(query, { day }, { authorization: bearer(name) });

/** The codes of an answer's errors, and the number of its rows. */
async function outcomeOf(answer: ReturnType<typeof ask>) {
  const { data, errors } = await answer;
  const rows = Object.values(data ?? {}).reduce((sum, list) => sum + (list?.nodes.length ?? 0), 0);
  return { rows, codes: errors?.map(({ extensions }) => extensions["code"]) };
}

describe("A85: operations that share answers of the service", () => {
  it("go on in many short turns, however many wait for one answer", async () => {
    // The first one pays for what is learned about the service.
    await ask(lists(1), "web");
    await spentTurns(gateway);
    const query = lists(10);
    const answers = await Promise.all(Array.from({ length: 300 }, () => outcomeOf(ask(query, "web"))));
    const { longestMs, totalMs } = await spentTurns(gateway);
    expect(answers).toEqual(answers.map(() => ({ rows: 955, codes: undefined })));
    expect(longestMs).toBeLessThan(totalMs / 8);
  });

  it("pay for the rows that they process, shared ones too", async () => {
    const query = lists(60);
    const answers = await Promise.all(Array.from({ length: 80 }, () => outcomeOf(ask(query, "modest"))));
    const rows = answers.reduce((sum, answer) => sum + answer.rows, 0);
    expect(rows).toBeLessThanOrEqual(LIST_RATE_LIMIT);
    expect(rows).toBeGreaterThan(LIST_RATE_LIMIT - 100);
    expect(new Set(answers.flatMap(({ codes }) => codes ?? []))).toEqual(new Set(["RATE_LIMITED"]));
    expect(gateway.output.join("\n")).toContain('"listRows"');
  });
});

describe("A84, A85: answers in parts", () => {
  it("take turns, part by part", async () => {
    // Many rows, so that there is much to take turns with.
    const LISTS = 10;
    const list = (at: number) => `l${at}: callLogs(first: ${100 - at}, filter: $day) {
      nodes { sessionId ... @defer { ${ROW.replace("sessionId ", "")} } } }`;
    const query = `query ($day: CallLogFilter) { ${Array.from({ length: LISTS }, (_, at) => list(at)).join(" ")} }`;
    const askInParts = async () => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "multipart/mixed", authorization: bearer("web") },
        body: JSON.stringify({ query, variables: { day } }),
      });
      return await response.text();
    };
    await askInParts();
    await spentTurns(gateway);
    const answers = await Promise.all(Array.from({ length: 60 }, askInParts));
    const { longestMs, totalMs } = await spentTurns(gateway);
    for (const answer of answers) {
      expect(answer).toContain('"hasNext":false');
      expect(answer.match(/"callee"/g)).toHaveLength(955);
    }
    expect(longestMs).toBeLessThan(totalMs / 8);
  });
});
