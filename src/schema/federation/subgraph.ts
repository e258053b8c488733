// The graph as a subgraph of Apollo Federation 2: adds Person and what a router asks for, `_service` and `_entities`. It is built
// from the finished graph, so that masking, scopes and costs hold as they are.
import {
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  type GraphQLFieldConfigMap,
} from "graphql";
import type { Context } from "../../resolvers/context.ts";
import {
  countEntities,
  entityKeys,
  entitiesOf,
  entityType,
  requestsOfEntities,
  rowsOfEntities,
  type Representation,
} from "../../resolvers/entities.ts";
import { marks, needs, requests, rows, safeText, typeCounts } from "../builder.ts";
import { createPersonType } from "./personFields.ts";
import { printSubgraph } from "./printSubgraph.ts";

type Arguments = { representations: readonly Representation[] };

export function createSubgraph(schema: GraphQLSchema): GraphQLSchema {
  const withPerson = addPerson(schema);
  const sdl = printSubgraph(withPerson);
  return withQueryFields(withPerson, {
    _service: {
      type: new GraphQLNonNull(serviceType(sdl)),
      description: "This subgraph, for the router.",
      ...needs(null),
      resolve: () => ({}),
    },
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(entityUnion(withPerson))),
      description: "The objects with these keys, in the same order. An entry is null where its object does not exist.",
      ...marks(
        requests(({ representations }: Arguments) => requestsOfEntities(representations)),
        rows(({ representations }: Arguments) => rowsOfEntities(representations)),
        typeCounts(({ representations }: Arguments) => countEntities(representations)),
      ),
      args: {
        representations: {
          type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(representationType(schema)))),
          description: "Each with __typename and the fields of a key.",
        },
      },
      resolve: (_, args, context) => entitiesOf((args as Arguments).representations, context),
    },
  });
}

/** The text of `_service { sdl }`. */
export function printedSubgraph(schema: GraphQLSchema): string {
  return printSubgraph(addPerson(schema));
}

function addPerson(schema: GraphQLSchema): GraphQLSchema {
  const typeOf = (name: string) => schema.getType(name) as never;
  const person = createPersonType({
    dateTime: typeOf("DateTime"),
    callLog: typeOf("CallLog"),
    callLogConnection: typeOf("CallLogConnection"),
  });
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, types: [...config.types, person] });
}

function withQueryFields(schema: GraphQLSchema, fields: GraphQLFieldConfigMap<unknown, Context>): GraphQLSchema {
  const config = schema.toConfig();
  const old = config.query?.toConfig();
  if (!old) throw new Error("The graph has no type Query.");
  const query = new GraphQLObjectType({ ...old, fields: { ...old.fields, ...fields } });
  return new GraphQLSchema({ ...config, query, types: config.types.filter(({ name }) => name !== query.name) });
}

function serviceType(sdl: string): GraphQLObjectType {
  return new GraphQLObjectType({
    name: "_Service",
    description: "A subgraph.",
    ...needs(null),
    fields: {
      sdl: {
        type: new GraphQLNonNull(GraphQLString),
        description: "The graph with the directives of Federation 2.",
        ...safeText("The graph itself."),
        resolve: () => sdl,
      },
    },
  });
}

function entityUnion(schema: GraphQLSchema): GraphQLUnionType {
  return new GraphQLUnionType({
    name: "_Entity",
    description: "A type with a key.",
    types: [...entityKeys.keys()].map((name) => schema.getType(name) as GraphQLObjectType),
    resolveType: (record) => entityType(record as object),
  });
}

/** An object, read as a JSONObject is. */
function representationType(schema: GraphQLSchema): GraphQLScalarType {
  const { extensions, ...json } = (schema.getType("JSONObject") as GraphQLScalarType).toConfig();
  return new GraphQLScalarType({
    extensions,
    name: "_Any",
    description: "An object of a subgraph: __typename and the fields of a key.",
    parseValue: sayingWhatItIs(json.parseValue),
    parseLiteral: sayingWhatItIs(json.parseLiteral),
  });
}

/** `read` throws for a value that is not an object. */
function sayingWhatItIs<Args extends unknown[], Value>(read: (...args: Args) => Value): (...args: Args) => Value {
  return (...args) => {
    try {
      return read(...args);
    } catch (error) {
      const nodes = error instanceof GraphQLError ? error.nodes : null;
      throw new GraphQLError("A representation is an object with __typename and the fields of a key.", { nodes });
    }
  };
}
