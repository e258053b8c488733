// Measures queries per second and their latency, against a bare proxy that sends the same requests to the service. Nothing is
// cached between queries; concurrent queries share requests.
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { compare, type Target } from "./support/compare.ts";
import { postBytes } from "./support/connection.ts";
import { load } from "./support/load.ts";
import { startBare, type Metered } from "./support/metered.ts";
import { profileOptions, type Effort } from "./support/effort.ts";
import { rangeOn } from "./support/ranges.ts";

interface Query {
  /** The path at which the baseline does the same work. */
  name: string;
  title: string;
  text: string;
  calls: number;
}

const DAY = "2026-11-20";
const TASKS = 6;
/** The day of the stub's calls. The gateway would reject them in an answer for another day. */
const { since, until } = rangeOn(DAY, TASKS);
const FILTER = `filter: { since: "${since}", until: "${until}" }`;
const CALL = "sessionId direction caller callee startAt endAt duration answered";

const queries: readonly Query[] = [
  { name: "typename", title: "(a) { __typename }", text: "{ __typename }", calls: 0 },
  {
    name: `10/0/${DAY}`,
    title: "(b) 10 calls",
    text: `{ callLogs(first: 10, ${FILTER}) { totalCount nodes { ${CALL} } } }`,
    calls: 10,
  },
  {
    name: `50/${TASKS}/${DAY}`,
    title: "(c) 50 calls over 6 tasks",
    text: `{ callLogs(first: 50, ${FILTER}) { totalCount nodes { ${CALL} task { taskId name status progress } } } }`,
    calls: 50,
  },
];

const CONNECTIONS = 16;

export async function benchQueries(effort: Effort): Promise<void> {
  await using service = await startBare("service");
  await using floor = await startBare("proxy", [service.url]);
  for (const query of queries) {
    await using gateway = await startGateway({
      service: service.url,
      cacheMs: 0,
      nodeOptions: profileOptions(effort, `queries-${query.calls}`),
    });
    await checkAnswer(gateway, query);
    const targets = [
      targetOf("gateway", gateway, service, graphqlBytes(gateway, query), effort.ms),
      targetOf("floor", floor, service, postBytes(`/${query.name}`, "", "{}"), effort.ms),
    ];
    await compare(query.title, targets, effort.rounds);
    await gateway.stop();
  }
}

function graphqlBytes({ authorization }: BenchGateway, { text }: Query): Buffer {
  return postBytes("/graphql", authorization, JSON.stringify({ query: text }));
}

function targetOf(name: string, program: Metered, service: Metered, request: Buffer, ms: number): Target {
  let length: number | undefined;
  const options = {
    next: () => request,
    /** The service's answers never change, so a different length means a wrong answer. */
    check: (answer: { status: number; length: number }) => {
      length ??= answer.length;
      if (answer.status !== 200 || answer.length !== length) throw new Error(`${name} gave another answer`);
    },
  };
  return {
    name,
    async run() {
      const alone = await load(program.url, { ...options, connections: 1, ms: ms / 4 });
      await askedOf(service);
      await program.meter();
      const loaded = await load(program.url, { ...options, connections: CONNECTIONS, ms });
      const { cpuMs } = await program.meter();
      return {
        [`queries/s, ${CONNECTIONS} connections`]: loaded.perSecond,
        "p50, ms": loaded.p50,
        "p99, ms": loaded.p99,
        "p50, ms, 1 connection": alone.p50,
        "processor time, µs/query": (cpuMs * 1000) / loaded.answered,
        "requests to the service/query": (await askedOf(service)) / loaded.answered,
      };
    },
  };
}

async function askedOf(service: Metered): Promise<number> {
  const response = await fetch(`${service.url}/asked`);
  return ((await response.json()) as { asked: number }).asked;
}

interface Result {
  errors?: unknown;
  data?: { __typename?: string; callLogs?: { nodes: { sessionId: string; task?: { name: string } }[] } };
}

async function checkAnswer(gateway: BenchGateway, { title, text, calls }: Query): Promise<void> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: gateway.authorization },
    body: JSON.stringify({ query: text }),
  });
  const { errors, data } = (await response.json()) as Result;
  const nodes = data?.callLogs?.nodes ?? [];
  const isWhole = text.includes("task {") ? nodes.every(({ task }) => task?.name) : data !== undefined;
  if (response.status !== 200 || errors || nodes.length !== calls || !isWhole) {
    throw new Error(`${title}: the answer is wrong: ${JSON.stringify({ status: response.status, errors })}`);
  }
}
