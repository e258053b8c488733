// The clock and the zone of the test run, for a program with an environment of its own. `npm run test:matrix` sets another clock by a
// library: a program without that library would have the machine's clock. And no program reads the settings in a `.env` of the checkout.
const NAMES = ["TZ", "LD_PRELOAD", "FAKETIME", "FAKETIME_DONT_FAKE_MONOTONIC", "FAKETIME_FORCE_MONOTONIC_FIX"];

/** An empty one. A test of the file in its working folder sets the variable to "". */
const NO_ENV_FILE = { SWITCHBOARD_ENV_FILE: "/dev/null" };

/** Adds what sets the clock and the zone to `env`. A library that `env` loads is loaded first; a zone that it sets stays. */
export function onSameClock(env: Record<string, string>): Record<string, string> {
  const surroundings = NAMES.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const clock = Object.fromEntries(surroundings);
  const libraries = [env["LD_PRELOAD"], clock["LD_PRELOAD"]].filter((path) => path !== undefined);
  return { ...NO_ENV_FILE, ...clock, ...env, ...(libraries.length > 0 ? { LD_PRELOAD: libraries.join(":") } : {}) };
}
