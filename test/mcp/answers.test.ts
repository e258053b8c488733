// The size of answers, errors that are cut, and output schemas of documents with fragments.
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import * as fc from "fast-check";
import { buildSchema, executeSync, GraphQLError, parse, type OperationDefinitionNode } from "graphql";
import { describe, expect, it } from "vitest";
import { dataSchemaOf } from "../../src/mcp/outputSchema.ts";
import { agentError, answerOf, failure, type ToolAnswer } from "../../src/mcp/toolResult.ts";

const LIMIT = 256 * 1024;
const sizeOf = (answer: ToolAnswer) => Buffer.byteLength(JSON.stringify(answer));
const errorsOf = ({ content }: ToolAnswer) =>
  (JSON.parse(content[0]?.text ?? "{}") as { errors: { code: string; message: string }[] }).errors;

describe("An answer of a tool", () => {
  // https://github.com/opentokenz/mcpx/issues/21, https://github.com/apache/maka/issues/4915
  it("is bounded as it is sent: with its text, which holds it again with escapes", () => {
    for (const text of ["x", '"', "😀", "\\"]) {
      const list = (length: number) => answerOf({ data: { texts: Array<string>(length).fill(text.repeat(100)) } });
      for (const length of [100, 400, 1000, 2000]) expect(sizeOf(list(length))).toBeLessThanOrEqual(LIMIT);
      expect(list(100).isError).toBeUndefined();
      expect(errorsOf(list(2000))).toMatchObject([{ code: "QUERY_TOO_COMPLEX" }]);
    }
  });

  it("is bounded with the advice of its errors, of which it has twenty at most and the number of the others", () => {
    const rows = Array<null>(2000).fill(null);
    const errors = rows.map((_, at) => new GraphQLError(`Row ${at} failed.`, { path: ["rows", at] }));
    const answer = answerOf({ data: { rows, total: 1 }, errors });
    expect(sizeOf(answer)).toBeLessThanOrEqual(LIMIT);
    expect(answer.structuredContent?.["errors"]).toHaveLength(20);
    expect(answer.structuredContent).toMatchObject({ moreErrors: 1980 });
    const failed = answerOf({ errors });
    expect(errorsOf(failed)).toHaveLength(20);
    expect(JSON.parse(failed.content[0]?.text ?? "{}")).toMatchObject({ moreErrors: 1980 });
    expect(answerOf({ data: { total: 1 }, errors: errors.slice(0, 20) }).structuredContent).not.toHaveProperty(
      "moreErrors",
    );
  });

  it("cuts long messages and texts of errors, and no character in two", () => {
    const long = "😀".repeat(3000);
    const [cut] = errorsOf(failure([agentError("BAD_USER_INPUT", `x${long}`)]));
    expect(cut?.message.length).toBeLessThanOrEqual(1000);
    expect(cut?.message.isWellFormed()).toBe(true);
    const extensions = { code: "BAD_USER_INPUT", quoted: long };
    const [told] = errorsOf(answerOf({ errors: [new GraphQLError(long, { extensions })] }));
    expect(JSON.stringify(told).length).toBeLessThan(8000);
  });

  it("of a failure holds no structured content, which some clients compare with the schema of a success", () => {
    // https://github.com/yamadashy/repomix/issues/833
    expect(failure([agentError("FORBIDDEN", "No.")])).not.toHaveProperty("structuredContent");
  });
});

const schema = buildSchema(`
  interface Node { id: ID! }
  type Place { city: String country: String! size: Int kind: Kind }
  enum Kind { TOWN VILLAGE }
  type Call implements Node { id: ID! place: Place name: String length: Int }
  type Task implements Node { id: ID! place: Place name: String total: Int }
  union Any = Call | Task
  type Query { node: Node nodes: [Node] any: Any! place: Place }`);

const DOCUMENTS = [
  "{ node { id ... on Call { place { city } } ... on Task { place { country } } } }",
  "{ nodes { ... on Call { place { city } } ... on Task { place { country size } name } ... on Node { id } } }",
  "{ any { ... on Call { place { ... on Place { kind } } } ... on Task { place { kind country } } } }",
  "{ any { __typename ...A ...B } } fragment A on Call { place { city } length } fragment B on Node { id ... on Task { place { size } } }",
  "query ($a: Boolean = false) { place { city country @include(if: $a) } place { ... @skip(if: $a) { size } } }",
  "{ node { ... on Call { place { city } } ... on Call { place { size } } } }",
];

const place = fc.option(
  fc.record({
    city: fc.option(fc.string()),
    country: fc.string(),
    size: fc.option(fc.integer({ min: 0, max: 1e9 })),
    kind: fc.option(fc.constantFrom("TOWN", "VILLAGE")),
  }),
);
const node = fc.record({ __typename: fc.constantFrom("Call", "Task"), id: fc.uuid(), place, name: fc.string() });
const root = fc.record({ node: fc.option(node), nodes: fc.array(fc.option(node)), any: node, place });

describe("The output schema of a tool", () => {
  it.each(DOCUMENTS)("fits each answer of fragments that overlap: %s", (text) => {
    const document = parse(text);
    const operation = document.definitions.find((each) => each.kind === "OperationDefinition");
    const output = dataSchemaOf(document, operation as OperationDefinitionNode, schema);
    const validate = new AjvJsonSchemaValidator().getValidator(output);
    fc.assert(
      fc.property(root, fc.boolean(), (rootValue, a) => {
        const { data } = executeSync({ schema, document, rootValue, variableValues: { a } });
        const plain: unknown = JSON.parse(JSON.stringify(data));
        expect(validate(plain)).toMatchObject({ valid: true });
      }),
    );
  });

  it("still requires what each object has", () => {
    const document = parse("{ place { city country } node { id } }");
    const output = dataSchemaOf(document, document.definitions[0] as OperationDefinitionNode, schema);
    expect(output.required).toEqual(["place", "node"]);
    expect(output.properties["place"]?.required).toEqual(["city", "country"]);
  });
});
