// Reads API_KEYS_FILE and creates new keys. The file holds only SHA-256 digests: nobody can authenticate with its content.
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { readListFile } from "./listFile.ts";
import { isViewerName, scopes } from "./scopes.ts";
import { policyFields } from "./viewerPolicy.ts";

const apiKeys = z
  .array(
    z.strictObject({
      name: z.string().refine(isViewerName),
      sha256: z.string().regex(/^[0-9a-fA-F]{64}$/),
      scopes: z.array(z.enum(scopes)),
      ...policyFields,
    }),
  )
  .min(1, "it is empty")
  .refine((keys) => new Set(keys.map((key) => key.name)).size === keys.length, "two keys have the same name")
  .refine((keys) => new Set(keys.map((key) => key.sha256.toLowerCase())).size === keys.length, "a key occurs twice");

export type ApiKey = z.output<typeof apiKeys>[number];

/** Throws as readListFile does. */
export const readApiKeys = (file: string): Promise<ApiKey[]> =>
  readListFile(file, apiKeys, "{ name, sha256, scopes, limits?, access? }");

/** Returns the key, which is shown once, and its entry for the file. */
export function createApiKey(name: string, granted: ApiKey["scopes"]): { key: string; entry: ApiKey } {
  const key = `swb_${randomBytes(32).toString("base64url")}`;
  return { key, entry: { name, sha256: createHash("sha256").update(key).digest("hex"), scopes: granted } };
}
