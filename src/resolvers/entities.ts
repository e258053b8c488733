// Query._entities: finds the objects that another subgraph refers to by the fields of a key, as node(id) finds them by id.
import { holdsNeeded, neededText, SEEING_SUBMISSIONS, type NeededScope } from "../auth/scopes.ts";
import { CodedError } from "../errors.ts";
import { isPositiveId } from "../format/fieldParsers.ts";
import { assistant } from "./assistant.ts";
import { callEndedOf } from "./callEnded.ts";
import { callLog, SEARCH_REQUESTS } from "./callLog.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";
import { nodeType } from "./node.ts";
import { isPerson, personOf } from "./person.ts";
import { taskSubmission } from "./submissions.ts";
import { task } from "./tasks.ts";

/** An object of a subgraph, such as `{ __typename: "Task", taskId: "7" }`. */
export type Representation = Readonly<Record<string, unknown>>;

interface Entity {
  /** The fields of its key. */
  key: readonly string[];
  /** Checked here, because the type is known only from the representation. */
  scope: NeededScope;
  /** The most requests to the service. */
  requests: number;
  /** The most rows of the database. */
  rows: number;
  /** `key` has the values of the key's fields, in their order. */
  find: (key: readonly string[], context: Context) => Promise<object | null>;
}

/** The types with a key, by name. */
export const entities = {
  Task: {
    key: ["taskId"],
    scope: "calls:read",
    requests: 1,
    rows: 0,
    find: ([taskId = ""], context) => task(taskId, context),
  },
  Assistant: {
    key: ["assistantId", "versionId"],
    scope: "calls:read",
    requests: 0,
    rows: 1,
    find: ([assistantId = "", versionId = ""], context) => assistant({ assistantId, versionId }, context),
  },
  CallLog: {
    key: ["sessionId"],
    scope: "calls:read",
    requests: SEARCH_REQUESTS,
    rows: 1,
    find: ([sessionId = ""], context) => callLog({ sessionId }, context),
  },
  CallEnded: {
    key: ["sessionId"],
    scope: "calls:read",
    requests: 0,
    rows: 1,
    find: ([sessionId = ""], context) => callEndedOf(sessionId, context),
  },
  TaskSubmission: {
    key: ["id"],
    scope: SEEING_SUBMISSIONS,
    requests: 0,
    rows: 1,
    find: ([id = ""], context) => taskSubmission(id, context),
  },
  Person: {
    key: ["phone"],
    scope: "people:read",
    requests: 0,
    rows: 0,
    find: async ([phone = ""]) => personOf(phone),
  },
} as const satisfies Record<string, Entity>;

export type EntityName = keyof typeof entities;

/** In the order of the argument. A representation that is malformed, or cannot be loaded, fails only its own entry. */
export function entitiesOf(representations: readonly Representation[], context: Context): Promise<object | null>[] {
  return representations.map((representation) => entityOf(representation, context));
}

async function entityOf(representation: Representation, context: Context): Promise<object | null> {
  const name = entityName(representation);
  if (name === null)
    throw badInput(`__typename of a representation must be one of ${Object.keys(entities).join(", ")}.`);
  const { key, scope, find }: Entity = entities[name];
  if (!holdsNeeded(context.viewer, scope))
    throw new CodedError("FORBIDDEN", `A ${name} needs the scope ${neededText(scope)}.`);
  return find(
    key.map((field) => keyText(name, field, representation[field])),
    context,
  );
}

/** An ID may be a JSON number. */
function keyText(name: EntityName, field: string, value: unknown): string {
  const text = typeof value === "number" && isPositiveId(String(value)) ? String(value) : value;
  if (typeof text === "string" && text !== "" && !text.includes("\0") && text.isWellFormed()) return text;
  throw badInput(`A representation of the type ${name} needs ${field}, a text.`);
}

/** Null for a representation of no known type. */
export function entityName({ __typename: name }: Representation): EntityName | null {
  return typeof name === "string" && Object.hasOwn(entities, name) ? (name as EntityName) : null;
}

/** The requests to the service that finding the objects may need. */
export function requestsOfEntities(representations: readonly Representation[]): number {
  return sumOf(representations, ({ requests }) => requests);
}

/** The rows of the database that finding the objects may read. */
export function rowsOfEntities(representations: readonly Representation[]): number {
  return sumOf(representations, ({ rows }) => rows);
}

function sumOf(representations: readonly Representation[], costOf: (entity: Entity) => number): number {
  return representations.reduce((sum, representation) => {
    const name = entityName(representation);
    return name === null ? sum : sum + costOf(entities[name]);
  }, 0);
}

/** How many objects of each type the representations name. */
export function countEntities(representations: readonly Representation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const representation of representations) {
    const name = entityName(representation);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export function entityType(record: object): EntityName {
  return isPerson(record) ? "Person" : (nodeType(record) as EntityName);
}
