// Sends webhooks like the service: repeats each one until it is acknowledged.
import { setTimeout } from "node:timers/promises";
import { openLine, type Line } from "./line.ts";
import { createWebhooks } from "./webhooks.ts";

export interface Deliverer {
  /** One behind the other, on one connection, until `signal`, or until the gateway is gone. */
  deliver(url: string, signal: AbortSignal): Promise<void>;
  /** Sends only what is owed, until nothing is. */
  settle(url: string): Promise<void>;
  /** Session ids, each once, in order of their 200. */
  acknowledged: readonly string[];
}

const REFUSED_MS = 20;

/** `mayMake` is asked before each new webhook, and waited for. */
export function createDeliverer(mayMake: () => Promise<boolean> = async () => true): Deliverer {
  const webhooks = createWebhooks();
  const acknowledged: string[] = [];
  const owed: string[] = [];

  async function send(line: Line, id: string, request: Buffer): Promise<"acknowledged" | "refused" | "gone"> {
    const answer = await line.ask(request).catch(() => null);
    if (answer?.status === 200) acknowledged.push(id);
    else owed.push(id);
    return answer === null ? "gone" : answer.status === 200 ? "acknowledged" : "refused";
  }

  async function sendAll(url: string, next: () => Promise<Parameters<typeof send>[1] | null>): Promise<void> {
    const line = await openLine(url);
    for (let id = await next(); id !== null; id = await next()) {
      const outcome = await send(line, id, webhooks.of(id));
      if (outcome === "gone") return;
      if (outcome === "refused") await setTimeout(REFUSED_MS);
    }
    line.close();
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
