// `npm run check:contract`: refuses changes that break what the last release promised in contract/, unless CHANGELOG.md names
// them. `npm run contract`, at a release, writes contract/ anew.
import { readFileSync, writeFileSync } from "node:fs";
import { buildSchema } from "graphql";
import { printedSchema, schema } from "../src/schema/schema.ts";
import { breakingEntries, unnamedIn } from "./contract/changelog.ts";
import { findContractBreaks, type Contract } from "./contract/contractBreaks.ts";
import { currentContract } from "./contract/currentContract.ts";
import { findGraphBreaks, findUndatedDeprecations } from "./contract/graphBreaks.ts";

const at = (path: string) => new URL(`../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), "utf8");
const CONTRACT = "contract/contract.json";
const GRAPH = "contract/schema.graphql";

function check(): readonly string[] {
  const released = JSON.parse(read(CONTRACT)) as Contract;
  const breaks = [
    ...findGraphBreaks(buildSchema(read(GRAPH)), schema),
    ...findContractBreaks(released, currentContract()),
  ];
  return [
    ...unnamedIn(breakingEntries(read("CHANGELOG.md")), breaks).map(
      ({ name, change }) =>
        `${change}\n  Undo it. If it must be, add to "Unreleased" in CHANGELOG.md: - Breaking: \`${name}\` …, with what users do instead.`,
    ),
    ...findUndatedDeprecations(schema).map(
      (name) =>
        `${name} is deprecated without a date\n  Say in its reason what to use instead and when it goes: "Use … instead. Removed after 2027-06-30."`,
    ),
  ];
}

if (process.argv.includes("--write")) {
  writeFileSync(at(CONTRACT), `${JSON.stringify(currentContract(), null, 2)}\n`);
  writeFileSync(at(GRAPH), printedSchema());
} else {
  const problems = check();
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) {
    process.stderr.write(`The last release promised otherwise in contract/ (CONTRIBUTING.md, "Compatibility").\n`);
    process.exitCode = 1;
  }
}
