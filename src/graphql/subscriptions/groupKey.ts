// Which subscriptions may be told one text: the same document, operation and variables, asked with the same scopes. Where
// a result is for one viewer alone (a recording's address is), so is the sharing.
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
import { canonicalJson } from "../../util/canonicalJson.ts";
import type { StreamItem } from "../../events/eventLog.ts";
import type { LogExtension } from "../../schema/builder.ts";

/** How a subscription is shared. Each subscriber keeps one: it is small. */
export interface GroupKey {
  /** A digest of what is asked, without the place from which each begins. */
  asked: string;
  shape: Shape;
}

interface Shape {
  tells: LogExtension["tellsLog"];
  isOfViewer: boolean;
  /** The variable that is the place, and nothing else. */
  placeVariable: string | null;
}

const shapes = new WeakMap<OperationDefinitionNode, Shape | null>();
const sharings = new WeakMap<ValidatedExecutionArgs, GroupKey | null>();

/** Null: each subscriber for itself, for not all that it is told comes of its place in the log. */
export function groupKeyOf(asked: ValidatedExecutionArgs): GroupKey | null {
  const known = sharings.get(asked);
  const sharing = known === undefined ? findSharing(asked) : known;
  sharings.set(asked, sharing);
  return sharing;
}

function findSharing({ schema, document, operation, variableValues }: ValidatedExecutionArgs): GroupKey | null {
  const known = shapes.get(operation);
  const shape = known === undefined ? shapeOf(schema, document, operation) : known;
  shapes.set(operation, shape);
  const text = document.loc?.source.body;
  if (!shape || text === undefined) return null;
  const others = Object.entries(variableValues.coerced).filter(([name]) => name !== shape.placeVariable);
  const asked = canonicalJson([text, operation.name?.value ?? null, Object.fromEntries(others)]);
  return { asked: hash("sha256", asked, "base64url"), shape };
}

/** Equal for those who may be told the same. */
export function sharingKey({ asked, shape }: GroupKey, { name, tokenEndsAt, scopes }: Viewer): string {
  return JSON.stringify([asked, [...scopes].toSorted(), shape.isOfViewer ? [name, tokenEndsAt ?? null] : null]);
}

/** What an execution may see of the viewer. What is shared by scopes cannot read a name: it fails, and tells no wrong one. */
export function shownOf({ shape }: GroupKey, viewer: Viewer): Viewer {
  return shape.isOfViewer ? viewer : nameless(viewer);
}

/** The root value of an item of the log; undefined where this field tells nothing of it. */
export function rootOf({ shape }: GroupKey, item: StreamItem): unknown {
  return shape.tells === "items" ? item : "event" in item ? item.event : undefined;
}

function shapeOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): Shape | null {
  const [root, ...more] = operation.selectionSet.selections;
  // One that a directive may leave out, or a fragment brings, is rare: it is not shared.
  if (root?.kind !== "Field" || more.length > 0 || (root.directives?.length ?? 0) > 0) return null;
  const field = schema.getSubscriptionType()?.getFields()[root.name.value];
  const tells = (field?.extensions as Partial<LogExtension> | undefined)?.tellsLog;
  if (!tells) return null;
  return { tells, isOfViewer: meetsViewerType(schema, document), placeVariable: placeVariableOf(root, document) };
}

function meetsViewerType(schema: GraphQLSchema, document: DocumentNode): boolean {
  let isMet = false;
  const types = new TypeInfo(schema);
  const look = () => {
    const type = types.getParentType();
    isMet ||= isNamedType(type) && type.extensions["ofViewer"] === true;
  };
  visit(document, visitWithTypeInfo(types, { Field: look }));
  return isMet;
}

function placeVariableOf(root: FieldNode, document: DocumentNode): string | null {
  const after = root.arguments?.find(({ name }) => name.value === "after")?.value;
  if (after?.kind !== "Variable") return null;
  const { value: name } = after.name;
  let uses = 0;
  visit(document, {
    // A definition's own name is no use of it.
    VariableDefinition: () => false,
    Variable: (variable) => void (variable.name.value === name && (uses += 1)),
  });
  return uses === 1 ? name : null;
}

function nameless({ scopes }: Viewer): Viewer {
  const hidden = (): never => {
    throw new Error("a result that is shared by scopes depends on its viewer: its type must be marked");
  };
  return Object.defineProperties({ scopes } as Viewer, {
    name: { get: hidden },
    tokenEndsAt: { get: hidden },
  });
}
