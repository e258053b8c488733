// TRUSTED_DOCUMENTS: manifests of documents and their IDs, as code generators write them. If it is set, every transport runs
// only the documents of the manifests.
import type { GraphQLSchema } from "graphql";
import { ConfigError } from "../../config/readVariables.ts";
import { FinalError } from "../../util/start/finalError.ts";
import { readJsonFile } from "../../util/textFile.ts";
import { createGraphqlErrors } from "../graphqlErrors.ts";
import { namesOf } from "../publicMessages.ts";
import { documentIdOf, type OperationRequest } from "../operationParams.ts";
import { createDocumentCache } from "./documentCache.ts";
import { DOCUMENT_LIMITS } from "./documentLimits.ts";
import { MANIFEST_RULE, parseManifest, quoteId, withoutAlgorithm, type ManifestEntry } from "./documentManifest.ts";

/** Returns the request with its document; null if it names none of the manifest, or also sends a different one. */
export type FindTrusted = (request: OperationRequest) => OperationRequest | null;

/** What the documents of the manifest are validated against. */
export interface TrustedDocumentsDeps {
  schema: GraphQLSchema;
  introspection: boolean;
}

const MAX_PROBLEMS = 20;

/**
 * Throws a ConfigError, and an Error of one line while a file cannot be read. They name documents by their ID and quote nothing else of
 * the files.
 */
export async function readTrustedDocuments(files: readonly string[], deps: TrustedDocumentsDeps): Promise<FindTrusted> {
  const manifests = await Promise.all(
    files.map((file, at) =>
      readManifest(file, files.length > 1 ? `TRUSTED_DOCUMENTS: file ${at + 1}` : "TRUSTED_DOCUMENTS"),
    ),
  );
  const entries = manifests.flat();
  const problems = [...ambiguousIds(entries), ...problemsOf(entries, deps)];
  const more = problems.splice(MAX_PROBLEMS).length;
  if (more > 0) problems.push(`TRUSTED_DOCUMENTS has ${more} more documents that cannot run`);
  if (problems.length > 0) throw new ConfigError(problems);
  return createTrustedDocuments(entries);
}

/** `name`: the start of the sentence that says what is wrong. */
async function readManifest(file: string, name: string): Promise<ManifestEntry[]> {
  const content = await readJsonFile(file, MANIFEST_RULE).catch((error: Error) => {
    const text = `${name} ${error.message}`;
    throw error instanceof FinalError ? new ConfigError([text]) : new Error(text, { cause: error });
  });
  const entries = parseManifest(content);
  if (typeof entries === "string") throw new ConfigError([`${name} ${entries}`]);
  return entries;
}

/** An ID with two documents, such as `sha256:x` and `x`: a request that names it could mean either. */
function ambiguousIds(entries: readonly ManifestEntry[]): string[] {
  const texts = new Map<string, string>();
  return entries.flatMap(({ id, text }) => {
    const key = withoutAlgorithm(id);
    const isOther = (texts.get(key) ?? text) !== text;
    texts.set(key, text);
    return isOther ? `TRUSTED_DOCUMENTS: ${quoteId(id)} stands for two different documents` : [];
  });
}

/** Finds invalid documents when the gateway starts, before a client asks for one. */
function problemsOf(entries: readonly ManifestEntry[], { schema, introspection }: TrustedDocumentsDeps): string[] {
  const protocolErrors = createGraphqlErrors(namesOf(schema), false);
  const maxTokens = DOCUMENT_LIMITS.trustedTokens;
  const { check } = createDocumentCache({ schema, introspection, maxTokens, protocolErrors });
  return entries.flatMap(({ id, text }) => {
    const checked = check(text);
    if (!("errors" in checked)) return [];
    const [error] = checked.errors;
    const location = error?.locations?.[0];
    const where = location ? ` (${location.line}:${location.column})` : "";
    return `TRUSTED_DOCUMENTS: ${quoteId(id)} cannot run${where}: ${error?.message}`;
  });
}

export function createTrustedDocuments(entries: readonly ManifestEntry[]): FindTrusted {
  const byId = new Map(entries.map(({ id, text }) => [withoutAlgorithm(id), text]));
  const texts = new Set(byId.values());
  return (request) => {
    const id = documentIdOf(request);
    // A client that knows no ID may send the text of a document of the manifest.
    const text = id === undefined ? request.query : byId.get(withoutAlgorithm(id));
    if (typeof text !== "string" || !texts.has(text)) return null;
    const sent = request.query == null || request.query === "" ? text : request.query;
    return sent === text ? { ...request, query: text } : null;
  };
}
