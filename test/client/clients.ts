// Clients of the sources of switchboard-client, and what tests ask of them.
import { createSwitchboardClient } from "../../client/src/index.ts";
import type { ClientOptions, ConnectionState, SwitchboardClient } from "../../client/src/index.ts";
import { callEndedEvent } from "../support/events.ts";
import type { TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

/** The options that choose a transport, by its name. */
export const transports: [string, { webSocketImpl?: null }][] = [
  ["WebSocket", {}],
  ["server-sent events", { webSocketImpl: null }],
];

/** `random`: 0, so that pauses are as short as they may be. */
export function clientOf(target: { url: string }, options: Partial<ClientOptions> = {}): SwitchboardClient {
  return createSwitchboardClient({ url: `${target.url}/graphql`, random: () => 0, ...options });
}

/** Takes the next items. Fails if the stream ends before. */
export async function take<Item>(items: AsyncIterator<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = [];
  while (taken.length < count) {
    const { value, done } = await items.next();
    if (done) throw new Error(`The stream ended after ${taken.length} of ${count} items.`);
    taken.push(value);
  }
  return taken;
}

/** Delivers calls with these session ids, one after the other. */
export async function endCalls(gateway: TestGateway, ids: readonly string[]): Promise<void> {
  for (const session_id of ids) {
    const { status } = await gateway.deliver(callEndedEvent({ session_id }));
    if (status !== 200) throw new Error(`The webhook answered ${status}.`);
  }
}

export function sessionIds(prefix: string, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${from + index}`);
}

/** Waits for a condition while timers are mocked. What it waits for may happen in another thread, so that a number of turns is no limit. */
export async function untilTurn(check: () => unknown): Promise<void> {
  const end = process.hrtime.bigint() + LIMIT_NS;
  while (!check()) {
    if (process.hrtime.bigint() > end) throw new Error(`The condition did not become true: ${check.toString()}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const LIMIT_NS = 180_000_000_000n;

/** Starts an iterator before anything happens, because a stream starts with its first `next()`. */
export async function started<Item>(client: { state: ConnectionState }, items: AsyncIterableIterator<Item>) {
  const first = items.next();
  await until(() => client.state.name === "live");
  return {
    ...items,
    next: (() => {
      let pending: Promise<IteratorResult<Item>> | null = first;
      return () => {
        const result = pending ?? items.next();
        pending = null;
        return result;
      };
    })(),
  };
}
