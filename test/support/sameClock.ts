// The clock and the zone of the test run, for a program with an environment of its own. scripts/testMatrix.ts sets another clock by
// a library that is loaded before all others: a program without it would have the machine's clock.
const NAMES = ["TZ", "LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC"];

/** Adds what sets the clock and the zone to `env`. A library that `env` loads is loaded first; a zone that it sets stays. */
export function onSameClock(env: Record<string, string>): Record<string, string> {
  const surroundings = NAMES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const clock = Object.fromEntries(surroundings);
  const libraries = [env["LD_PRELOAD"], clock["LD_PRELOAD"]].filter((path) => path !== undefined);
  return { ...clock, ...env, ...(libraries.length > 0 ? { LD_PRELOAD: libraries.join(":") } : {}) };
}
