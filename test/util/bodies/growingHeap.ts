// Makes garbage of the old generation, and writes how many megabytes the heap had at most. Argument: the limit of its growth, `usual`
// or `withLargeBodies`; without it V8 decides.
import { limitHeapGrowth, limitHeapGrowthMore } from "../../../src/util/bodies/heapGrowth.ts";

const LIVE = 60;
const GARBAGE = 600;
/** Long enough to be moved into the old generation. */
const KEPT = 20;
const megabyteOf = (at: number) => Array.from({ length: 1024 * 16 }, (_, index) => ({ at, index }));

const [, , limit] = process.argv;
if (limit === "usual") limitHeapGrowth();
if (limit === "withLargeBodies") limitHeapGrowthMore();
const live = Array.from({ length: LIVE }, (_, at) => megabyteOf(at));
global.gc?.();
const kept: unknown[] = [];
let most = 0;
for (let at = 0; at < GARBAGE; at += 1) {
  kept[at % KEPT] = megabyteOf(at);
  most = Math.max(most, process.memoryUsage().heapUsed);
}
process.stdout.write(`${JSON.stringify({ mostMb: Math.round(most / 1024 / 1024), live: live.length })}\n`);
