// What an earlier `switchboard init`, or a person, has written into .env: `--force` keeps what is not answered anew.
import { existsSync } from "node:fs";
import { parseEnvFile } from "../../config/envFile.ts";
import { readTextFileSync } from "../../util/textFile.ts";
import type { Answers } from "./initQuestions.ts";
import type { Setup } from "./setup.ts";

export type SettingsBefore = Readonly<Record<string, string>>;

const MAX_BYTES = 256 * 1024;

/** Empty where there is no file. Throws a FinalError where it cannot be read. */
export function readSettingsBefore(path: string, file: string): SettingsBefore {
  return existsSync(path) ? parseEnvFile(readTextFileSync(path, MAX_BYTES), file) : {};
}

/** The answers that gave these settings. */
export function answersBefore(before: SettingsBefore): Answers {
  const { UPSTREAM_URL: service, UPSTREAM_TIME_ZONE: zone, DATABASE_URL: database, TRUST_PROXY: proxies } = before;
  return {
    ...(service && { service }),
    ...(zone && { "time-zone": zone }),
    ...(database && { database }),
    ...(proxies && { "tls-proxy": "yes" }),
  };
}

const ANSWERED = ["UPSTREAM_URL", "UPSTREAM_TIME_ZONE", "DATABASE_URL", "TRUST_PROXY", "HOST", "API_KEYS_FILE"];

/** Those that no answer stands for, in their order. `isDatabaseGiven`: an answer names the database anew. */
export function keptSettings(
  before: SettingsBefore,
  { settings, secrets }: Setup,
  { isDatabaseGiven }: { isDatabaseGiven: boolean },
): [string, string][] {
  const answered = new Set([
    ...ANSWERED,
    ...secrets.flatMap(({ variable }) => [variable, `${variable}_FILE`]),
    ...(isDatabaseGiven || settings.some(([name]) => name === "DATABASE_URL") ? ["DATABASE_URL_FILE"] : []),
  ]);
  return Object.entries(before).filter(([name]) => !answered.has(name));
}
