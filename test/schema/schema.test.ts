import {
  assertScalarType,
  GraphQLSchema,
  graphqlSync,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from "graphql";
import { describe, expect, it } from "vitest";
import { neededText } from "../../src/auth/scopes.ts";
import { extensionsOf } from "../../src/schema/extensions.ts";
import { printedSchema, schema } from "../../src/schema/schema.ts";

const ownTypes = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

interface Described {
  name: string;
  description: string | null | undefined;
}

interface Restricted extends Described {
  extensions: Readonly<object>;
}

/** Every type, field, argument, input field and enum value, by its path. */
const described: Described[] = ownTypes.flatMap((type) => {
  const inType = ({ name, description }: Described) => ({ name: `${type.name}.${name}`, description });
  const members: Described[] = [];
  if (isEnumType(type)) members.push(...type.getValues().map(inType));
  if (isInputObjectType(type)) members.push(...Object.values(type.getFields()).map(inType));
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      members.push(inType(field));
      for (const { name, description } of field.args)
        members.push(inType({ name: `${field.name}(${name})`, description }));
    }
  }
  return [{ name: type.name, description: type.description }, ...members];
});

describe("the schema", () => {
  it("describes every type, field, argument and enum value", () => {
    expect(described.length).toBeGreaterThan(300);
    expect(described.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });

  it("describes with complete sentences", () => {
    const broken = described.filter(({ description }) => !/^[A-Z1-9].*\.$/s.test(description ?? ""));
    expect(broken.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
  });

  it("names the scope in the description of each field that needs one of its own", () => {
    const scopeOf = (field: Restricted) => {
      const { scope } = extensionsOf(field);
      return scope ? neededText(scope) : null;
    };
    const fields = ownTypes.flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []));
    const scoped = fields.filter((field) => scopeOf(field));
    expect(scoped.length).toBeGreaterThan(10);
    const silent = scoped.filter((field) => !field.description?.includes(`Needs the scope ${scopeOf(field)}.`));
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it("requires the scope that the description of a field or input field names", () => {
    const fields = ownTypes.flatMap((type) =>
      isObjectType(type) || isInputObjectType(type) ? Object.values<Restricted>(type.getFields()) : [],
    );
    const named = fields.flatMap((field) => {
      const [, scope] = /Needs the scope ([a-z:, ]+)\./.exec(field.description ?? "") ?? [];
      return scope === undefined ? [] : [{ field, scope }];
    });
    expect(named.length).toBeGreaterThan(15);
    // Two marks that are spread one after the other lose the first: needs("admin", requests(1)) combines them.
    const open = named.filter(({ field, scope }) => neededText(extensionsOf(field).scope ?? []) !== scope);
    expect(open.map(({ field }) => field.name)).toEqual([]);
  });

  it("gives the specification of DateTime, printed and by introspection", () => {
    const url = "https://www.rfc-editor.org/rfc/rfc3339";
    expect(assertScalarType(schema.getType("DateTime")).specifiedByURL).toBe(url);
    expect(printedSchema()).toContain(`scalar DateTime @specifiedBy(url: "${url}")`);
    // graphql-js executes no schema with @defer and @stream in one piece.
    const config = schema.toConfig();
    const inOnePiece = new GraphQLSchema({ ...config, directives: [] });
    const { data } = graphqlSync({ schema: inOnePiece, source: `{ __type(name: "DateTime") { specifiedByURL } }` });
    expect(data).toEqual({ __type: { specifiedByURL: url } });
  });

  it("begins in print with the rules for clients", () => {
    const [head = ""] = printedSchema().split("\n\n");
    expect(head.split("\n").every((line) => line.startsWith("#"))).toBe(true);
    expect(head).toContain("Enums and CallStreamItem may grow: have a default branch.");
  });
});
