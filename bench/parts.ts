// `npm run bench -- parts`: what an answer in parts costs the gateway, beside the same rows in one piece. All queries run in turns on
// one gateway, so that a slow machine slows each of them.
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { compare, type Sample } from "./support/compare.ts";
import { startBare } from "./support/metered.ts";
import { profileOptions, type Effort } from "./support/effort.ts";
import { rangeOn } from "./support/ranges.ts";

const ROWS = 100;
const CLIENTS = 4;
const { since, until } = rangeOn("2026-11-20", 1);
const FIELDS = "taskId direction caller callee startAt answerAt endAt duration answered";
const list = (nodes: string) =>
  `{ callLogs(first: ${ROWS}, filter: { since: "${since}", until: "${until}" }) { totalCount ${nodes} } }`;

const TRANSPORTS = ["text/event-stream", "multipart/mixed"];

/** The second one is the baseline. */
const queries = {
  [`@stream of ${ROWS} rows`]: list(`nodes @stream { sessionId ${FIELDS} }`),
  "in one piece": list(`nodes { sessionId ${FIELDS} }`),
  "@defer in each row": list(`nodes { sessionId ... @defer { ${FIELDS} } }`),
  both: list(`nodes @stream(initialCount: 10) { sessionId ... @defer { ${FIELDS} } }`),
};

export async function benchParts(effort: Effort): Promise<void> {
  await using service = await startBare("service");
  await using gateway = await startGateway({
    service: service.url,
    cacheMs: 0,
    settings: { LIST_RATE_LIMIT: "1000000000" },
    nodeOptions: profileOptions(effort, "parts"),
  });
  for (const accept of TRANSPORTS) {
    const targets = Object.entries(queries).map(([name, query]) => ({
      name,
      run: () => measure(() => ask(gateway, query, accept), gateway, effort.ms),
    }));
    await compare(accept, targets, effort.rounds, ["@stream / one piece", "@defer / one piece"]);
  }
  await gateway.stop();
}

async function measure(askOnce: () => Promise<number>, gateway: BenchGateway, ms: number): Promise<Sample> {
  await gateway.meter();
  const end = performance.now() + ms;
  let answered = 0;
  let bytes = 0;
  const askUntilEnd = async () => {
    while (performance.now() < end) {
      bytes = await askOnce();
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, askUntilEnd));
  const { cpuMs } = await gateway.meter();
  return { "µs of processor/answer": (cpuMs * 1000) / answered, "bytes of an answer": bytes };
}

/** Returns the length of the answer. */
async function ask({ url, authorization }: BenchGateway, query: string, accept: string): Promise<number> {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, authorization },
    body: JSON.stringify({ query }),
  });
  const text = await response.text();
  // Each row has a duration. An answer in parts ends with its boundary.
  if (text.split('"duration":').length !== ROWS + 1 || text.includes('"errors"')) throw new Error(text.slice(0, 1000));
  return text.length;
}
