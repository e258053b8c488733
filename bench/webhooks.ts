// Acknowledged webhooks per second, each on disk before it is acknowledged, against a bare handler that keeps the same bytes
// and one that keeps nothing. At the end the gateway's log must hold what was acknowledged, and nothing else.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { compare, type Target } from "./support/compare.ts";
import { profiled, type Extent } from "./support/extent.ts";
import { startGateway } from "./support/gateway.ts";
import { load } from "./support/load.ts";
import { startBare, type Metered } from "./support/metered.ts";
import { createWebhooks, type Webhooks } from "./support/webhooks.ts";

const CONNECTIONS = 64;

export async function benchWebhooks(extent: Extent): Promise<void> {
  const { rounds, ms } = extent;
  await using directory = await temporaryDirectory();
  // Nobody asks the service here: its address leads nowhere.
  await using gateway = await startGateway({ url: "http://127.0.0.1:9" }, profiled(extent, "webhooks"));
  await using floor = await startBare("receiver", [join(directory.path, "floor.db")]);
  await using forgetful = await startBare("receiver");
  const webhooks = createWebhooks();
  const targets = [
    targetOf("gateway", gateway, webhooks, ms),
    targetOf("floor", floor, createWebhooks(), ms),
    targetOf("keeps nothing", forgetful, createWebhooks(), ms),
  ];
  await compare(`webhooks, ${CONNECTIONS} connections`, targets, rounds);
  await gateway.stop();
  checkLog(gateway.databaseFile, webhooks.sent);
  console.log(`  The gateway's log holds exactly the ${webhooks.sent.length} webhooks that it acknowledged.`);
}

function targetOf(name: string, program: Metered, webhooks: Webhooks, ms: number): Target {
  return {
    name,
    async run() {
      await program.meter();
      const { answered, perSecond, p50, p99 } = await load(program.url, {
        connections: CONNECTIONS,
        ms,
        next: webhooks.next,
        check({ status }) {
          if (status !== 200) throw new Error(`${name} answered ${status}`);
        },
      });
      const { cpuMs } = await program.meter();
      return {
        "acknowledged/s": perSecond,
        "p50, ms": p50,
        "p99, ms": p99,
        "processor time, µs/webhook": (cpuMs * 1000) / answered,
      };
    },
  };
}

/** Every webhook sent was acknowledged, or the load would have ended with an error. */
function checkLog(file: string, acknowledged: readonly string[]): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const kept = database.prepare("select session_id from events").all();
  database.close();
  const ids = new Set(kept.map((row) => row["session_id"]));
  const missing = acknowledged.filter((id) => !ids.has(id));
  if (missing.length > 0 || kept.length !== acknowledged.length) {
    throw new Error(`of ${acknowledged.length} acknowledged, ${missing.length} are lost; the log holds ${kept.length}`);
  }
}
