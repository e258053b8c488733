// Writes an operation for a root field of the graph that selects every field down to a depth.
import {
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from "graphql";

const DEPTH = 4;
const INPUTS: Record<string, string> = {
  CreateTaskInput: `{ idempotencyKey: "key-1", name: "Reminders", assistantId: "11", numbers: [{ number: "+12025550101" }],
    option: { lineIds: ["60"], periods: [["09:00", "18:00"]], startDate: "2030-01-15", retryCount: 2,
      retryIntervalSeconds: 600, numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 } } }`,
  CheckTaskInput: `{ name: "Reminders", assistantId: "11", numbers: [{ number: "+12025550101" }],
    option: { lineIds: ["60"], periods: [["09:00", "18:00"]], startDate: "2030-01-15", retryCount: 2,
      retryIntervalSeconds: 600, numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 } } }`,
};

export function operationOf(graph: GraphQLSchema, kind: string, field: GraphQLField<unknown, unknown>): string {
  const type = getNamedType(field.type);
  return `${kind} { ${field.name}${argumentsOf(field)} ${selectionOf(graph, type, DEPTH)} }`;
}

function argumentsOf({ args }: GraphQLField<unknown, unknown>): string {
  const required = args.filter(isRequiredArgument);
  const text = required.map(({ name, type }) => {
    const value = INPUTS[getNamedType(type).name] ?? '"Task:7"';
    return `${name}: ${isNonNullType(type) && isListType(type.ofType) ? `[${value}]` : value}`;
  });
  return text.length === 0 ? "" : `(${text.join(", ")})`;
}

function selectionOf(graph: GraphQLSchema, type: GraphQLNamedType, depth: number): string {
  if (isLeafType(type)) return "";
  if (isAbstractType(type)) {
    const members = graph.getPossibleTypes(type);
    return `{ __typename ${members.map((member) => `... on ${member.name} { __typename }`).join(" ")} }`;
  }
  if (!isObjectType(type)) throw new Error(`${type.name} cannot be selected.`);
  const fields = Object.values(type.getFields()).map((field) => {
    const inner = getNamedType(field.type);
    if (isLeafType(inner)) return field.name + argumentsOf(field);
    return depth === 0 ? "" : `${field.name}${argumentsOf(field)} ${selectionOf(graph, inner, depth - 1)}`;
  });
  return `{ __typename ${fields.join(" ")} }`;
}
