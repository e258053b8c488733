// A plugin of graphql-codegen: the object types of each interface and union, for the option `possibleTypes` of InMemoryCache.
import { isAbstractType, type GraphQLSchema } from "graphql";

export function plugin(schema: GraphQLSchema): string {
  const abstract = Object.values(schema.getTypeMap()).filter(isAbstractType);
  const types = abstract.map((type) => [
    type.name,
    schema
      .getPossibleTypes(type)
      .map(({ name }) => name)
      .sort(),
  ]);
  return `export const possibleTypes = ${JSON.stringify(Object.fromEntries(types), null, 2)};\n`;
}
