// scripts/testMatrix/ runs the tests with another clock and zone. Here each part of a test run shows that it has them.
import { spawnSync } from "node:child_process";
import { inject } from "vitest";
import { expect, it } from "vitest";
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { startProgram } from "../support/program.ts";

/** How far the clock of this run is from the machine's. */
const DISTANCE_MS = Number.parseFloat(process.env["FAKETIME"] ?? "0") * 1000;
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The machine's clock may be set between two readings, but not each time. */
const TRIES = 3;

/** Reads a clock while this process waits, and expects that it shows the time of this process, moved by `byMs`. */
async function expectClock(read: () => unknown, byMs = 0): Promise<void> {
  const seen: [before: number, seen: number, after: number][] = [];
  // Two clocks with one source may round differently.
  const fits = ([before, at, after]: (typeof seen)[number]) => at >= before - 1 && at <= after + 1;
  while (seen.length < TRIES && !seen.some(fits)) {
    const before = Date.now();
    seen.push([before, Number(await read()) - byMs, Date.now()]);
  }
  expect(seen.some(fits), `the clock between two readings of this process: ${JSON.stringify(seen)}`).toBe(true);
}

it("a program that a test starts has the clock and the zone of the test run", async () => {
  const script =
    "console.log(JSON.stringify({ now: Date.now(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone }))";
  let zone: unknown;
  await expectClock(async () => {
    await using program = startProgram(["--eval", script], {});
    const line = await program.line(() => true);
    ({ zone } = line);
    return line["now"];
  });
  expect(zone).toBe(zoneHere());
});

it("PostgreSQL has the clock of the test run", async () => {
  const sql = "select extract(epoch from clock_timestamp()) * 1000 as now";
  await expectClock(async () => (await askPostgres(inject("postgresUrl"), sql))[0]?.["now"]);
});

it("the clock of the test run is as far from the machine's as the matrix has set it", async () => {
  const { LD_PRELOAD: _, ...env } = process.env;
  const read = () => spawnSync(process.execPath, ["--print", "Date.now()"], { env, encoding: "utf8" }).stdout;
  await expectClock(read, -DISTANCE_MS);
});
