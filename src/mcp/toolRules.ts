// The rules that a tool's document must keep, beyond being valid: what agents may never do, and what clients could not take.
import {
  getNamedType,
  Kind,
  visit,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from "graphql";
import { oneOf, type NeededScope } from "../auth/scopes.ts";
import { extensionsOf } from "../schema/extensions.ts";
import type { AllowableScope } from "./agentViewer.ts";
import type { ToolDocument } from "./toolDocument.ts";

/** What every agent with the scope may do: neither of them sends anything. */
export const FREE_MUTATIONS: ReadonlySet<string> = new Set(["checkTask", "createTask"]);
/** Why MCP_ALLOW can never name them. */
export const NEVER_ALLOWED: ReadonlyMap<string, string> = new Map([
  ["createTask", "what an agent creates always waits for an approval"],
  ["approveTask", "a person approves, never an agent"],
]);
/** Members of a tool's answer beside the fields of its operation. */
export const OWN_MEMBERS: ReadonlySet<string> = new Set(["errors", "moreErrors", "shortened", "approveAt"]);

/** Some clients and models refuse a tool with another name, or all tools beside it. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_PROPERTY_NAME = 64;

/** The root fields that agents do not have. MCP_ALLOW may name them, but for those in NEVER_ALLOWED. */
export function allowableFields(schema: GraphQLSchema): ReadonlyMap<string, AllowableScope | null> {
  const roots = ["query", "mutation", "subscription"] as const;
  const fields = roots.flatMap((kind) => {
    const type = schema.getRootType(kind);
    return type ? Object.values(type.getFields()).map((field) => ({ kind, type, field })) : [];
  });
  return new Map(
    fields.flatMap(({ kind, type, field }) => {
      const scope = allowableScopeOf(extensionsOf(field).scope ?? scopeOfType(type, field.type));
      const isFree = kind === "mutation" ? FREE_MUTATIONS.has(field.name) : scope === null;
      return isFree ? [] : [[field.name, scope] as const];
    }),
  );
}

function scopeOfType(root: GraphQLObjectType, type: Parameters<typeof getNamedType>[0]): NeededScope | null {
  const named = type && getNamedType(type);
  return (named && extensionsOf(named).scope) ?? extensionsOf(root).scope ?? null;
}

/** The scope that has to be allowed. Null: agents have one of those that it names. */
function allowableScopeOf(needed: NeededScope | null): AllowableScope | null {
  const names: readonly string[] = needed === null ? [] : oneOf(needed);
  const [scope = null] = ALLOWABLE.filter((each) => names.includes(each));
  return names.every((name) => name === "admin" || name === "tasks:approve") ? scope : null;
}

/** The one that can do less first. */
const ALLOWABLE: readonly AllowableScope[] = ["tasks:approve", "admin"];

export interface ToolRules {
  /** As allowableFields has them. */
  allowable: ReadonlyMap<string, AllowableScope | null>;
  /** MCP_ALLOW. */
  allowed: ReadonlySet<string>;
  /** Whether this root field is a subscription to the log, which goes on after a cursor. */
  followsLog: (field: string) => boolean;
}

/** Each is the end of a sentence that begins with the name of the file. */
export function problemsOf(tool: ToolDocument, { allowable, allowed, followsLog }: ToolRules): string[] {
  const { name, document, operation, destructive, idempotent } = tool;
  const roots = rootFields(document, operation);
  const refused = roots.map((field) => field.name.value).filter((field) => allowable.has(field) && !allowed.has(field));
  const variables = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  const keys = roots.map((field) => (field.alias ?? field.name).value);
  return [
    ...(NAME.test(name) ? [] : [`names its tool with other characters than letters, digits, _ and -, or more than 64`]),
    ...refused.map((field) => `asks for ${field}, which ${whyRefused(field)}`),
    ...variables.filter((text) => text.length > MAX_PROPERTY_NAME).map(() => "has a variable whose name is too long"),
    ...keys.filter((key) => OWN_MEMBERS.has(key)).map((key) => `needs another alias than ${key} for its field`),
    ...(hasIncrementalDirective(document) ? ["has @defer or @stream: a tool answers in one piece"] : []),
    ...(namesPrototype(document) ? ["names something __proto__, which objects of programs cannot hold"] : []),
    ...(operation.operation !== "mutation" && (destructive ?? idempotent) !== null
      ? ["states destructive or idempotent for an operation that only reads"]
      : []),
    ...(operation.operation === "subscription" &&
    roots.some((field) => followsLog(field.name.value) && !takesPlace(field))
      ? [PLACE_RULE]
      : []),
    ...createdTaskProblems(
      roots.filter((field) => field.name.value === "createTask"),
      tool,
    ),
    ...(operation.operation === "subscription" &&
    variables.some((text) => text === "waitSeconds" || text === "maxItems")
      ? ["has a variable waitSeconds or maxItems, which every subscription takes anyway"]
      : []),
  ];
}

const whyRefused = (field: string) => (NEVER_ALLOWED.has(field) ? "no agent may have" : "MCP_ALLOW does not name");

const PLACE_RULE =
  "must take the argument after from a variable $after: without it, an agent misses what comes between two waits";
const ONE_TASK_RULE = "has createTask more than once: a person approves one proposal at a time";
const STATUS_RULE =
  "must select id and status of the submission of createTask, or neither: only what waits can be approved";
const KEY_RULE = "must take the idempotencyKey of createTask from a variable without a default: a key is of one task";

/** The fields of the operation's root, also those in fragments. */
export const rootFields = (document: DocumentNode, operation: OperationDefinitionNode): FieldNode[] =>
  fieldsOf(operation, document);

/** The fields of a selection, also those in fragments. */
export function fieldsOf(
  { selectionSet }: Pick<FieldNode, "selectionSet">,
  { definitions }: DocumentNode,
): FieldNode[] {
  const fields: FieldNode[] = [];
  const entered = new Set<string>();
  function enter({ selections }: OperationDefinitionNode["selectionSet"]): void {
    for (const node of selections) {
      if (node.kind === Kind.FIELD) fields.push(node);
      else if (node.kind === Kind.INLINE_FRAGMENT) enter(node.selectionSet);
      else if (!entered.has(node.name.value)) {
        entered.add(node.name.value);
        const fragment = definitions.find(
          (other) => other.kind === Kind.FRAGMENT_DEFINITION && other.name.value === node.name.value,
        );
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION) enter(fragment.selectionSet);
      }
    }
  }
  if (selectionSet) enter(selectionSet);
  return fields;
}

