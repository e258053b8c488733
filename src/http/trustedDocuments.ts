// TRUSTED_DOCUMENTS: a manifest of hash → document, as code generators write it. Where it is set, nothing else is executed,
// whatever transport it comes by.
import { readFile } from "node:fs/promises";
import { z } from "zod";
import { ConfigError } from "../configError.ts";
import type { OperationRequest } from "./params.ts";

/** The request with the document that it names; null where it names none of the manifest, or brings another with it. */
export type FindTrusted = (request: OperationRequest) => OperationRequest | null;

const manifest = z.record(z.string().min(1), z.string().min(1));

/** Throws ConfigError, without a word of the file. */
export async function readTrustedDocuments(file: string): Promise<FindTrusted> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError([`TRUSTED_DOCUMENTS cannot be read (${error.code ?? "unknown cause"})`]);
  });
  const parsed = manifest.safeParse(jsonOrUndefined(text));
  if (!parsed.success) throw new ConfigError(["TRUSTED_DOCUMENTS is not an object of hash → document"]);
  return createTrustedDocuments(parsed.data);
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
