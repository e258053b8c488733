// How much memory a gateway needs: each work at a gateway of its own, with the limit of a container if `--limit` names one.
// `--above`: the limit is that of a group above the gateway's own, as a slice of systemd has it.
import { startAcceptingService } from "./support/acceptingService.ts";
import { acceptedTask, taskBodies } from "./support/taskBodies.ts";
import { createMemoryLimit } from "../test/support/measuring/memoryLimit.ts";
import { megabytes } from "../test/support/measuring/memory.ts";
import { readCommandLine } from "./support/commandLine.ts";
import { openConnection, postBytes } from "./support/connection.ts";
import { startGateway, type BenchGateway, type BenchGatewayOptions } from "./support/gateway.ts";
import { printMachineFacts } from "./support/machineFacts.ts";
import { openSubscribers } from "./support/subscribers.ts";
import { callEndedEvent } from "../test/support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../test/support/sandbox.ts";

const names = ["idle", "subscribers", "task", "bodies", "create"] as const;
const { values, isChosen } = readCommandLine({
  run: "npm run bench:memory",
  names,
  options: { limit: { type: "string" }, above: { type: "boolean", default: false } },
  written: "[--limit MB] [--above]",
});
const SUBSCRIBERS = 1000;
const EVENTS = 300;
const IDLE_MS = 5000;
/** The callers that send large bodies at once, and how many each sends. */
const CALLERS = 6;
const BODIES = 4;
/** The tasks that each of two callers creates. */
const CREATED = 5;

const works: Record<(typeof names)[number], { title: string; run: (gateway: BenchGateway) => Promise<string> }> = {
  idle: { title: "nothing to do", run: () => new Promise((resolve) => setTimeout(resolve, IDLE_MS, "")) },
  subscribers: { title: `${SUBSCRIBERS} subscribers, ${EVENTS} ended calls`, run: deliver },
  task: { title: "one task of 100,000 numbers with variables, four times", run: (gateway) => sendBodies(gateway, 1) },
  bodies: { title: `the same from ${CALLERS} callers at once`, run: (gateway) => sendBodies(gateway, CALLERS) },
  create: { title: `${CREATED} tasks of 100,000 numbers from each of two callers at once`, run: createTasks },
};

await printMachineFacts();
for (const [name, { title, run }] of Object.entries(works)) {
  if (!isChosen(name)) continue;
  const limit = values.limit === undefined ? null : createMemoryLimit(Number(values.limit), { isAbove: values.above });
  {
    await using service = await startAcceptingService();
    const options: BenchGatewayOptions = {
      service: service.url,
      scopes: ["calls:read", "people:read", "tasks:create"],
      clients: CALLERS,
      // Its build would be in the same group.
      settings: { CONSOLE: "off" },
    };
    await using gateway = await (limit ? limit.run(() => startGateway(options)) : startGateway(options));
    const result = await run(gateway).catch((error: Error) => error.message);
    const isAlive = limit === null || limit.kills() === 0;
    const most = isAlive
      ? `${megabytes(Number(gateway.pid), "VmHWM").toFixed(0)} MB at most`
      : "ended for want of memory";
    console.log(`${title}: ${most} ${result}`);
  }
  limit?.[Symbol.dispose]();
}
process.exit(0);

async function deliver(gateway: BenchGateway): Promise<string> {
  const payload = { query: "subscription { callEnded { cursor sessionId caller callee endAt } }" };
  const readers = await openSubscribers(gateway.url, { size: SUBSCRIBERS, authorizations: gateway.clients, payload });
  const received = readers.receive(EVENTS);
  for (let at = 0; at < EVENTS; at += 1) {
    await fetch(`${gateway.url}/calllog`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: WEBHOOK_AUTHORIZATION },
      body: JSON.stringify(callEndedEvent()),
    });
  }
  await received;
  readers.close();
  return "";
}

/** Tasks that are kept and sent to the service. The statuses, or the code of the first mistake, each with its count. */
async function createTasks(gateway: BenchGateway): Promise<string> {
  const results: string[] = [];
  const create = async (authorization: string, caller: number) => {
    for (let sent = 0; sent < CREATED; sent += 1) {
      const body = JSON.stringify(acceptedTask(`memory-${caller}-${sent}`, 100_000));
      const headers = { "content-type": "application/json", authorization };
      const answer = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body });
      const [, word = ""] = /"(?:code|status)":"(\w+)"/.exec(await answer.text()) ?? [];
      results.push(`${answer.status} ${word}`);
    }
  };
  await Promise.all(gateway.clients.slice(0, 2).map(create));
  return countsOf(results);
}

/** The answers' statuses, each with its count. */
async function sendBodies(gateway: BenchGateway, callers: number): Promise<string> {
  const body = taskBodies["variables of 100,000 numbers, without a name"]?.() ?? "";
  const statuses: string[] = [];
  const send = async (authorization: string) => {
    for (let sent = 0; sent < BODIES; sent += 1) {
      const connection = await openConnection(gateway.url);
      const { status } = await connection.send(postBytes("/graphql", authorization, body));
      statuses.push(String(status));
      connection.close();
    }
  };
  await Promise.all(gateway.clients.slice(0, callers).map(send));
  return countsOf(statuses);
}

function countsOf(results: readonly string[]): string {
  const counts = Map.groupBy(results, (result) => result);
  return Array.from(counts, ([result, { length }]) => `${length} × ${result}`).join(", ");
}