function createdTaskProblems([created, second]: readonly FieldNode[], { document, operation }: ToolDocument): string[] {
  if (!created) return [];
  const submission = fieldsOf(created, document).find(({ name }) => name.value === "submission");
  const selected = submission ? fieldsOf(submission, document).map(({ name }) => name.value) : [];
  return [
    ...(second ? [ONE_TASK_RULE] : []),
    ...(takesKey(created, operation) ? [] : [KEY_RULE]),
    ...(selected.includes("id") === selected.includes("status") ? [] : [STATUS_RULE]),
  ];
}

/** Whether the caller gives the cursor, as `$after`: the answer tells it to. */
function takesPlace({ arguments: args = [] }: FieldNode): boolean {
  const after = args.find(({ name }) => name.value === "after")?.value;
  return after?.kind === Kind.VARIABLE && after.name.value === "after";
}

function namesPrototype(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, { Name: ({ value }) => void (isFound ||= value === "__proto__") });
  return isFound;
}

function hasIncrementalDirective(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, { Directive: ({ name }) => void (isFound ||= name.value === "defer" || name.value === "stream") });
  return isFound;
}

/** Whether the caller gives the key, as `$input` or within it. */
function takesKey({ arguments: args = [] }: FieldNode, { variableDefinitions = [] }: OperationDefinitionNode): boolean {
  const input = args.find(({ name }) => name.value === "input")?.value;
  const value =
    input?.kind === Kind.OBJECT ? input.fields.find(({ name }) => name.value === "idempotencyKey")?.value : input;
  if (value?.kind !== Kind.VARIABLE) return false;
  const { value: name } = value.name;
  return variableDefinitions.some(({ variable, defaultValue }) => variable.name.value === name && !defaultValue);
}
