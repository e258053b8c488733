// `npm run test:mutation`: makes small changes to the sources, and prints the changes that no test notices. Ends with 1 if the
// score is below the minimum. CONTRIBUTING.md explains the output.
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findMutants, applyMutant, type Mutant } from "./mutants.ts";
import { topLevelOf } from "./instrument.ts";
import { readReachMap, type ReachMap } from "./reachMap.ts";
import { createWorkingCopy, SOURCES, type WorkingCopy } from "./workingCopy.ts";

interface Equivalent extends Pick<Mutant, "file" | "code" | "change"> {
  reason: string;
}

/** What notices the mutant: a test file, or "the type check"; "equivalent" where nothing could; null where nothing does. */
type Verdict = string | null;

const LEAST_SCORE = 0.96;
/** Tests that run little else come first, and a few at a time: they notice most mutants within seconds. */
const FIRST_TESTS = [3, 18] as const;
/** A mutant that loops without end is noticed by the time. */
const SECONDS_A_TEST = 60;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "300" },
    /** Leaves out the first of the sample, which an earlier run has judged. */
    skip: { type: "string", default: "0" },
    minutes: { type: "string", default: "180" },
    workers: { type: "string", default: "2" },
    /** Runs at most this many test files for a mutant. Quicker, but some of the survivors are noticed by a further test. */
    tests: { type: "string", default: "1000" },
    /** Only files whose path holds this text. */
    only: { type: "string", default: "" },
    /** Prints what notices each mutant. */
    verbose: { type: "boolean", default: false },
  },
});
const repository = resolve(import.meta.dirname, "../..");
const endsAt = performance.now() + Number(values.minutes) * 60_000;
const equivalents = JSON.parse(
  readFileSync(join(import.meta.dirname, "equivalents.json"), "utf8"),
) as readonly Equivalent[];

const say = (text: string) => process.stdout.write(`${text}\n`);

const mutants = globSync(SOURCES, { cwd: repository })
  .sort()
  .filter((file) => file.includes(values.only))
  .flatMap((file) => findMutants(file, readFileSync(join(repository, file), "utf8")));
const sample = shuffled(mutants, values.seed).slice(Number(values.skip), Number(values.count));
say(`${sample.length} of ${mutants.length} mutants, seed ${values.seed}`);

const map = await readReachMap(repository, join(repository, "node_modules/.cache/mutation"));
if (map.unusable.length > 0) say(`Left out, for they fail without a mutation:\n  ${map.unusable.join("\n  ")}`);
const verdicts = await judgeAll();
report();

async function judgeAll(): Promise<Map<Mutant, Verdict>> {
  const found = new Map<Mutant, Verdict>();
  const queue = sample.values();
  const work = async () => {
    using copy = createWorkingCopy(repository);
    for (const mutant of queue) {
      if (performance.now() > endsAt) return;
      const noticedBy = isEquivalent(mutant) ? "equivalent" : await whatNotices(mutant, copy);
      found.set(mutant, noticedBy);
      if (noticedBy === null || values.verbose) say(`${noticedBy ?? "SURVIVED"}\n    ${described(mutant)}`);
      else if (found.size % 20 === 0) say(`${found.size} judged`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.workers) }, work));
  return found;
}

async function whatNotices(mutant: Mutant, copy: WorkingCopy): Promise<Verdict> {
  const text = copy.read(mutant.file);
  copy.write(mutant.file, applyMutant(text, mutant));
  try {
    const tests = testsFor(mutant, map).slice(0, Number(values.tests));
    const [few, more] = FIRST_TESTS;
    return (
      (await failureOf(tests.slice(0, few), copy)) ??
      ((await copy.passesTypes()) ? null : "the type check") ??
      (await failureOf(tests.slice(few, more), copy)) ??
      (await failureOf(tests.slice(more), copy))
    );
  } finally {
    copy.write(mutant.file, text);
  }
}

async function failureOf(tests: readonly string[], copy: WorkingCopy): Promise<string | null> {
  if (tests.length === 0) return null;
  const { outcome, failedFiles } = await copy.runTests(tests, { seconds: tests.length * SECONDS_A_TEST, bail: true });
  if (outcome === "passed") return null;
  return failedFiles.join() || `tests that ${outcome === "slow" ? "hang" : "cannot run"}`;
}

/** Those that run the function: first those of the same name or folder, then the most special. At the top level: those that load the file. */
function testsFor({ file, functionIndex }: Mutant, { testsOf, unusable }: ReachMap): string[] {
  const sizes = new Map<string, number>();
  for (const test of Object.values(testsOf).flat()) sizes.set(test, (sizes.get(test) ?? 0) + 1);
  const name = functionIndex === null ? topLevelOf(file) : `${file}#${functionIndex}`;
  const ownTest = join("test", file.replace("src/", "").replace(/ts$/, "test.ts"));
  const distance = (test: string) => (test === ownTest ? 0 : dirname(test) === dirname(ownTest) ? 1 : 2);
  return (testsOf[name] ?? [])
    .filter((test) => !unusable.includes(test))
    .sort((a, b) => distance(a) - distance(b) || (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0));
}

function isEquivalent({ file, code, change }: Mutant): boolean {
  return equivalents.some((known) => known.file === file && known.code === code && known.change === change);
}

function report(): void {
  const judged = [...verdicts.values()];
  const survived = judged.filter((verdict) => verdict === null).length;
  const equivalent = judged.filter((verdict) => verdict === "equivalent").length;
  const noticed = judged.length - survived - equivalent;
  const score = noticed / Math.max(1, noticed + survived);
  say("\nSurvivors:");
  for (const [mutant, verdict] of verdicts) if (verdict === null) say(`  ${described(mutant)}`);
  if (verdicts.size < sample.length) say(`The time was over: ${sample.length - verdicts.size} were not judged.`);
  say(`${noticed} noticed, ${survived} survived, ${equivalent} equivalent: ${(score * 100).toFixed(1)} %`);
  if (score < LEAST_SCORE) process.exitCode = 1;
}

function described({ file, line, change, code }: Mutant): string {
  return `${file}:${line}  ${change}  |  ${code}`;
}

/** In an order that looks random. It depends on each mutant alone, so that a change of the sources leaves most of the sample as it was. */
function shuffled(all: readonly Mutant[], seed: string): Mutant[] {
  const repeats = new Map<string, number>();
  const placed = all.map((mutant) => {
    const name = JSON.stringify([seed, mutant.file, mutant.code, mutant.change]);
    const repeat = repeats.get(name) ?? 0;
    repeats.set(name, repeat + 1);
    return { mutant, place: createHash("sha256").update(`${name} ${repeat}`).digest("hex") };
  });
  return placed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ mutant }) => mutant);
}
