// TRUSTED_DOCUMENTS: a manifest of hash → document, as code generators write it. Where it is set, nothing else is executed,
// whatever transport it comes by.
import { readFile } from "node:fs/promises";
import type { GraphQLSchema } from "graphql";
import { z } from "zod";
import { ConfigError } from "../../config/configError.ts";
import { createDocumentCache } from "./documentCache.ts";
import { LIMITS } from "./documentLimits.ts";
import type { OperationRequest } from "../operationParams.ts";
import { createGraphqlErrors } from "../graphqlErrors.ts";

/** The request with the document that it names; null where it names none of the manifest, or brings another with it. */
export type FindTrusted = (request: OperationRequest) => OperationRequest | null;

const manifest = z.record(z.string().min(1), z.string().min(1));

/** What its documents must fit. */
export interface TrustedBy {
  schema: GraphQLSchema;
  introspection: boolean;
}

const MOST_PROBLEMS = 20;
const LONGEST_NAME = 80;

/** Throws ConfigError, which names documents by their hash, and repeats nothing else of the file. */
export async function readTrustedDocuments(file: string, by: TrustedBy): Promise<FindTrusted> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`TRUSTED_DOCUMENTS cannot be read (${error.code ?? "unknown cause"})`]);
  });
  const parsed = manifest.safeParse(jsonOrUndefined(text));
  if (!parsed.success) throw new ConfigError(["TRUSTED_DOCUMENTS is not an object of hash → document"]);
  const problems = problemsOf(parsed.data, by);
  const more = problems.splice(MOST_PROBLEMS).length;
  if (more > 0) problems.push(`TRUSTED_DOCUMENTS has ${more} more documents that cannot run`);
  if (problems.length > 0) throw new ConfigError(problems);
  return createTrustedDocuments(parsed.data);
}

/** A document that no request could run is better known at the start than by whoever asks for it. */
function problemsOf(documents: Readonly<Record<string, string>>, { schema, introspection }: TrustedBy): string[] {
  const protocolErrors = createGraphqlErrors(new Set(Object.keys(schema.getTypeMap())));
  const { check } = createDocumentCache({ schema, introspection, maxTokens: LIMITS.trustedTokens, protocolErrors });
  return Object.entries(documents).flatMap(([hash, text]) => {
    const checked = check(text);
    if (!("errors" in checked)) return [];
    const [error] = checked.errors;
    const place = error?.locations?.[0];
    const where = place ? ` (${place.line}:${place.column})` : "";
    return `TRUSTED_DOCUMENTS: ${nameOf(hash)} cannot run${where}: ${error?.message}`;
  });
}

/** On one line, whatever somebody called it. */
function nameOf(hash: string): string {
  return JSON.stringify(hash.length > LONGEST_NAME ? `${hash.slice(0, LONGEST_NAME)}…` : hash);
}

export function createTrustedDocuments(documents: Readonly<Record<string, string>>): FindTrusted {
  const byHash = new Map(Object.entries(documents));
  const texts = new Set(byHash.values());
  return (request) => {
    const hash = hashOf(request);
    // A client that knows no hashes may send a document of the manifest as it stands there.
    const text = hash === undefined ? request.query : byHash.get(hash);
    if (typeof text !== "string" || !texts.has(text)) return null;
    const brings = request.query == null || request.query === "" ? text : request.query;
    return brings === text ? { ...request, query: text } : null;
  };
}

/** As `documentId`, or as `extensions.persistedQuery`, a hash or an object with one. */
function hashOf({ documentId, extensions }: OperationRequest): string | undefined {
  const persisted = memberOf(extensions, "persistedQuery");
  const given = [documentId, persisted, memberOf(persisted, "sha256Hash")].find((hash) => typeof hash === "string");
  return given?.replace(/^sha(1|256):/, "");
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
