import { expect } from "vitest";
import { ConfigError, readConfig } from "../../src/config/config.ts";

/** The variables that a real service requires. */
export const upstream = {
  UPSTREAM_URL: "https://calls.example/base",
  UPSTREAM_TOKEN: "token",
  UPSTREAM_TIME_ZONE: "Asia/Shanghai",
  WEBHOOK_AUTHORIZATION: "value",
};

/** The problems that readConfig reports; empty if it accepts the environment. */
export function problems(env: Record<string, string | undefined>): readonly string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) expect(error.message).toContain(`\n  ${problem}`);
    return error.problems;
  }
  return [];
}
