// Prints a graph with the directives of Federation 2, which follow from what the graph says of its types and fields: keys,
// scopes and costs.
import {
  parse,
  print,
  printSchema,
  visit,
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  type ObjectTypeDefinitionNode,
} from "graphql";
import { oneOf } from "../../auth/scopes.ts";
import { entityKeys } from "../../resolvers/entities.ts";
import { extensionsOf } from "../extensions.ts";
import { costDirectives } from "./costDirectives.ts";
import { directive } from "./directive.ts";

const HEADER = `extend schema
  @link(
    url: "https://specs.apollo.dev/federation/v2.9"
    import: ["@key", "@shareable", "@tag", "@authenticated", "@requiresScopes", "@cost", "@listSize"]
  )
`;

/** Other subgraphs have such a type, too. It carries no scope: that would hold for their lists as well. */
const SHARED = "PageInfo";

export function printSubgraph(schema: GraphQLSchema): string {
  const document = visit(parse(printSchema(schema)), {
    // @defer and @stream are between a gateway and its client: a router does not send them to a subgraph.
    DirectiveDefinition: () => null,
    ObjectTypeDefinition: (node) => withDirectives(node, schema.getType(node.name.value) as GraphQLObjectType),
  });
  return `${HEADER}\n${print(document)}\n`;
}

function withDirectives(node: ObjectTypeDefinitionNode, type: GraphQLObjectType): ObjectTypeDefinitionNode {
  const keyFields = keyOf(type.name);
  const fields = node.fields?.map((field) => withFieldDirectives(field, type, keyFields));
  const own: ConstDirectiveNode[] = [];
  if (keyFields.length > 0) own.push(directive("key", { fields: keyFields.join(" ") }));
  if (type.name === SHARED) own.push(directive("shareable"));
  return { ...node, ...(fields && { fields }), directives: own };
}

function keyOf(typeName: string): readonly string[] {
  return entityKeys.get(typeName) ?? [];
}

function withFieldDirectives(
  node: FieldDefinitionNode,
  type: GraphQLObjectType,
  keyFields: readonly string[],
): FieldDefinitionNode {
  const field = type.getFields()[node.name.value];
  if (!field) return node;
  // Another subgraph has the fields of a key itself, and composition would merge those of interfaces across all their types.
  const ofInterface = type.getInterfaces().some((each) => field.name in each.getFields());
  const scopes = ofInterface || keyFields.includes(field.name) ? [] : scopeDirectives(type, field);
  return { ...node, directives: [...(node.directives ?? []), ...scopes, ...costDirectives(field)] };
}

function scopeDirectives(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): ConstDirectiveNode[] {
  const { scope = extensionsOf(type).scope } = extensionsOf(field);
  if (scope === undefined) return [];
  if (scope === null) return [directive("authenticated")];
  // One of them is enough.
  const names = oneOf(scope);
  const needed = directive("requiresScopes", { scopes: names.map((name) => [name]) });
  // A tag's name has no colon.
  const tagged = names.filter((name) => name !== "calls:read").map((name) => name.replace(":", "-"));
  return [needed, ...tagged.map((name) => directive("tag", { name }))];
}
