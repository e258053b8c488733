// Executes a validated operation. Compiled operations take a fraction of the time of graphql-js, and stop when the result
// becomes too large. graphql-js runs what cannot be compiled; both give the same results. See README.md.
import {
  executeRootSelectionSet,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
  type ValidatedExecutionArgs,
  type VariableValues,
} from "graphql";
import type { Context } from "../../resolvers/context.ts";
import { createBoundedCache, type BoundedCache } from "../../util/boundedCache.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import type { ClientSignal } from "../clientSignal.ts";
import { compileOperation, type FieldResolver } from "./compileOperation.ts";
import { allowsGeneration } from "./generateObject.ts";
import { withoutIncremental } from "./incrementalDirectives.ts";
import { isTooLarge, RESULT_LIMITS, tooLargeResult, tooManyErrors } from "./resultSize.ts";
import { MAX_BYTES_PER_UNIT, runCompiled, type CompleteObject, type RunResult, type LaterWork } from "./runCompiled.ts";

export interface Execution {
  operation: ValidatedExecutionArgs;
  /** An event of a subscription; undefined for a query or a mutation. */
  rootValue: unknown;
  context: () => Context;
  clientSignal: ClientSignal;
  /** Given for an answer in parts: it gets what comes in later parts. Nothing, if the operation cannot be compiled. */
  later?: LaterWork | null;
}

/**
 * The data is within the limit of a result; otherwise it is null, with an error. Errors of fields have a path and
 * locations. Throws or rejects if the client disconnects while something is waited for.
 */
export type Executor = (execution: Execution) => MaybePromise<ExecutionResult>;

/** Wraps the resolver of a field, named by type and field: `Task.name`. */
export type WrapResolver = (name: string, resolve: FieldResolver) => FieldResolver;

interface CompiledDocument {
  /** Variables that directives use. */
  directiveVariables: readonly string[];
  /** By whether it is divided, the operation's name and the values of those variables; null if graphql-js must execute it. */
  variants: BoundedCache<string, { complete: CompleteObject | null }>;
}

/** A document whose directives decide in more ways is compiled again. */
const MAX_VARIANTS = 16;
/** Characters of documents, counted for each compiled variant: compiled, each character takes some hundred bytes. */
const MAX_COMPILED_SIZE = 1024 * 1024;

export interface ExecutorOptions {
  /** False: everything but answers in parts is left to graphql-js. */
  compiles: boolean;
  /** For compiled operations. Default: resolvers are called as they are. */
  wrapResolver?: WrapResolver | undefined;
}

/** Compiled operations live at most as long as their document is cached. */
export function createExecutor({ compiles, wrapResolver }: ExecutorOptions): Executor {
  const mayGenerate = allowsGeneration();
  let documents = new WeakMap<DocumentNode, CompiledDocument>();
  let compiledSize = 0;

  /** A WeakMap has no order of use, so everything is dropped beyond the limit; what is used is soon compiled again. */
  function countCompiled({ loc }: DocumentNode): void {
    compiledSize += loc?.source.body.length ?? 0;
    if (compiledSize <= MAX_COMPILED_SIZE) return;
    documents = new WeakMap();
    compiledSize = 0;
  }

  function compiledOf(operation: ValidatedExecutionArgs, inParts: boolean): CompleteObject | null {
    if (!mayGenerate || !(compiles || inParts)) return null;
    const { document, operation: definition, schema, fragmentDefinitions } = operation;
    const { directiveVariables, variants } = documents.getOrInsertComputed(document, createCompiledDocument);
    const key = variantKey(definition, directiveVariables, operation.variableValues, inParts);
    const cached = variants.get(key);
    if (cached) return cached.complete;
    const variableValues = onlyVariables(directiveVariables, operation.variableValues);
    const complete = compileOperation({
      schema,
      operation: definition,
      fragmentDefinitions,
      variableValues,
      inParts,
      wrapResolver,
    });
    variants.set(key, { complete });
    countCompiled(document);
    return complete;
  }

  return ({ operation, rootValue, context, clientSignal, later = null }) => {
    const { variableValues, operation: definition } = operation;
    const compiled = compiledOf(operation, later !== null);
    if (!compiled) {
      const externalAbortSignal = clientSignal();
      const args = { ...withoutIncremental(operation), rootValue, contextValue: context(), externalAbortSignal };
      const withinLimit = (result: ExecutionResult) =>
        isTooLarge(result.data) ? tooLargeResult(definition.operation) : result;
      return andThen(executeRootSelectionSet(args), withinLimit);
    }
    const run = runCompiled(compiled, { rootValue, context, variableValues, signal: clientSignal, later });
    // A client cannot disconnect while nothing is waited for.
    if (!(run instanceof Promise)) return resultOf(run, definition);
    return run.then((settled) => {
      clientSignal().throwIfAborted();
      return resultOf(settled, definition);
    });
  };
}

function createCompiledDocument(document: DocumentNode): CompiledDocument {
  const variants = createBoundedCache<string, { complete: CompleteObject | null }>({ maxEntries: MAX_VARIANTS });
  return { directiveVariables: directiveVariablesOf(document), variants };
}

/** The exact size is computed only for the few results that could be too large. */
function resultOf(
  { result, minUnits, isOverLimit }: RunResult,
  { operation }: OperationDefinitionNode,
): ExecutionResult {
  const { errors = [] } = result;
  if (errors.length > RESULT_LIMITS.fieldErrors) return tooManyErrors(errors);
  if (isOverLimit) return tooLargeResult(operation);
  const isSmall = minUnits * MAX_BYTES_PER_UNIT <= RESULT_LIMITS.bytes;
  return isSmall || !isTooLarge(result.data) ? result : tooLargeResult(operation);
}

function variantKey(
  { name }: OperationDefinitionNode,
  variables: readonly string[],
  { coerced }: VariableValues,
  inParts: boolean,
): string {
  const operationName = name?.value ?? "";
  return variables.length > 0 || inParts
    ? JSON.stringify([inParts, operationName, ...variables.map((each) => coerced[each])])
    : operationName;
}

/** The values of other variables must not live as long as the compiled operation. */
function onlyVariables(names: readonly string[], { coerced }: VariableValues): VariableValues {
  const own: Record<string, unknown> = Object.create(null);
  for (const name of names) if (Object.hasOwn(coerced, name)) own[name] = coerced[name];
  return { sources: Object.create(null), coerced: own };
}

function directiveVariablesOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (directive) => {
      visit(directive, { Variable: ({ name }) => void names.add(name.value) });
    },
  });
  return [...names];
}
