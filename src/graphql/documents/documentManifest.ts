// Reads the file of TRUSTED_DOCUMENTS: a manifest as graphql-codegen, Relay, gql.tada or Apollo writes it.
import { z } from "zod";

export interface ManifestEntry {
  /** As it stands in the file. */
  id: string;
  text: string;
}

const text = z.string().min(1);

/** graphql-codegen's persistedDocuments, Relay's persistConfig.file and gql.tada's generate-persisted. */
const plainSchema = z
  .record(text, text)
  .transform((documents): ManifestEntry[] => Object.entries(documents).map(([id, body]) => ({ id, text: body })));

/** @apollo/generate-persisted-query-manifest. */
const apolloSchema = z
  .object({
    format: z.literal("apollo-persisted-query-manifest"),
    version: z.literal(1),
    operations: z.array(z.object({ id: text, body: text })),
  })
  .transform(({ operations }): ManifestEntry[] => operations.map(({ id, body }) => ({ id, text: body })));

const manifestSchema = z.union([apolloSchema, plainSchema]);

const EXPECTED =
  "is no manifest: expected a JSON object of id → document, as graphql-codegen, Relay and gql.tada write it, " +
  'or Apollo\'s { "format": "apollo-persisted-query-manifest", "version": 1, "operations": [{ "id", "body" }] }';

/** The entries of a manifest, or what is wrong with it, as the end of a sentence that quotes nothing of the file. */
export function parseManifest(json: string): ManifestEntry[] | string {
  const parsed = manifestSchema.safeParse(jsonOrUndefined(json));
  return parsed.success ? parsed.data : EXPECTED;
}

/** The ID without the name of its hash algorithm, which some generators write and some clients send. */
export function withoutAlgorithm(id: string): string {
  return id.replace(/^(?:md5|sha1|sha256):/, "");
}

function jsonOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
