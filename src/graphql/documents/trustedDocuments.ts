// TRUSTED_DOCUMENTS: a manifest of hash → document, as code generators write it. If it is set, every transport runs only the
// documents of the manifest.
import { readFile } from "node:fs/promises";
import type { GraphQLSchema } from "graphql";
import { z } from "zod";
import { ConfigError } from "../../config/readVariables.ts";
import { createGraphqlErrors } from "../graphqlErrors.ts";
import type { OperationRequest } from "../operationParams.ts";
import { createDocumentCache } from "./documentCache.ts";
import { DOCUMENT_LIMITS } from "./documentLimits.ts";

/** Returns the request with its document; null if it names none of the manifest, or also sends a different one. */
export type FindTrusted = (request: OperationRequest) => OperationRequest | null;

const manifestSchema = z.record(z.string().min(1), z.string().min(1));

/** What the documents of the manifest are validated against. */
export interface TrustedDocumentsDeps {
  schema: GraphQLSchema;
  introspection: boolean;
}

const MAX_PROBLEMS = 20;
/** Characters of a hash that an error quotes. */
const MAX_QUOTED_LENGTH = 80;

/** Throws a ConfigError. It names documents by their hash and quotes nothing else of the file. */
export async function readTrustedDocuments(file: string, deps: TrustedDocumentsDeps): Promise<FindTrusted> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`TRUSTED_DOCUMENTS cannot be read (${error.code ?? "unknown cause"})`]);
  });
  const parsed = manifestSchema.safeParse(jsonOrUndefined(text));
  if (!parsed.success) throw new ConfigError(["TRUSTED_DOCUMENTS is not an object of hash → document"]);
  const problems = problemsOf(parsed.data, deps);
  const more = problems.splice(MAX_PROBLEMS).length;
  if (more > 0) problems.push(`TRUSTED_DOCUMENTS has ${more} more documents that cannot run`);
  if (problems.length > 0) throw new ConfigError(problems);
  return createTrustedDocuments(parsed.data);
}

/** Finds invalid documents when the gateway starts, before a client asks for one. */
function problemsOf(
  documents: Readonly<Record<string, string>>,
  { schema, introspection }: TrustedDocumentsDeps,
): string[] {
  const protocolErrors = createGraphqlErrors(new Set(Object.keys(schema.getTypeMap())));
  const maxTokens = DOCUMENT_LIMITS.trustedTokens;
  const { check } = createDocumentCache({ schema, introspection, maxTokens, protocolErrors });
  return Object.entries(documents).flatMap(([hash, text]) => {
    const checked = check(text);
    if (!("errors" in checked)) return [];
    const [error] = checked.errors;
    const location = error?.locations?.[0];
    const where = location ? ` (${location.line}:${location.column})` : "";
    return `TRUSTED_DOCUMENTS: ${quoted(hash)} cannot run${where}: ${error?.message}`;
  });
}

/** On one line, whatever characters it has. */
function quoted(hash: string): string {
  return JSON.stringify(hash.length > MAX_QUOTED_LENGTH ? `${hash.slice(0, MAX_QUOTED_LENGTH)}…` : hash);
}

export function createTrustedDocuments(documents: Readonly<Record<string, string>>): FindTrusted {
  const byHash = new Map(Object.entries(documents));
  const texts = new Set(byHash.values());
  return (request) => {
    const hash = hashOf(request);
    // A client that knows no hash may send the text of a document of the manifest.
    const text = hash === undefined ? request.query : byHash.get(hash);
    if (typeof text !== "string" || !texts.has(text)) return null;
    const sent = request.query == null || request.query === "" ? text : request.query;
    return sent === text ? { ...request, query: text } : null;
  };
}

/** Reads `documentId`, or `extensions.persistedQuery`, which is a hash or an object with `sha256Hash`. */
function hashOf({ documentId, extensions }: OperationRequest): string | undefined {
  const persisted = memberOf(extensions, "persistedQuery");
  const hash = [documentId, persisted, memberOf(persisted, "sha256Hash")].find((each) => typeof each === "string");
  return hash?.replace(/^sha(1|256):/, "");
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
