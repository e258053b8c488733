// Webhooks and tasks through gateways with wrong clocks, which purge all the time: alone on a SQLite file one after the other, or beside
// right ones on PostgreSQL.
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { submit, taskInput } from "../e2e/submitting.ts";
import { callEndedEvent } from "../support/events.ts";
import type { GatewayAddress, TestGateway } from "../support/gateway.ts";

export interface WrongClocks {
  /** Starts a gateway whose clock is so many days ahead. It purges at once, and again and again. */
  start(daysAhead: number): Promise<GatewayAddress & Pick<TestGateway, "line"> & AsyncDisposable>;
  sandbox: Sandbox;
  /** Webhooks and tasks for each gateway in each round. */
  webhooks: number;
  tasks: number;
}

export interface ClocksResult {
  acknowledged: string[];
  /** The names of the tasks that have a submission, and of those that the service was told to create. */
  submitted: string[];
  sent: string[];
  /** Keys that were sent again to another gateway and did not get the first answer. */
  notReplayed: string[];
}

function createWork({ sandbox, webhooks, tasks }: WrongClocks) {
  const result: ClocksResult = { acknowledged: [], submitted: [], sent: [], notReplayed: [] };
  const inputs: Record<string, unknown>[] = [];
  return {
    async add(gateway: GatewayAddress): Promise<void> {
      for (let at = 0; at < webhooks; at += 1) {
        const event = callEndedEvent({ task_id: 0 });
        const { status } = await gateway.deliver(event);
        if (status !== 200) throw new Error(`A webhook was answered ${status}.`);
        result.acknowledged.push(String(event.event_data["session_id"]));
      }
      for (let at = 0; at < tasks; at += 1) {
        const input = taskInput(sandbox);
        await submit(gateway, input);
        inputs.push(input);
        result.submitted.push(String(input["name"]));
      }
    },
    async repeat(gateway: GatewayAddress): Promise<void> {
      for (const input of inputs) {
        const { replayed } = await submit(gateway, input);
        if (!replayed) result.notReplayed.push(String(input["name"]));
      }
    },
    result(): ClocksResult {
      const creates = sandbox.control.requests().filter(({ method }) => method === "POST");
      return { ...result, sent: creates.map(({ body }) => String((body as { name?: unknown }).name)) };
    },
  };
}

/** The line of a purge that was refused. */
const isRefusal = ({ msg }: { msg?: unknown }) => String(msg).startsWith("nothing that has expired is deleted");

/** Each gateway has the database for itself, and begins when the one before has ended. */
export async function restartWithClocks(options: WrongClocks, daysAhead: readonly number[]): Promise<ClocksResult> {
  const work = createWork(options);
  for (const days of daysAhead) {
    await using gateway = await options.start(days);
    await work.add(gateway);
    if (days !== 0) await gateway.line(isRefusal);
    await work.repeat(gateway);
  }
  return work.result();
}

/** All gateways share the database. `purged`: resolves after further purges. */
export async function runBesideEachOther(
  options: WrongClocks & { rounds: number; purged: () => Promise<unknown> },
  daysAhead: readonly number[],
): Promise<ClocksResult> {
  const work = createWork(options);
  await using parts = new AsyncDisposableStack();
  const gateways = [];
  for (const days of daysAhead) gateways.push(parts.use(await options.start(days)));
  for (let round = 0; round < options.rounds; round += 1) {
    for (const gateway of gateways) await work.add(gateway);
    await options.purged();
    for (const gateway of gateways) await work.repeat(gateway);
  }
  return work.result();
}
