// Reads API_KEYS_FILE and creates new keys. The file holds only SHA-256 digests: nobody can authenticate with its content.
import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { readListFile } from "./listFile.ts";
import { isViewerName, scopes } from "./scopes.ts";
import { isPlainWord } from "./settingRules.ts";
import { policyFields } from "./viewerPolicy.ts";

const apiKeys = z
  .array(
    z.strictObject({
      name: z.string().refine(isViewerName, "must have 1 to 255 characters, and no control characters"),
      sha256: z.string().regex(/^[0-9a-fA-F]{64}$/, "must be the SHA-256 digest of the key: 64 hexadecimal digits"),
      scopes: z.array(z.enum(scopes, { error: scopeRule })),
      ...policyFields,
    }),
  )
  .min(1)
  .superRefine((keys, context) => {
    refuseRepeated(
      keys.map(({ name }) => name),
      "name",
      context,
    );
    refuseRepeated(
      keys.map(({ sha256 }) => sha256.toLowerCase()),
      "sha256",
      context,
    );
  });

export type ApiKey = z.output<typeof apiKeys>[number];

function scopeRule({ input }: { input?: unknown }): string {
  if (typeof input !== "string") return "must be a text";
  return isPlainWord(input) ? `unknown scope ${input}` : "unknown scope";
}

function refuseRepeated(values: readonly string[], member: string, context: z.RefinementCtx): void {
  const places = new Map<string, number>();
  for (const [at, value] of values.entries()) {
    const first = places.get(value);
    if (first === undefined) places.set(value, at);
    else context.addIssue({ code: "custom", path: [at, member], message: `is that of entry ${first + 1}, too` });
  }
}

/** Throws as readListFile does. */
export const readApiKeys = (file: string): Promise<ApiKey[]> =>
  readListFile(file, apiKeys, (entry) => ("name" in entry ? entry.name : undefined));

/** Returns the key, which is shown once, and its entry for the file. */
export function createApiKey(name: string, granted: ApiKey["scopes"]): { key: string; entry: ApiKey } {
  const key = `swb_${randomBytes(32).toString("base64url")}`;
  return { key, entry: { name, sha256: createHash("sha256").update(key).digest("hex"), scopes: granted } };
}
