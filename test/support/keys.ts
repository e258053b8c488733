// Writes a file of API keys; each viewer's key is derived from its name.
import { createHash } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Resolves with the file's path. `viewers`: scopes by viewer name. `access`: of some of them. */
export async function writeKeys(
  folder: string,
  viewers: Record<string, readonly string[]>,
  access: Record<string, object> = {},
): Promise<string> {
  const entries = Object.entries(viewers).map(([name, scopes]) => {
    return { name, sha256: sha256Of(keyOf(name)), scopes, access: access[name] };
  });
  const file = join(folder, "keys.json");
  // At once, so that a gateway that watches it reads no part of it.
  await writeFile(`${file}.new`, JSON.stringify(entries));
  await rename(`${file}.new`, file);
  return file;
}

export const keyOf = (name: string): string => `key-of-${name}`;
export const bearer = (name: string): string => `Bearer ${keyOf(name)}`;
export const sha256Of = (key: string): string => createHash("sha256").update(key).digest("hex");
