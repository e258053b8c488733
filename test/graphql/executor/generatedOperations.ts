// Generates operations from the schema, with aliases, fragments, directives, and arguments as literals and variables. The
// same seed makes the same operation.
import {
  getNamedType,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
} from "graphql";
import { schema } from "../../../src/schema/schema.ts";

export interface GeneratedOperation {
  query: string;
  variables: Record<string, unknown>;
}

const DEEPEST = 5;

/** `argumentsOf`: literals by the argument's type, or else by its name. Other arguments are left out. */
export function generateOperation(seed: number, argumentsOf: Record<string, readonly string[]>): GeneratedOperation {
  const random = createRandom(seed);
  const fragments: string[] = [];
  let aliases = 0;
  let abstract = 0;
  const variables = { yes: true, no: false, n: 2 };

  function argument({ name, type }: GraphQLArgument): string[] {
    const choices = argumentsOf[getNamedType(type).name] ?? argumentsOf[name];
    if (!choices || (!isNonNullType(type) && random.chance(0.5))) return [];
    return [`${name}: ${name === "first" && random.chance(0.5) ? "$n" : random.pick(choices)}`];
  }

  function field(definition: GraphQLField<unknown, unknown>, depth: number): string {
    const given = definition.args.flatMap(argument);
    const called = given.length > 0 ? `(${given.join(", ")})` : "";
    aliases += 1;
    // Two fields with one response key must be the same.
    const alias = called || abstract > 0 || random.chance(0.2) ? `f${aliases}: ` : "";
    const type = getNamedType(definition.type);
    const inner = isLeafType(type) ? "" : ` ${selection(type, depth + 1)}`;
    return `${alias}${definition.name}${called}${directive()}${inner}`;
  }

  function directive(): string {
    if (random.chance(0.85)) return "";
    return ` @${random.pick(["include", "skip"])}(if: ${random.pick(["$yes", "$no", "true", "false"])})`;
  }

  function selection(type: GraphQLNamedType, depth: number): string {
    if (isAbstractType(type)) {
      const possible = schema.getPossibleTypes(type).filter(() => random.chance(0.8));
      // Fields of two types may have one name; an alias keeps them apart.
      abstract += 1;
      const parts = possible.map((one) => `... on ${one.name} ${selection(one, depth)}`);
      abstract -= 1;
      return `{ __typename ${parts.join(" ")} }`;
    }
    if (!isObjectType(type)) throw new Error(`${type.name} has no fields`);
    const body = fieldsOf(type, depth);
    if (random.chance(0.8)) return `{ ${body} }`;
    if (random.chance(0.5)) return `{ __typename ...${directive()} { ${body} } }`;
    const name = `F${fragments.length}`;
    fragments.push(`fragment ${name} on ${type.name} { ${body} }`);
    return `{ ...${name} __typename ...${name} }`;
  }

  function fieldsOf(type: GraphQLObjectType, depth: number): string {
    const askable = Object.values(type.getFields()).filter((definition) => {
      const isDeep = depth >= DEEPEST && !isLeafType(getNamedType(definition.type));
      return !isDeep && definition.args.every(({ name, type: of }) => !isNonNullType(of) || argumentsOf[name]);
    });
    const chosen = askable.filter(() => random.chance(depth < 2 ? 0.2 : 0.35));
    return ["__typename", ...chosen.map((definition) => field(definition, depth))].join(" ");
  }

  const body = selection(schema.getQueryType() as GraphQLObjectType, 0);
  const used = Object.entries({ yes: "Boolean!", no: "Boolean!", n: "Int!" });
  const all = `${body} ${fragments.join(" ")}`;
  const declared = used
    .filter(([name]) => new RegExp(`\\$${name}\\b`).test(all))
    .map(([name, type]) => `$${name}: ${type}`);
  const head = declared.length > 0 ? `query Generated(${declared.join(", ")})` : "query Generated";
  return { query: `${head} ${all}`, variables };
}

/** Mulberry32. */
export function createRandom(seed: number) {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return {
    chance: (share: number) => next() < share,
    pick: <T>(choices: readonly T[]): T => choices[Math.floor(next() * choices.length)] as T,
  };
}
