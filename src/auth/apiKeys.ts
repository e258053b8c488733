// Reads API_KEYS_FILE and creates new keys. The file holds only SHA-256 digests: nobody can authenticate with its content.
import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { isViewerName, scopes } from "./scopes.ts";

const apiKeys = z
  .array(
    z.strictObject({
      name: z.string().refine(isViewerName),
      sha256: z.string().regex(/^[0-9a-fA-F]{64}$/),
      scopes: z.array(z.enum(scopes)),
    }),
  )
  .min(1, "it is empty")
  .refine((keys) => new Set(keys.map((key) => key.name)).size === keys.length, "two keys have the same name")
  .refine((keys) => new Set(keys.map((key) => key.sha256.toLowerCase())).size === keys.length, "a key occurs twice");

const LIST_RULE = "its entries must be in [ ], separated by commas, even a single one";

export type ApiKey = z.output<typeof apiKeys>[number];

/** Throws an Error whose message says where the file is wrong, and quotes nothing of its content. */
export async function readApiKeys(file: string): Promise<ApiKey[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot be read (${error.code ?? "unknown cause"})`);
  });
  const content = parseJson(text);
  if (!Array.isArray(content)) throw new Error(`is not a list: ${LIST_RULE}`);
  const parsed = apiKeys.safeParse(content);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map((issue) => issue.path.join(".") || `the list (${issue.message})`);
  throw new Error(`is not a list of { name, sha256, scopes }: see ${[...new Set(places)].slice(0, 5).join(", ")}`);
}

/** Returns the key, which is shown once, and its entry for the file. */
export function createApiKey(name: string, granted: ApiKey["scopes"]): { key: string; entry: ApiKey } {
  const key = `swb_${randomBytes(32).toString("base64url")}`;
  return { key, entry: { name, sha256: createHash("sha256").update(key).digest("hex"), scopes: granted } };
}

/** JSON.parse's own message would quote the file. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`is not JSON: ${LIST_RULE}`);
  }
}
