// Query._entities: finds the objects that another subgraph refers to by the fields of a key, as node(id) finds them by id.
import { isPositiveId } from "../format/fieldParsers.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";
import { nodeType } from "./node.ts";
import { checkScope, objectTypeOf, objectTypes, type ObjectType, type ObjectTypeName } from "./objectTypes.ts";
import { isPerson } from "./person.ts";

/** An object of a subgraph, such as `{ __typename: "Task", taskId: "7" }`. */
export type Representation = Readonly<Record<string, unknown>>;

/** The fields of the key of each type to which other subgraphs may refer, by name. */
export const entityKeys: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries<ObjectType>(objectTypes).flatMap(([name, { entity }]) =>
    entity ? [[name, entity.key] as const] : [],
  ),
);

/** In the order of the argument. A representation that is malformed, or cannot be loaded, fails only its own entry. */
export function entitiesOf(representations: readonly Representation[], context: Context): Promise<object | null>[] {
  return representations.map((representation) => entityOf(representation, context));
}

async function entityOf(representation: Representation, context: Context): Promise<object | null> {
  const found = typeOf(representation);
  if (!found) throw badInput(`__typename of a representation must be one of ${[...entityKeys.keys()].join(", ")}.`);
  const { name, entity } = found;
  checkScope(name, context);
  return entity.find(
    entity.key.map((field) => keyText(name, field, representation[field])),
    context,
  );
}

/** Null for a representation of no known type. */
function typeOf({ __typename }: Representation) {
  const found = objectTypeOf(__typename);
  const entity = found?.type.entity;
  return entity ? { ...found.type, name: found.name, entity } : null;
}

/** An ID may be a JSON number. */
function keyText(name: ObjectTypeName, field: string, value: unknown): string {
  const text = typeof value === "number" && isPositiveId(String(value)) ? String(value) : value;
  if (typeof text === "string" && text !== "" && !text.includes("\0") && text.isWellFormed()) return text;
  throw badInput(`A representation of the type ${name} needs ${field}, a text.`);
}

/** The requests to the service that finding the objects may need. */
export function requestsOfEntities(representations: readonly Representation[]): number {
  return representations.reduce((sum, representation) => sum + (typeOf(representation)?.requests ?? 0), 0);
}

/** The rows of the database that finding the objects may read. */
export function rowsOfEntities(representations: readonly Representation[]): number {
  return representations.reduce((sum, representation) => sum + (typeOf(representation)?.rows ?? 0), 0);
}

/** How many objects of each type the representations name. */
export function countEntities(representations: readonly Representation[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const representation of representations) {
    const name = typeOf(representation)?.name;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

export function entityType(record: object): ObjectTypeName {
  return isPerson(record) ? "Person" : nodeType(record);
}
