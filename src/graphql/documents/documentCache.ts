// Parses, measures and validates documents, and caches the outcome: clients send the same few documents again and again.
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from "graphql";
import { createBoundedCache } from "../../util/boundedCache.ts";
import type { GraphqlErrors } from "../graphqlErrors.ts";
import { DOCUMENT_LIMITS, findExcess, hasTooManyLinesOrEscapes } from "./documentLimits.ts";
import { canSuggestFor } from "./suggestions.ts";

const TOO_LONG = `Document has more than ${DOCUMENT_LIMITS.length.toLocaleString("en")} characters.`;

export type CheckedDocument = { document: DocumentNode } | { errors: readonly GraphQLError[] };

export interface DocumentCache {
  check(source: string): CheckedDocument;
  /** Whether the document is cached as valid, so that `check` costs nothing. */
  isAccepted(source: string): boolean;
  /** Removes all documents, and with them what other caches keep by document: a literal may be a phone number. */
  forget(): void;
}

export interface DocumentCacheDeps {
  schema: GraphQLSchema;
  introspection: boolean;
  maxTokens: number;
  protocolErrors: GraphqlErrors;
}

const CACHE_LIMITS = {
  maxEntries: 1000,
  /** Characters. A parsed document takes about 50 bytes of memory for each. */
  maxSize: 1024 * 1024,
};
/** Characters. A longer document, such as one with a megabyte of comments, would evict too many others. */
const MAX_CACHED_LENGTH = 16_384;

export function createDocumentCache({
  schema,
  introspection,
  maxTokens,
  protocolErrors,
}: DocumentCacheDeps): DocumentCache {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  // Two caches, so that a flood of refused documents evicts no valid one.
  const accepted = createBoundedCache<string, CheckedDocument>(CACHE_LIMITS);
  const refused = createBoundedCache<string, CheckedDocument>(CACHE_LIMITS);

  function checkNew(source: string): CheckedDocument {
    try {
      if (source.length > DOCUMENT_LIMITS.length) throw new GraphQLError(`Syntax Error: ${TOO_LONG}`);
      if (hasTooManyLinesOrEscapes(source))
        throw new GraphQLError("Syntax Error: Document has too many lines and escapes.");
      const document = parse(source, { maxTokens });
      const excess = findExcess(document);
      if (excess) return { errors: [protocolErrors.tooComplex(excess)] };
      const maxErrors = DOCUMENT_LIMITS.errors;
      const hideSuggestions = !introspection || !canSuggestFor(source);
      const errors = validate(schema, document, rules, { maxErrors, hideSuggestions });
      // Beyond the limit graphql-js adds an error that says so.
      const reported = errors.slice(0, maxErrors).map(protocolErrors.validationFailed);
      return reported.length > 0 ? { errors: reported } : { document };
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [protocolErrors.parseFailed(error)] };
      throw error;
    }
  }

  return {
    isAccepted: (source) => accepted.has(source),
    forget() {
      accepted.clear();
      refused.clear();
    },
    check(source) {
      const cached = accepted.get(source) ?? refused.get(source);
      if (cached) return cached;
      const checked = checkNew(source);
      if (source.length > MAX_CACHED_LENGTH) return checked;
      const cache = "errors" in checked ? refused : accepted;
      cache.set(source, checked, source.length);
      return checked;
    },
  };
}
