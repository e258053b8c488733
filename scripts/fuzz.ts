// `npm run test:fuzz`: feeds each reader with changed texts of the corpus, in turns and with new seeds, for ten minutes. Ends with 1 if a
// reading is wrong, and prints the text and the seed.
import { parseArgs } from "node:util";
import { fuzz } from "../test/fuzz/target.ts";
import { targets } from "../test/fuzz/targets.ts";

/** Of each reader in a round. */
const RUNS = 500;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    /** Only readers of a kind that has this text. */
    only: { type: "string", default: "" },
    /** Of the first round. The next rounds have the next ones. */
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  },
});
const say = (text: string) => process.stdout.write(`${text}\n`);
const chosen = targets.filter(({ kind }) => kind.includes(values.only));
if (chosen.length === 0) throw new Error(`No reader's kind has the text ${values.only}.`);

const endsAt = performance.now() + Number(values.minutes) * 60_000;
const counts = new Map<string, number>();
const faulty = new Set<string>();
for (let seed = Number(values.seed); performance.now() < endsAt && faulty.size < chosen.length; seed += 1) {
  for (const target of chosen.filter(({ kind }) => !faulty.has(kind))) {
    const { runs, fault } = fuzz(target, { seed, runs: RUNS });
    counts.set(target.kind, (counts.get(target.kind) ?? 0) + runs);
    if (fault === null) continue;
    faulty.add(target.kind);
    say(`${target.kind}: ${JSON.stringify(fault.text)} ${fault.reason} (--seed ${seed} --only "${target.kind}")`);
  }
}
for (const [kind, runs] of counts) say(`${kind}: ${runs} texts${faulty.has(kind) ? ", A FAULT" : ""}`);
if (faulty.size > 0) process.exitCode = 1;
