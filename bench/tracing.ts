// `npm run bench:tracing`: what recorded traces cost a gateway under load, in one process. The caller's traceparent decides which
// requests are recorded, so windows of load with and without recorded traces follow each other in the same process. Separate
// processes differ by more than what is measured. `--share 0.01` is the share of recorded requests, `--work q1,q2,q3` the work,
// `--rounds N` the rounds, `--ms N` the length of a window, `--warm SECONDS` the load before the first window.
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { parseArgs } from "node:util";
import { CONNECTIONS } from "./contest/queries.ts";
import { QUERY_SCOPES } from "./contest/queryServers.ts";
import { bodyOf, queryWorks, type QueryWork } from "./contest/queryWork.ts";
import { compare, type Sample } from "./support/compare.ts";
import { postBytes } from "./support/connection.ts";
import { findCores } from "./support/cores.ts";
import { startGateway } from "./support/gateway.ts";
import { openLoad } from "./support/load.ts";
import { startBare } from "./support/metered.ts";

const { values } = parseArgs({
  options: {
    work: { type: "string", default: "q1,q2" },
    share: { type: "string", default: "0.01" },
    rounds: { type: "string", default: "20" },
    ms: { type: "string", default: "3000" },
    warm: { type: "string", default: "60" },
  },
});
const share = Number(values.share);
const cores = findCores();

for (const name of values.work.split(",")) await measure(queryWorks[name as keyof typeof queryWorks]);

async function measure(work: QueryWork): Promise<void> {
  await using service = await startBare("service");
  await using collector = await startCollector();
  await using gateway = await startGateway({
    service: service.url,
    scopes: QUERY_SCOPES,
    settings: {
      TRUST_PROXY: "1",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: "parentbased_always_off",
      // Spans are sent within the window that made them.
      OTEL_BSP_SCHEDULE_DELAY: "500",
    },
  });
  cores.measuring(service.pid);
  cores.measured(gateway.pid);
  const requestsOf = (flags: string) =>
    Array.from({ length: CONNECTIONS }, (_, day) =>
      postBytes("/graphql", gateway.authorization, JSON.stringify(bodyOf(work, day)), [
        `traceparent: ${traceparent(flags)}`,
      ]),
    );
  const [recorded, others] = [requestsOf("01"), requestsOf("00")];
  let current = 0;
  using load = await openLoad(gateway.url, {
    connections: CONNECTIONS,
    next: (connection) => (Math.random() < current ? recorded : others)[connection] as Buffer,
    check({ status }) {
      if (status !== 200) throw new Error(`a query was answered ${status}`);
    },
  });
  const run = async (part: number, ms = Number(values.ms)): Promise<Sample> => {
    current = part;
    await gateway.meter();
    const { answered, p99 } = await load.run(ms);
    const { cpuMs } = await gateway.meter();
    return { "µs of processor/query": (cpuMs * 1000) / answered, "p99, ms": p99 };
  };
  await run(share, Number(values.warm) * 1000);
  await compare(
    work.title,
    [
      { name: `${share} recorded`, run: () => run(share) },
      { name: "none recorded", run: () => run(0) },
      { name: "none again", run: () => run(0) },
    ],
    Number(values.rounds),
    ["recorded / none", "none again / none"],
  );
  if (collector.received() === 0) throw new Error("the collector got no spans");
}

function traceparent(flags: string): string {
  return `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`;
}

/** Takes spans and forgets them. `received`: the requests until now. */
async function startCollector() {
  let received = 0;
  const server = createServer((request, response) => {
    received += 1;
    request.resume().once("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
