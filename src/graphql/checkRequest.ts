// The checks of a request up to coerced variables: trusted document, parameters, document, limits of variables, coercion.
import {
  GraphQLError,
  validateExecutionArgs,
  type DocumentNode,
  type GraphQLSchema,
  type ValidatedExecutionArgs,
} from "graphql";
import type { FailureLimit } from "../auth/failureLimit.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { DocumentCache } from "./documents/documentCache.ts";
import { DOCUMENT_LIMITS, NAME_TOO_LONG } from "./documents/documentLimits.ts";
import type { FindTrusted } from "./documents/trustedDocuments.ts";
import { canSuggestIn } from "./documents/suggestions.ts";
import { extractLongLists, hasTooManyMembers, TOO_MANY_MEMBERS, type LongList } from "./documents/variableLimits.ts";
import type { GraphqlErrors } from "./graphqlErrors.ts";
import { findMalformed, hasOnlyDocumentId, type OperationRequest } from "./operationParams.ts";
import { createCoercionCache } from "./policy/coercionCache.ts";
import { releaseOf } from "../util/bodies/bodyTurn.ts";

export interface CheckedRequest {
  document: DocumentNode;
  /** The operation with its coerced variables. */
  operation: ValidatedExecutionArgs;
  /** Lists to be coerced before the operation runs; they are empty in the variables. */
  longLists: readonly LongList[];
}

export interface RefusedRequest {
  errors: readonly GraphQLError[];
  /** Whether the refusal counts towards the viewer's failure limit. */
  countsAsFailure: boolean;
}

export interface RequestCheckDeps {
  schema: GraphQLSchema;
  introspection: boolean;
  documents: DocumentCache;
  /** Null: any document may run. */
  findTrusted: FindTrusted | null;
  failureLimit: Pick<FailureLimit, "check">;
  protocolErrors: GraphqlErrors;
}

export type CheckRequest = (request: OperationRequest, viewer: Viewer) => CheckedRequest | RefusedRequest;

export function createRequestCheck(deps: RequestCheckDeps): CheckRequest {
  const { schema, introspection, documents, findTrusted, failureLimit, protocolErrors } = deps;
  const coerce = createCoercionCache((document, operationName, variableValues) => {
    if (hasTooManyMembers(schema, document, variableValues)) return [new GraphQLError(TOO_MANY_MEMBERS)];
    const options = { maxCoercionErrors: DOCUMENT_LIMITS.errors };
    const hideSuggestions = !introspection || !canSuggestIn(variableValues);
    return validateExecutionArgs({ schema, document, variableValues, operationName, hideSuggestions, options });
  });

  return (untrusted, viewer) => {
    const request = findTrusted ? findTrusted(untrusted) : untrusted;
    if (!request) return refused(protocolErrors.notTrusted());
    // Clients ask it once whether the gateway keeps persisted queries. It costs nothing, so it is no failure of the viewer.
    if (!findTrusted && hasOnlyDocumentId(request))
      return { errors: [protocolErrors.persistedQueryNotSupported()], countsAsFailure: false };
    // The parser of large bodies has checked every text.
    const malformed = findMalformed(request, { isUnicode: releaseOf(untrusted) !== undefined });
    if (malformed) return refused(protocolErrors.malformed(malformed));
    // Clients without a name send "" too; graphql-js takes it for a name.
    const operationName = (request.operationName || null) as string | null;
    if (operationName !== null && operationName.length > DOCUMENT_LIMITS.nameLength)
      return refused(protocolErrors.tooComplex(NAME_TOO_LONG));
    const source = request.query as string;
    // No new document is parsed for a viewer who was refused too often. Known valid documents cost nothing and still run.
    const rateLimited = documents.isAccepted(source) ? null : failureLimit.check(viewer.name);
    if (rateLimited) return { errors: [protocolErrors.rateLimited(rateLimited)], countsAsFailure: false };
    const checked = documents.check(source);
    if ("errors" in checked) return refused(...checked.errors);
    const { document } = checked;
    const all = (request.variables ?? {}) as Record<string, unknown>;
    const { variables, longLists, excess } = extractLongLists(schema, document, operationName, all);
    if (excess) return refused(protocolErrors.tooComplex(excess));
    const coerced = coerce(document, operationName, variables);
    if ("operation" in coerced) return { document, operation: coerced, longLists };
    return refused(...coerced.slice(0, DOCUMENT_LIMITS.errors).map(protocolErrors.inputRefused));
  };
}

const refused = (...errors: GraphQLError[]): RefusedRequest => ({ errors, countsAsFailure: true });
