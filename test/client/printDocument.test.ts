import * as fc from "fast-check";
import { parse, print, visit, type ASTNode } from "graphql";
import { expect, it } from "vitest";
import { textOf } from "../../client/src/http/printDocument.ts";
import { documentPaths, textAt } from "../house/sources.ts";

/** What a document means: without places, the form of strings and descriptions. */
function meaningOf(text: string): unknown {
  const enter = (node: ASTNode) => ({ ...node, loc: undefined, block: undefined, description: undefined });
  return JSON.parse(JSON.stringify(visit(parse(text), { enter })));
}

const name = fc
  .stringMatching(/^[a-z][A-Za-z0-9_]{0,5}$/)
  .filter((text) => !["on", "true", "false", "null"].includes(text));
const optional = (text: fc.Arbitrary<string>) => fc.option(text, { nil: "" });
const listOf = (text: fc.Arbitrary<string>, open: string, close: string) =>
  fc.array(text, { maxLength: 3 }).map((items) => (items.length > 0 ? `${open}${items.join(" ")}${close}` : ""));
const block = fc.constantFrom('"""a\n  b"""', '"""  """', '"""say \\""" it"""');
const string = fc.string({ unit: "grapheme" }).map((text) => JSON.stringify(text));

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.integer().map(String), fc.constantFrom("1.5e3", "true", "false", "null"), string, block, name),
    name.map((text) => `$${text}`),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
    fc
      .array(fc.tuple(name, tie("value")), { maxLength: 3 })
      .map((all) => `{${all.map(([a, b]) => `${a}: ${b}`).join()}}`),
  ),
}));
const argument = fc.tuple(name, value).map(([key, text]) => `${key}: ${text}`);
const args = listOf(argument, "(", ")");
const directives = listOf(
  fc.tuple(name, args).map(([key, text]) => ` @${key}${text}`),
  "",
  "",
);
const type = fc
  .tuple(name, fc.constantFrom("T", "T!", "[T]", "[T!]!", "[[T]]!"))
  .map(([key, form]) => form.replace("T", key));
const constant = fc.constantFrom("", " = 1", ' = "a"', " = [A, { b: null }]");
const variable = fc
  .tuple(name, type, constant, fc.constantFrom("", " @a", " @a(b: [1, B])"))
  .map(([key, kind, preset, marks]) => `$${key}: ${kind}${preset}${marks}`);

const { selections } = fc.letrec<{ selections: string }>((tie) => ({
  selections: fc
    .array(
      fc.oneof(
        { maxDepth: 3, depthIdentifier: "selections" },
        fc.tuple(optional(name.map((text) => `${text}: `)), name, args, directives).map((parts) => parts.join("")),
        fc.tuple(name, args, directives, tie("selections")).map((parts) => parts.join("")),
        fc.tuple(name, directives).map(([key, marks]) => `...${key}${marks}`),
        fc
          .tuple(optional(name.map((text) => ` on ${text}`)), directives, tie("selections"))
          .map(([condition, marks, inner]) => `...${condition}${marks}${inner}`),
      ),
      { minLength: 1, maxLength: 4 },
    )
    .map((items) => ` { ${items.join("\n")} }`),
}));
const operation = fc
  .tuple(
    fc.constantFrom("query", "mutation", "subscription"),
    optional(name),
    listOf(variable, "(", ")"),
    directives,
    selections,
  )
  .map(([kind, key, variables, marks, inner]) => `${kind} ${key}${variables}${marks}${inner}`);
const fragment = fc
  .tuple(name, name, directives, selections)
  .map(([key, on, marks, inner]) => `fragment ${key} on ${on}${marks}${inner}`);
const documents = fc
  .array(fc.oneof(operation, fragment), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join("\n"));

it("a printed document means what graphql's own printer says", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const tree = parse(text, { noLocation: true });
      expect(meaningOf(textOf(tree))).toEqual(meaningOf(print(tree)));
    }),
    { numRuns: 300 },
  );
});

it("every operation of the documents is printed with its meaning", () => {
  const operations = documentPaths().flatMap((path) =>
    [...textAt(path).matchAll(/```graphql\n(.*?)```/gs)].map(([, text = ""]) => text),
  );
  // A subgraph has definitions of types, which no client sends.
  const sent = operations.filter((text) => !text.includes("extend schema"));
  expect(sent.length).toBeGreaterThan(10);
  for (const text of sent) expect(meaningOf(textOf(parse(text)))).toEqual(meaningOf(text));
});

it("a text, and an object that is a text, stay as they are", () => {
  expect(textOf("{ viewer { name } }")).toBe("{ viewer { name } }");
  expect(textOf(Object.assign(new String("{ viewer }"), { __meta__: {} }))).toBe("{ viewer }");
});
