// Measures acknowledged webhooks per second, each stored before it is acknowledged, on SQLite and on PostgreSQL. The baselines
// are a bare handler that stores the same bytes, and one that stores nothing. At the end the gateway's log must hold exactly
// the acknowledged events.
import { compare, type Target } from "./support/compare.ts";
import { openFiles, openServer, type Databases } from "./support/databases.ts";
import { profileOptions, type Effort } from "./support/effort.ts";
import { startGateway } from "./support/gateway.ts";
import { load } from "./support/load.ts";
import { startBare, type Metered } from "./support/metered.ts";
import { createWebhooks, type Webhooks } from "./support/webhooks.ts";

const CONNECTIONS = 64;

export async function benchWebhooks(effort: Effort): Promise<void> {
  for (const open of [openFiles, openServer]) {
    await using databases = await open();
    await benchOn(databases, effort);
  }
}

async function benchOn(databases: Databases, effort: Effort): Promise<void> {
  const { rounds, ms } = effort;
  const { title } = databases;
  const database = await databases.create("gateway");
  await using gateway = await startGateway({ database, nodeOptions: profileOptions(effort, `webhooks-${title}`) });
  await using floor = await startBare("receiver", [await databases.create("floor")]);
  await using forgetful = await startBare("receiver");
  const webhooks = createWebhooks();
  const targets = [
    targetOf("gateway", gateway, webhooks, ms),
    targetOf("floor", floor, createWebhooks(), ms),
    targetOf("keeps nothing", forgetful, createWebhooks(), ms),
  ];
  await compare(`webhooks on ${title}, ${CONNECTIONS} connections`, targets, rounds);
  await gateway.stop();
  checkLog(await databases.sessionsIn(database), webhooks.sent);
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
      const { cpuMs, delayP99Ms } = await program.meter();
      return {
        "acknowledged/s": perSecond,
        "p50, ms": p50,
        "p99, ms": p99,
        "processor time, µs/webhook": (cpuMs * 1000) / answered,
        "event-loop delay, p99, ms": delayP99Ms,
      };
    },
  };
}

/** Every webhook was acknowledged; otherwise the load would have thrown. */
function checkLog(kept: readonly string[], acknowledged: readonly string[]): void {
  const ids = new Set(kept);
  const missing = acknowledged.filter((id) => !ids.has(id));
  if (missing.length > 0 || kept.length !== acknowledged.length) {
    throw new Error(`of ${acknowledged.length} acknowledged, ${missing.length} are lost; the log holds ${kept.length}`);
  }
}
