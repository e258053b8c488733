// The `info` argument of resolvers in compiled operations. It has the members that graphql-js gives, so a resolver cannot tell
// which of the two runs it. Members are read from the execution when a resolver asks for them. A resolver must declare `info`
// as its fourth parameter: for all others none is created, which saves 15 % of the time of a long list.
import type { GraphQLResolveInfo } from "graphql";
import type { ResponseNode, Run } from "./runCompiled.ts";

/** The parts of `info` that are the same in every execution. */
export type FieldInfo = Pick<
  GraphQLResolveInfo,
  "fieldName" | "fieldNodes" | "returnType" | "parentType" | "schema" | "fragments" | "operation"
> & { responseKey: string };

interface LazyInfo extends GraphQLResolveInfo {
  field: FieldInfo;
  run: Run;
  node: ResponseNode;
}

type Path = GraphQLResolveInfo["path"];

const lazyMembers: GraphQLResolveInfo & ThisType<LazyInfo> = {
  get fieldName() {
    return this.field.fieldName;
  },
  get fieldNodes() {
    return this.field.fieldNodes;
  },
  get returnType() {
    return this.field.returnType;
  },
  get parentType() {
    return this.field.parentType;
  },
  get schema() {
    return this.field.schema;
  },
  get fragments() {
    return this.field.fragments;
  },
  get operation() {
    return this.field.operation;
  },
  get variableValues() {
    return this.run.variableValues;
  },
  get rootValue() {
    return this.run.rootValue;
  },
  get path() {
    const { parentType, responseKey } = this.field;
    return { prev: pathOf(objectAround(this.node)), key: responseKey, typename: parentType.name };
  },
  get getAbortSignal() {
    const { run } = this;
    return () => run.signal();
  },
  get getAsyncHelpers() {
    return () => asyncHelpers;
  },
};

/** Nothing waits for work that a resolver leaves behind, so there is nothing to track. */
const asyncHelpers: ReturnType<GraphQLResolveInfo["getAsyncHelpers"]> = {
  promiseAll: (values) => Promise.all(values),
  track: () => undefined,
};

/** `node`: the object or list of the result in which the field's value is written. */
export function createResolveInfo(field: FieldInfo, run: Run, node: ResponseNode): GraphQLResolveInfo {
  const info = Object.create(lazyMembers) as LazyInfo;
  info.field = field;
  info.run = run;
  info.node = node;
  return info;
}

/**
 * For a resolver that declares no fourth parameter: one info for all executions. A resolver that reads it nevertheless, by
 * rest parameters, gets an error for members that differ in each execution, and never wrong values.
 */
export function createUndeclaredInfo(field: FieldInfo): GraphQLResolveInfo {
  const info = Object.create(undeclaredMembers) as LazyInfo;
  info.field = field;
  return info;
}

function refuse(): never {
  throw new Error("A resolver that reads info must declare it as its fourth parameter.");
}

const undeclaredMembers: object = Object.create(lazyMembers, { run: { get: refuse }, node: { get: refuse } });

/** The object that holds the field, from one of the lists in the field's value. */
function objectAround(node: ResponseNode): ResponseNode {
  let object = node;
  while (object.typeName === null && object.parent) object = object.parent;
  return object;
}

function pathOf({ parent, key }: ResponseNode): Path | undefined {
  if (parent && key === null) return pathOf(parent);
  return parent && key !== null ? { prev: pathOf(parent), key, typename: parent.typeName ?? undefined } : undefined;
}
