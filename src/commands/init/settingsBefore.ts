// The .env that `--force` replaces. It stays beside the new one, and what the new one lacks is named.
import { existsSync } from "node:fs";
import { parseEnvFile } from "../../config/envFile.ts";
import { readTextFileSync } from "../../util/textFile.ts";

export interface SettingsBefore {
  text: string;
  /** The variables, by name. */
  values: Readonly<Record<string, string>>;
}

const MAX_BYTES = 256 * 1024;

/** Null where there is no file. Throws a FinalError where it cannot be read. */
export function readSettingsBefore(path: string, file: string): SettingsBefore | null {
  if (!existsSync(path)) return null;
  const text = readTextFileSync(path, MAX_BYTES);
  return { text, values: parseEnvFile(text, file) };
}

/** Another database has no idempotency keys and no never-call list: nobody may change to it by leaving an answer out. */
export const namesDatabase = ({ values }: SettingsBefore): boolean =>
  ["DATABASE_URL", "DATABASE_URL_FILE"].some((name) => name in values);

/** The names of settings that are gone, or have another value now. */
export function changedNames({ values }: SettingsBefore, after: readonly (readonly [string, string])[]): string[] {
  const now = new Map(after);
  return Object.keys(values).filter((name) => now.get(name) !== values[name]);
}
