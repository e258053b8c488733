// Reads the file of TRUSTED_DOCUMENTS: a manifest as graphql-codegen, Relay, gql.tada or Apollo writes it.
import { z } from "zod";

export interface ManifestEntry {
  /** As it stands in the file. */
  id: string;
  text: string;
}

const text = z.string("must be a text").min(1, "must not be empty");

/** graphql-codegen's persistedDocuments, Relay's persistConfig.file and gql.tada's generate-persisted. */
const plainSchema = z
  .record(text, text, { error: ({ code }) => (code === "invalid_key" ? "must have an ID" : undefined) })
  .transform((documents): ManifestEntry[] => Object.entries(documents).map(([id, body]) => ({ id, text: body })));

/** @apollo/generate-persisted-query-manifest. */
const apolloSchema = z
  .object({
    format: z.literal("apollo-persisted-query-manifest"),
    version: z.literal(1),
    operations: z.array(z.object({ id: text, body: text }, "must be an object")),
  })
  .transform(({ operations }): ManifestEntry[] => operations.map(({ id, body }) => ({ id, text: body })));

/** What a file that is no manifest should be. */
export const MANIFEST_RULE =
  "expected a JSON object of id → document, as graphql-codegen, Relay and gql.tada write it, " +
  'or Apollo\'s { "format": "apollo-persisted-query-manifest", "version": 1, "operations": [{ "id", "body" }] }';

/** The entries of a manifest, or what is wrong with it, as the end of a sentence that quotes nothing of the file but an ID. */
export function parseManifest(content: unknown): ManifestEntry[] | string {
  const isApollo = typeof content === "object" && content !== null && "operations" in content;
  const parsed = (isApollo ? apolloSchema : plainSchema).safeParse(content);
  if (parsed.success) return parsed.data;
  const [{ path, message }] = parsed.error.issues as [z.core.$ZodIssue];
  const place = isApollo ? placeOfOperation(path) : path.map((id) => `the document ${quoteId(String(id))}`).join();
  return `is no manifest${place && ` (${place} ${message})`}: ${MANIFEST_RULE}`;
}

/** Empty: the whole file is another one. */
function placeOfOperation([list, at, member]: readonly PropertyKey[]): string {
  if (list !== "operations" || typeof at !== "number") return "";
  return member === undefined ? `operation ${at + 1}` : `${String(member)} of operation ${at + 1}`;
}

/** Characters of an ID that an error quotes. */
const MAX_QUOTED_LENGTH = 80;

/** On one line, whatever characters it has. */
export function quoteId(id: string): string {
  return JSON.stringify(id.length > MAX_QUOTED_LENGTH ? `${id.slice(0, MAX_QUOTED_LENGTH)}…` : id);
}

/** The ID without the name of its hash algorithm, which some generators write and some clients send. */
export function withoutAlgorithm(id: string): string {
  return id.replace(/^(?:md5|sha1|sha256):/, "");
}
