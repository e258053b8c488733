// Finds the subscriptions that may share a group: those with the same document, operation, variables, scopes and access. If a result
// is for one viewer alone, such as the address of a recording, the viewer must be the same too.
import { hash } from "node:crypto";
import {
  isNamedType,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValidatedExecutionArgs,
} from "graphql";
import type { Viewer } from "../../auth/scopes.ts";
import type { StreamItem } from "../../events/eventLog.ts";
import { extensionsOf, type SchemaExtensions } from "../../schema/extensions.ts";
import { canonicalJson } from "../../util/canonicalJson.ts";

/** What a subscription shares. Each subscriber keeps one. */
export interface SharedRequest {
  /** A digest of the document, the operation's name and the variables, without the variable of `after`. */
  digest: string;
  shape: SubscriptionShape;
}

interface SubscriptionShape {
  logContent: NonNullable<SchemaExtensions["logContent"]>;
  /** Whether a result is for one viewer alone. */
  isOfViewer: boolean;
  /** The variable that is the argument `after` and is used nowhere else. */
  afterVariable: string | null;
}

/** Returns null if results depend on more than the position in the log, so that no group can serve the subscription. */
export type FindSharedRequest = (operation: ValidatedExecutionArgs) => SharedRequest | null;

/** Results are cached as long as the operation is. */
export function createFindSharedRequest(): FindSharedRequest {
  const shapes = new WeakMap<OperationDefinitionNode, { shape: SubscriptionShape | null }>();
  const requests = new WeakMap<ValidatedExecutionArgs, { request: SharedRequest | null }>();

  function findRequest({ schema, document, operation, variableValues }: ValidatedExecutionArgs): SharedRequest | null {
    const { shape } = shapes.getOrInsertComputed(operation, () => ({ shape: shapeOf(schema, document, operation) }));
    const text = document.loc?.source.body;
    if (!shape || text === undefined) return null;
    const variables = Object.entries(variableValues.coerced).filter(([name]) => name !== shape.afterVariable);
    const asked = canonicalJson([text, operation.name?.value ?? null, Object.fromEntries(variables)]);
    return { digest: hash("sha256", asked, "base64url"), shape };
  }
  return (operation) => requests.getOrInsertComputed(operation, () => ({ request: findRequest(operation) })).request;
}

/** Returns the same key for subscribers who may get the same results. */
export function groupKeyOf({ digest, shape }: SharedRequest, { name, tokenEndsAt, scopes, access }: Viewer): string {
  return canonicalJson([digest, [...scopes].toSorted(), access, shape.isOfViewer ? [name, tokenEndsAt ?? null] : null]);
}

/** Returns the viewer for a group's executions. If all scopes are alike but viewers differ, reading the name throws. */
export function groupViewer({ shape }: SharedRequest, viewer: Viewer): Viewer {
  return shape.isOfViewer ? viewer : withoutIdentity(viewer);
}

/** Returns the root value for an item of the log; undefined if the subscription has no result for it. */
export function rootValueOf({ shape }: SharedRequest, item: StreamItem): unknown {
  return shape.logContent === "items" ? item : "event" in item ? item.event : undefined;
}

function shapeOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): SubscriptionShape | null {
  const [root, ...more] = operation.selectionSet.selections;
  // Root fields with a directive or in a fragment are rare, so they are not shared.
  if (root?.kind !== "Field" || more.length > 0 || (root.directives?.length ?? 0) > 0) return null;
  const field = schema.getSubscriptionType()?.getFields()[root.name.value];
  const logContent = field && extensionsOf(field).logContent;
  if (!logContent) return null;
  return {
    logContent,
    isOfViewer: selectsViewerType(schema, document),
    afterVariable: afterVariableOf(root, document),
  };
}

function selectsViewerType(schema: GraphQLSchema, document: DocumentNode): boolean {
  let isFound = false;
  const types = new TypeInfo(schema);
  const check = () => {
    const type = types.getParentType();
    isFound ||= isNamedType(type) && extensionsOf(type).ofViewer === true;
  };
  visit(document, visitWithTypeInfo(types, { Field: check }));
  return isFound;
}

function afterVariableOf(root: FieldNode, document: DocumentNode): string | null {
  const after = root.arguments?.find(({ name }) => name.value === "after")?.value;
  if (after?.kind !== "Variable") return null;
  const { value: name } = after.name;
  let uses = 0;
  visit(document, {
    // A definition is not a use.
    VariableDefinition: () => false,
    Variable: (variable) => void (variable.name.value === name && (uses += 1)),
  });
  return uses === 1 ? name : null;
}

function withoutIdentity({ scopes, access }: Viewer): Viewer {
  const refuse = (): never => {
    throw new Error("A shared result depends on the viewer's identity: mark its type with ofViewer.");
  };
  return Object.defineProperties({ scopes, access } as Viewer, {
    name: { get: refuse },
    tokenEndsAt: { get: refuse },
  });
}
