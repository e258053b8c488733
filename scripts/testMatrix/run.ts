// `npm run test:matrix`: runs the tests at several times of the day, in several zones, and beside a load. Ends with 1 if a test fails
// in one of these cells. CONTRIBUTING.md shows the options.
import { randomInt } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runProgram } from "../runProgram.ts";
import { BUSY_PROCESSES, clockCell, HOURS, loadCell, ZONES, type Cell } from "./cells.ts";
import { removeLeftovers } from "./faketimeLibrary.ts";
import { startLoad } from "./load.ts";

interface Report {
  testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
}

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    /** Prints the names of the cells, and runs none. */
    list: { type: "boolean", default: false },
    /** Only cells whose name has this text. */
    only: { type: "string", default: "" },
    /** Other times than the five: HH:MM, or a day and time such as "2027-02-28 23:55". */
    at: { type: "string", multiple: true },
    zone: { type: "string", multiple: true },
    /** Busy processes beside each cell. */
    load: { type: "string" },
    /** The most that one cell takes. */
    minutes: { type: "string", default: "40" },
    /** Where the output and the report of each cell are written. Runs at the same time need different ones. */
    results: { type: "string", default: "node_modules/.cache/testMatrix" },
  },
});
const repository = resolve(import.meta.dirname, "../..");
const folder = resolve(repository, values.results);
const say = (text: string) => process.stdout.write(`${text}\n`);

const cells = chooseCells();
if (cells.length === 0) throw new Error(`No cell's name has the text ${values.only}.`);
if (values.list) for (const { name } of cells) say(name);
else await runAll();

function chooseCells(): Cell[] {
  const processes = Number(values.load ?? 0);
  const clocks = (values.at ?? HOURS).flatMap((time) =>
    (values.zone ?? ZONES).map((zone) => clockCell(time, zone, processes)),
  );
  const isWhole = values.at === undefined && values.zone === undefined && values.load === undefined;
  return [...clocks, ...(isWhole ? [loadCell(BUSY_PROCESSES)] : [])].filter(({ name }) => name.includes(values.only));
}

async function runAll(): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  mkdirSync(folder, { recursive: true });
  const results: string[] = [];
  for (const cell of cells) results.push(await run(cell));
  const failed = results.filter((result) => result !== "passed").length;
  if (failed > 0) process.exitCode = 1;
  say(`${results.length - failed} of ${results.length} cells passed`);
}

/** Prints the result, the number of tests and the duration, and the titles of failed tests. */
async function run({ name, environment, busyProcesses }: Cell): Promise<"passed" | "failed" | "slow"> {
  const base = join(folder, name.replaceAll(/[^\w-]+/g, "-"));
  const [outputFile, reportFile] = [`${base}.txt`, `${base}.json`];
  rmSync(reportFile, { force: true });
  const args = ["run", ...files, "--reporter=default", "--reporter=./test/support/countReporter.ts"];
  args.push("--reporter=json", `--outputFile.json=${reportFile}`);
  const output = openSync(outputFile, "w");
  const startedAt = performance.now();
  const seconds = Number(values.minutes) * 60;
  removeLeftovers();
  const removing = setInterval(removeLeftovers, 10_000);
  using _load = startLoad(busyProcesses);
  const env = { PROPERTY_SEED: String(randomInt(2 ** 31)), ...environment() };
  const code = await runProgram("vitest", args, { folder: repository, seconds, env, output });
  clearInterval(removing);
  closeSync(output);
  const result = code === 0 ? "passed" : code === null ? "slow" : "failed";
  const took = Math.round((performance.now() - startedAt) / 1000);
  const counts =
    /^\d+ passed, \d+ failed.*$/m.exec(readFileSync(outputFile, "utf8"))?.[0] ?? "no tests ran to their end";
  say(`${result}  ${name}  ${counts}  ${took} s`);
  if (result !== "passed") say(`  ${relative(repository, outputFile)}\n${failuresIn(reportFile)}`);
  return result;
}

function failuresIn(reportFile: string): string {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  } catch {
    return "  The run made no report.";
  }
  const failures = report.testResults.flatMap(({ name, message, assertionResults }) => {
    const titles = assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
    if (titles.length === 0 && message !== "") titles.push(message.split("\n", 1)[0] ?? "");
    return titles.map((title) => `  ${relative(repository, name)}  ${title}`);
  });
  return failures.join("\n");
}
