// Sends webhooks like the service: repeats each one until it is acknowledged.
import { setTimeout } from "node:timers/promises";
import { openConnection, type Connection } from "./connection.ts";
import { createWebhooks } from "./webhooks.ts";

export interface Deliverer {
  /** Sends webhooks one after the other on one connection, until `signal` or until the gateway stops. */
  deliver(url: string, signal: AbortSignal): Promise<void>;
  /** Sends the unacknowledged webhooks until all are acknowledged. */
  settle(url: string): Promise<void>;
  /** Session ids, each once, in the order of their acknowledgements. */
  acknowledged: readonly string[];
}

const REFUSED_MS = 20;

/** Waits for `mayMake` before each new webhook. If it returns false, the delivery ends. */
export function createDeliverer(mayMake: () => Promise<boolean> = async () => true): Deliverer {
  const webhooks = createWebhooks();
  const acknowledged: string[] = [];
  const owed: string[] = [];

  async function send(
    connection: Connection,
    id: string,
    request: Buffer,
  ): Promise<"acknowledged" | "refused" | "gone"> {
    const answer = await connection.send(request).catch(() => null);
    if (answer?.status === 200) acknowledged.push(id);
    else owed.push(id);
    return answer === null ? "gone" : answer.status === 200 ? "acknowledged" : "refused";
  }

  async function sendAll(url: string, next: () => Promise<Parameters<typeof send>[1] | null>): Promise<void> {
    const connection = await openConnection(url);
    for (let id = await next(); id !== null; id = await next()) {
      const outcome = await send(connection, id, webhooks.of(id));
      if (outcome === "gone") return;
      if (outcome === "refused") await setTimeout(REFUSED_MS);
    }
    connection.close();
  }

  return {
    acknowledged,
    deliver: (url, signal) =>
      sendAll(url, async () => {
        if (signal.aborted) return null;
        const again = owed.shift();
        if (again !== undefined) return again;
        return (await mayMake()) ? webhooks.make() : null;
      }),
    async settle(url) {
      while (owed.length > 0) await sendAll(url, async () => owed.shift() ?? null);
    },
  };
}
