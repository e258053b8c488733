// The keys of API_KEYS_FILE. The file holds digests only: who reads it can let nobody in.
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
  .refine((keys) => new Set(keys.map((key) => key.name)).size === keys.length, "two keys have one name")
  .refine((keys) => new Set(keys.map((key) => key.sha256.toLowerCase())).size === keys.length, "a key stands twice");

const LIST = "its entries stand in [ ], with a comma between two, also where there is one";

export type ApiKey = z.output<typeof apiKeys>[number];

/** Throws an Error whose message says where the file is wrong, and holds nothing of its content. */
export async function readApiKeys(file: string): Promise<ApiKey[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`cannot be read (${error.code ?? "unknown cause"})`);
  });
  const content = jsonOf(text);
  if (!Array.isArray(content)) throw new Error(`is not a list: ${LIST}`);
  const parsed = apiKeys.safeParse(content);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map((issue) => issue.path.join(".") || `the list (${issue.message})`);
  throw new Error(`is not a list of { name, sha256, scopes }: see ${[...new Set(places)].slice(0, 5).join(", ")}`);
}

/** The key, shown once, and the entry that lets it in. */
export function createApiKey(name: string, granted: ApiKey["scopes"]): { key: string; entry: ApiKey } {
  const key = `swb_${randomBytes(32).toString("base64url")}`;
  return { key, entry: { name, sha256: createHash("sha256").update(key).digest("hex"), scopes: granted } };
}

/** The parser's own message would quote the file. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`is not JSON: ${LIST}`);
  }
}
