// The output schema of each tool fits each answer that the graph allows: null wherever it may be null, any text, and errors beside it.
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import * as fc from "fast-check";
import {
  buildASTSchema,
  executeSync,
  getNamedType,
  GraphQLError,
  isAbstractType,
  isCompositeType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  OperationTypeNode,
  parse,
  visit,
  type DocumentNode,
  type GraphQLOutputType,
} from "graphql";
import { describe, expect, it } from "vitest";
import { readTools, type AgentTool } from "../../src/mcp/readTools.ts";
import { answerOf } from "../../src/mcp/toolResult.ts";
import { printedSchema, schema } from "../../src/schema/schema.ts";

const tools = [...(await readTools({ schema, introspection: true, folder: null, allow: [] })).values()];

/** The graph without arguments, with the root of subscriptions and of mutations as its queries. */
function graphOf(root: string) {
  const sdl = visit(parse(printedSchema()), {
    FieldDefinition: (node) => ({ ...node, arguments: [] }),
    DirectiveDefinition: ({ name }) => (name.value === "defer" || name.value === "stream" ? null : undefined),
    SchemaDefinition: () => null,
  });
  const roots = parse(`schema { query: ${root} }`);
  return buildASTSchema({ ...sdl, definitions: [...sdl.definitions, ...roots.definitions] }, { assumeValidSDL: true });
}
const graphs = { query: graphOf("Query"), mutation: graphOf("Mutation"), subscription: graphOf("Subscription") };

const withoutArguments = (document: DocumentNode): DocumentNode =>
  visit(document, {
    OperationDefinition: (node) => ({ ...node, operation: OperationTypeNode.QUERY, variableDefinitions: [] }),
    [Kind.FIELD]: (node) => ({ ...node, arguments: [] }),
  });

type Draw = fc.GeneratorValue;
const anyJson = () => fc.dictionary(fc.string(), fc.jsonValue());
const anyText = () => fc.oneof(fc.string({ unit: "binary" }), fc.constant("x".repeat(4001)));
const anyFloat = () => fc.double({ noNaN: true, noDefaultInfinity: true });

function drawn(root: AgentTool["document"]["operation"]["operation"], draw: Draw) {
  const graph = graphs[root];
  const scalars: Record<string, () => unknown> = {
    Int: () => draw(fc.integer),
    Float: () => draw(anyFloat),
    Boolean: () => draw(fc.boolean),
    JSONObject: () => draw(anyJson),
  };
  function notNull(type: GraphQLOutputType): unknown {
    if (isListType(type)) return Array.from({ length: draw(fc.nat, 2) }, () => valueOf(type.ofType));
    const named = getNamedType(type);
    if (isEnumType(named)) return draw(fc.constantFrom<string[]>, ...named.getValues().map(({ name }) => name));
    if (!isCompositeType(named)) return (scalars[named.name] ?? (() => draw(anyText)))();
    const names = isAbstractType(named) ? graph.getPossibleTypes(named).map(({ name }) => name) : [named.name];
    return { __typename: draw(fc.constantFrom<string[]>, ...names) };
  }
  function valueOf(type: GraphQLOutputType): unknown {
    if (isNonNullType(type)) return notNull(type.ofType);
    return draw(fc.nat, 3) === 0 ? null : notNull(type);
  }
  return { graph, valueOf };
}

/** What a tool answers where the fields of its operation are drawn. */
function answerOfTool({ document, proposalPath, followsLog }: AgentTool, draw: Draw) {
  const { operation } = document.operation;
  const { graph, valueOf } = drawn(operation, draw);
  const { data, errors: faults } = executeSync({
    schema: graph,
    document: withoutArguments(document.document),
    fieldResolver: (_source, _args, _context, { returnType }) => valueOf(returnType),
  });
  expect(faults).toBeUndefined();
  const items = Object.values(data ?? {}).filter((item) => item !== null);
  const whole = operation === "subscription" ? { items, next: followsLog ? draw(anyText) : null } : data;
  const errors = Array.from({ length: draw(fc.nat, 2) }, () => new GraphQLError("A field failed.", { path: ["any"] }));
  const page = draw(fc.boolean) ? "https://calls.example.com/tasks" : null;
  return answerOf(
    { data: whole as Record<string, unknown>, ...(errors.length > 0 && { errors }) },
    proposalPath && { page, proposalPath },
  );
}

describe("The output schema of a tool", () => {
  it.each(tools.map((tool) => [tool.document.name, tool] as const))("fits each answer of %s", (_, tool) => {
    const validate = new AjvJsonSchemaValidator().getValidator(tool.outputSchema);
    let successes = 0;
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const { isError, structuredContent, content } = answerOfTool(tool, draw);
        expect(JSON.parse(content[0]?.text ?? "")).toBeTypeOf("object");
        if (isError) return;
        successes += 1;
        expect(validate(structuredContent)).toMatchObject({ valid: true });
        // It would refuse another one: a member that nobody knows, and one that is missing.
        expect(validate({ ...structuredContent, unknown: 1 }).valid).toBe(false);
        for (const name of tool.outputSchema.required ?? []) {
          const { [name]: _left, ...others } = structuredContent ?? {};
          expect(validate(others).valid).toBe(false);
        }
      }),
    );
    expect(successes).toBeGreaterThan(10);
  });
});
