// The little that is needed before a service is known: its address and its token. What else is set is held against
// what is found; variables of the gateway's own are not looked at.
import { z } from "zod";
import { ConfigError, variables } from "../config/config.ts";
import { givenOf } from "../config/configRules.ts";
import type { Current } from "./settings.ts";

export interface DoctorConfig extends Current {
  url: string;
  token: string;
  timeoutMs: number;
}

const needed = z.object({
  UPSTREAM_URL: variables.UPSTREAM_URL.unwrap(),
  UPSTREAM_TOKEN: variables.UPSTREAM_TOKEN.unwrap(),
  UPSTREAM_TIME_ZONE: variables.UPSTREAM_TIME_ZONE,
  UPSTREAM_TIMEOUT_MS: variables.UPSTREAM_TIMEOUT_MS,
  // Without its default: what nobody has set cannot be wrong.
  UPSTREAM_ASSISTANT_IDS: variables.UPSTREAM_ASSISTANT_IDS.unwrap().optional(),
});

/** Throws ConfigError. An empty variable counts as one that is not set. */
export function readDoctorConfig(env: Readonly<Record<string, string | undefined>>): DoctorConfig {
  const given = givenOf(env);
  const parsed = needed.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => problemOf(issue, given)));
  const { data } = parsed;
  return {
    url: data.UPSTREAM_URL,
    token: data.UPSTREAM_TOKEN,
    timeoutMs: data.UPSTREAM_TIMEOUT_MS,
    timeZone: data.UPSTREAM_TIME_ZONE ?? null,
    assistantIds: data.UPSTREAM_ASSISTANT_IDS ?? null,
  };
}

function problemOf({ path, message }: z.core.$ZodIssue, given: Readonly<Record<string, unknown>>): string {
  const name = String(path[0]);
  return given[name] === undefined
    ? `${name} is needed: the doctor examines a service, and starts none`
    : `${name} ${message}`;
}
