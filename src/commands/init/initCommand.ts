// `switchboard init`: asks what a gateway needs, or takes flags, and writes .env, a first key, secrets in files, and what runs the gateway.
// Nothing is written before the last answer, and no secret but the new key is printed.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { createApiKey } from "../../auth/apiKeys.ts";
import { isViewerName, scopes, type Scope } from "../../auth/scopes.ts";
import type { Environment } from "../../config/readVariables.ts";
import { FinalError } from "../../util/start/finalError.ts";
import { exitCodes } from "../../util/start/exitCodes.ts";
import { readScopes } from "../keyCommand.ts";
import { UsageError } from "../options.ts";
import { print } from "../output.ts";
import { askAll, type InitFlags } from "./askAll.ts";
import { deploymentFiles, envText } from "./deploymentFiles.ts";
import { summaryOf } from "./initSummary.ts";
import { changedNames, readSettingsBefore } from "./settingsBefore.ts";
import { KEYS_FILE, setupOf, type Setup } from "./setup.ts";
import { existingPaths, writeNewFiles, type NewFile } from "./writeNewFiles.ts";

const ENV_FILE = ".env";
/** A second one is .env.old.2. */
const OLD_ENV_FILE = ".env.old";
const COMMENT =
  "# Settings of the gateway: npm start, and switchboard commands in this folder, read them. docs/configuration.md lists all.";
const SECRET_MODE = 0o600;

/** In the working folder. Resolves with 0. Throws UsageError, and FinalError where files are there already or the person cancels. */
export async function initCommand(flags: InitFlags, env: Environment): Promise<number> {
  const folder = process.cwd();
  const granted = grantedScopes(flags);
  const { force } = flags;
  // Before anybody answers questions for nothing.
  if (!force) refuseExisting(folder, [ENV_FILE, KEYS_FILE]);
  const before = force ? readSettingsBefore(join(folder, ENV_FILE), ENV_FILE) : null;
  const isThere = (file: string) => force && existsSync(join(folder, file));
  const { answers, secrets } = await askAll(flags, { env, isThere, before });
  const setup = setupOf(answers, secrets, before?.values);
  const settings = ownSettings(setup);
  const { key, entry } = createApiKey(flags["key-name"], granted);
  const { files: deployed, steps } = deploymentFiles(setup, folder);
  const typed = secrets.flatMap(({ file, content }) =>
    content === null ? [] : [secretFile(file, content === "" ? newHeader() : content)],
  );
  const oldFile = freeName(folder, OLD_ENV_FILE);
  const hasKeys = force && existsSync(join(folder, KEYS_FILE));
  const files: NewFile[] = [
    { path: ENV_FILE, content: envText(settings, COMMENT), mode: SECRET_MODE },
    ...(before ? [{ path: oldFile, content: before.text, mode: SECRET_MODE }] : []),
    ...(hasKeys ? [] : [{ path: KEYS_FILE, content: `${JSON.stringify([entry], null, 2)}\n`, mode: SECRET_MODE }]),
    ...typed,
    ...(typed.length > 0 ? [{ path: "secrets/.gitignore", content: "*\n", mode: SECRET_MODE }] : []),
    ...deployed,
    // One that a person has put there stays.
  ].filter(({ path }) => !path.endsWith(".gitignore") || !existsSync(join(folder, path)));
  const paths = files.map(({ path }) => path);
  if (!force) refuseExisting(folder, paths);
  writeNewFiles(folder, files, { replaces: force });
  const changed = before ? changedNames(before, settings) : [];
  const shownKey = hasKeys ? null : { key, name: entry.name, scopes: granted };
  print(await summaryOf({ setup, written: paths, changed, oldFile, steps, key: shownKey }));
  return exitCodes.success;
}

function refuseExisting(folder: string, paths: readonly string[]): void {
  const existing = existingPaths(folder, paths);
  if (existing.length > 0)
    throw new FinalError(
      `${existing.join(", ")} ${existing.length === 1 ? "is" : "are"} there already in ${resolve(folder)}, and nothing was written. With --force they are written anew, and .env is kept as ${OLD_ENV_FILE}; keys, and secrets that you do not give anew, stay.`,
      { exitCode: exitCodes.failure },
    );
}

/** A name that no file has yet: an older file of settings stays, too. */
function freeName(folder: string, name: string): string {
  for (let number = 2, free = name; ; number += 1) {
    if (existingPaths(folder, [free]).length === 0) return free;
    free = `${name}.${number}`;
  }
}

/** The settings of a gateway that is started in this folder. */
function ownSettings({ settings, secrets, host }: Setup): [string, string][] {
  return [
    ...settings,
    ...secrets.map(({ variable, file }): [string, string] => [`${variable}_FILE`, file]),
    ["API_KEYS_FILE", KEYS_FILE],
    ["HOST", host],
  ];
}

const secretFile = (path: string, content: string): NewFile => ({ path, content: `${content}\n`, mode: SECRET_MODE });
const newHeader = () => randomBytes(32).toString("base64url");

function grantedScopes({ "key-name": name, "key-scopes": text }: InitFlags): Scope[] {
  const { granted, unknown } = readScopes(text);
  if (unknown.length > 0 || granted.length === 0)
    throw new UsageError(`--key-scopes must name some of ${scopes.join(", ")}.`);
  if (!isViewerName(name)) throw new UsageError("--key-name must have 1 to 255 characters, and no control characters.");
  return granted;
}
