// Runs operations against the graph's schema with the resolvers of a test: parsed, validated and executed by graphql-js, so that
// a document which the gateway would refuse fails in the test, too.
import {
  buildSchema,
  execute,
  getOperationAST,
  GraphQLError,
  GraphQLSchema,
  parse,
  subscribe,
  validate,
  type DocumentNode,
  type ExecutionResult,
} from "graphql";
import { sdl } from "../generated/testingGraph.ts";
import { defaultResolvers, type RootResolvers } from "./resolvers.ts";

export interface OperationParams {
  query?: string | null | undefined;
  operationName?: string | null | undefined;
  variables?: Record<string, unknown> | null | undefined;
}

/** What a test answers itself: functions by root type and field. */
export type OwnResolvers = { [Root in keyof RootResolvers]?: Partial<RootResolvers[Root]> };

export interface MockGraph {
  schema: GraphQLSchema;
  /** The roots, as graphql-js and graphql-ws take them. */
  roots: Record<"query" | "mutation" | "subscription", Record<string, object>>;
  /** Resolves with one result, or with the results of a subscription. */
  run(params: OperationParams): Promise<ExecutionResult | AsyncIterable<ExecutionResult>>;
}

export function createMockGraph(own: OwnResolvers): MockGraph {
  const known = buildSchema(sdl);
  const schema = inOnePiece(known);
  const roots = {
    query: { ...defaultResolvers.Query, ...own.Query },
    mutation: { ...defaultResolvers.Mutation, ...own.Mutation },
    subscription: eventsByField({ ...defaultResolvers.Subscription, ...own.Subscription }),
  };

  async function run({ query, operationName, variables }: OperationParams) {
    if (typeof query !== "string") return { errors: [new GraphQLError("The request has no `query`.")] };
    const document = parsed(query);
    if (document instanceof GraphQLError) return { errors: [document] };
    const errors = validate(known, document);
    if (errors.length > 0) return { errors };
    const operation = getOperationAST(document, operationName)?.operation;
    if (operation === undefined) return { errors: [new GraphQLError("The document has no such operation.")] };
    const args = { schema, document, operationName, variableValues: variables, rootValue: roots[operation] };
    return operation === "subscription" ? subscribe(args) : execute(args);
  }
  return { schema, roots, run };
}

/** Without `@defer` and `@stream`, which graphql-js refuses to execute in one piece: a document that names them is answered whole. */
function inOnePiece(known: GraphQLSchema): GraphQLSchema {
  const config = known.toConfig();
  const directives = config.directives.filter(({ name }) => name !== "defer" && name !== "stream");
  return new GraphQLSchema({ ...config, directives });
}

function parsed(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query);
  } catch (error) {
    return error as GraphQLError;
  }
}

type Source = (args: never) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;

/** graphql-js executes a subscription's event as an object with the value under the field's name. */
function eventsByField(sources: object): Record<string, (args: never) => Promise<AsyncIterable<object>>> {
  const wrap = ([name, source]: [string, Source]) => [
    name,
    async (args: never) => mapped(await source(args), (value) => ({ [name]: value })),
  ];
  return Object.fromEntries((Object.entries(sources) as [string, Source][]).map(wrap));
}

/** Maps an iterable. `return()` reaches the source at once, also while an item is awaited. */
function mapped<T, U>(source: AsyncIterable<T>, map: (value: T) => U): AsyncIterableIterator<U> {
  const iterator = source[Symbol.asyncIterator]();
  return {
    async next() {
      const { value, done } = await iterator.next();
      return done === true ? { value: undefined, done } : { value: map(value), done: false };
    },
    async return() {
      await iterator.return?.();
      return { value: undefined, done: true };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
