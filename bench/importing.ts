// Measures how long live events wait beside an import of earlier calls: without an import, beside one at the default rate, and beside one as fast
// as it can.
import type { Effort } from "./support/effort.ts";
import { startGateway } from "./support/gateway.ts";
import { importBeside, sandboxWith } from "./support/importRun.ts";
import { figure, percentile } from "./support/statistics.ts";

const RATES = { "at the default rate": "6000", "as fast as it can": "1000000000" };

/** Returns the 99th percentile of how long live events took beside an import, the worst of all rates, in milliseconds. */
export async function benchImport(
  { imported, ms }: Pick<Effort, "imported" | "ms">,
  rates: Readonly<Record<string, string>> = RATES,
): Promise<number> {
  await using sandbox = await sandboxWith(imported);
  let latest = 0;
  for (const [rate, limit] of Object.entries(rates)) {
    const settings = { RATE_LIMIT: limit };
    await using gateway = await startGateway({ service: sandbox.url, scopes: ["admin", "calls:read"], settings });
    console.log(`\nlive events beside an import of ${imported} calls ${rate}`);
    const { without, beside, callsPerSecond } = await importBeside(gateway, { calls: imported, ms });
    report("without it", without);
    report("beside it", beside);
    console.log(`  ${callsPerSecond.toFixed(0)} calls/s imported`);
    latest = Math.max(latest, percentile(beside, 99));
    await gateway.stop();
  }
  return latest;
}

function report(name: string, delays: readonly number[]): void {
  const [p50, p99, most] = [50, 99, 100].map((part) => figure([percentile(delays, part)]));
  console.log(`  ${name}: ${delays.length} events, p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`);
}
