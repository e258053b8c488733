// Document text → a document that was parsed, measured and validated, or the errors it is refused with. Remembered, for
// clients send the same few documents.
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
import { findExcess, isLaborious, LIMITS } from "./documentLimits.ts";
import type { GraphqlErrors } from "../graphqlErrors.ts";

const TOO_LONG = `Document has more than ${LIMITS.characters.toLocaleString("en")} characters.`;

export type CheckedDocument = { document: DocumentNode } | { errors: readonly GraphQLError[] };

export interface DocumentCache {
  check(source: string): CheckedDocument;
  /** Whether it was found right before, so that nothing is left to do. */
  isAccepted(source: string): boolean;
  /** Forgets all documents, and with them whatever is remembered of them: a text of theirs may be somebody's number. */
  forget(): void;
}

export interface DocumentCacheDeps {
  schema: GraphQLSchema;
  introspection: boolean;
  maxTokens: number;
  protocolErrors: GraphqlErrors;
}

const DOCUMENTS_KEPT = 1000;
/** Characters: a body may be a megabyte of comments, and a thousand of those are no cache. */
const LONGEST_KEPT = 16_384;
/** Characters of all together: a parsed document takes some fifty bytes for each of its own. */
const KEPT_SIZE = 1024 * 1024;

export function createDocumentCache({
  schema,
  introspection,
  maxTokens,
  protocolErrors,
}: DocumentCacheDeps): DocumentCache {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  // Apart, so that a storm of refused documents does not drive out those that are asked for.
  const bounds = { most: DOCUMENTS_KEPT, mostSize: KEPT_SIZE };
  const accepted = createBoundedCache<CheckedDocument>(bounds);
  const refused = createBoundedCache<CheckedDocument>(bounds);

  function checkAnew(source: string): CheckedDocument {
    try {
      if (source.length > LIMITS.characters) throw new GraphQLError(`Syntax Error: ${TOO_LONG}`);
      if (isLaborious(source)) throw new GraphQLError("Syntax Error: Document has too many lines and escapes.");
      const document = parse(source, { maxTokens });
      const excess = findExcess(document);
      if (excess) return { errors: [protocolErrors.tooComplex(excess)] };
      const errors = validate(schema, document, rules, { maxErrors: LIMITS.errors, hideSuggestions: true });
      const told = errors.slice(0, LIMITS.errors).map(protocolErrors.validationFailed);
      return told.length > 0 ? { errors: told } : { document };
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
      const before = accepted.get(source) ?? refused.get(source);
      if (before) return before;
      const checked = checkAnew(source);
      if (source.length > LONGEST_KEPT) return checked;
      const known = "errors" in checked ? refused : accepted;
      known.set(source, checked, source.length);
      return checked;
    },
  };
}
