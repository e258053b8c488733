// The operation that reads an event for a destination of the kind `event`, and its check when the file is read.
import { parse, validateExecutionArgs, type GraphQLSchema } from "graphql";
import type { Scope } from "../auth/scopes.ts";
import type { ShownFields } from "../destinations/eventDeliverer.ts";
import type { FindTrusted } from "../graphql/documents/trustedDocuments.ts";
import { findDenied } from "../graphql/policy/authorize.ts";
import { costOf } from "../graphql/policy/cost.ts";
import { nodeId } from "../resolvers/nodeId.ts";

/** Fields that ask nothing of the service. `task`, `callLog` and `recording` can be selected. */
const WHOLE_EVENT = `id cursor sessionId source receivedAt revision eventName direction caller callee startAt answerAt endAt duration
  billsec answered ringTime hangupSide hungUpBy hangupReason taskId taskItemId assistants { assistantId versionId } unread { field text }`;
/** Those that need a scope of their own. */
const SCOPED = { extra: "people:read", recordUrl: "recordings:read" } as const;

export function sourceOf({ selection, scopes }: Pick<ShownFields, "selection" | "scopes">): string {
  const scoped = Object.entries(SCOPED).flatMap(([field, scope]) => (scopes.includes(scope) ? field : []));
  const fields = selection ?? `${WHOLE_EVENT} ${scoped.join(" ")}`;
  return `query Destination($id: ID!) { node(id: $id) { ... on CallEnded { ${fields} } } }`;
}

export interface DocumentRules {
  schema: GraphQLSchema;
  /** Null: TRUSTED_DOCUMENTS is not set. */
  findTrusted: FindTrusted | null;
  queryBudget: number;
  logBudget: number;
}

/** What is wrong with a document of TRUSTED_DOCUMENTS for a destination, as the end of a sentence. */
export function documentFault(documentId: string, held: readonly string[], rules: DocumentRules): string | null {
  if (!rules.findTrusted) return "needs TRUSTED_DOCUMENTS";
  const found = rules.findTrusted({ documentId });
  return found ? sourceFault(String(found.query), held, rules) : "is no ID of TRUSTED_DOCUMENTS";
}

/** What would refuse this operation for every event. Null: nothing. */
export function sourceFault(
  source: string,
  held: readonly string[],
  { schema, queryBudget, logBudget }: Omit<DocumentRules, "findTrusted">,
): string | null {
  const document = parse(source);
  const variableValues = { id: nodeId("CallEnded", "1", "1") };
  const operation = validateExecutionArgs({ schema, document, variableValues, hideSuggestions: true });
  if (!("operation" in operation)) return "must have one operation, with no other variable to be given than $id: ID!";
  const { operation: definition } = operation;
  if (definition.operation !== "query") return "must be a query";
  if (!definition.variableDefinitions?.some(({ variable }) => variable.name.value === "id"))
    return "must have the variable $id: ID!";
  const scopes = new Set(held) as ReadonlySet<Scope>;
  const denied = findDenied(operation, { name: "", scopes, limits: null, access: null });
  if (denied) return `asks for ${denied.field}, which needs the scope ${denied.scope}`;
  const { requests, rows } = costOf(operation);
  if (requests > queryBudget) return `may need ${requests} requests to the service; QUERY_BUDGET is ${queryBudget}`;
  return rows > logBudget ? `may read ${rows} rows of the database; LOG_BUDGET is ${logBudget}` : null;
}
