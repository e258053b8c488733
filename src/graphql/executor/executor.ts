// Executes an operation that passed every check: compiled, which takes a fraction of the time and stops where the answer
// becomes too large. What cannot be compiled graphql-js walks. Both give the same answers (test/graphql/executor/compiledOperations.test.ts).
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
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import { isTooLarge, tooLargeAnswer, tooManyErrors } from "./resultSize.ts";
import { compileOperation } from "./compileOperation.ts";
import { MOST_BYTES, runSelection, type Selection, type Written } from "./runCompiled.ts";
import type { ClientSignal } from "../clientSignal.ts";
import { LIMITS } from "../documents/documentLimits.ts";

export interface Execution {
  operation: ValidatedExecutionArgs;
  /** A subscription's event; undefined for a query or a mutation. */
  rootValue: unknown;
  context: () => Context;
  leaving: ClientSignal;
}

/**
 * The data is within the limit of an answer, or null with an error that says so. Errors of fields are in the result, with path
 * and locations. Throws or rejects where its asker left while something was waited for.
 */
export type Executor = (execution: Execution) => MaybePromise<ExecutionResult>;

interface Known {
  /** Variables that `@skip` and `@include` of this document look at. */
  deciding: readonly string[];
  /** By the operation's name and what those variables decide; null where graphql-js must do it. */
  compiled: Map<string | null, Selection | null>;
}

/** Of one document whose directives decide in more ways than these, the oldest is compiled again. */
const MOST_VARIANTS = 16;
/** Characters of the documents, for each way that one was compiled in: each is some hundred bytes of what is compiled. */
const COMPILED_SIZE = 1024 * 1024;

/** `compiles: false` leaves everything to graphql-js. What is compiled lives as long as its document is kept, or shorter. */
export function createExecutor({ compiles }: { compiles: boolean }): Executor {
  let documents = new WeakMap<DocumentNode, Known>();
  let size = 0;

  /** Beyond the size all is forgotten: what is asked for is soon compiled again. */
  function makeRoom({ loc }: DocumentNode): void {
    size += loc?.source.body.length ?? 0;
    if (size <= COMPILED_SIZE) return;
    documents = new WeakMap();
    size = 0;
  }

  function compiledOf(operation: ValidatedExecutionArgs): Selection | null {
    if (!compiles) return null;
    const { document, operation: definition } = operation;
    const known = documents.get(document) ?? { deciding: decidingVariables(document), compiled: new Map() };
    documents.set(document, known);
    const name = definition.name?.value ?? null;
    const variant = variantOf(name, known.deciding, operation.variableValues);
    const made = known.compiled.get(variant);
    if (made !== undefined) return made;
    const variableValues = onlyThose(known.deciding, operation.variableValues);
    const { schema, fragmentDefinitions } = operation;
    const compiled = compileOperation({ schema, operation: definition, fragmentDefinitions, variableValues });
    const oldest = known.compiled.size >= MOST_VARIANTS ? known.compiled.keys().next().value : undefined;
    if (oldest !== undefined) known.compiled.delete(oldest);
    known.compiled.set(variant, compiled);
    makeRoom(document);
    return compiled;
  }

  return ({ operation, rootValue, context, leaving }) => {
    const { variableValues, operation: definition } = operation;
    const compiled = compiledOf(operation);
    if (!compiled) {
      const externalAbortSignal = leaving();
      const asked = { ...operation, rootValue, contextValue: context(), externalAbortSignal };
      const judged = (result: ExecutionResult) =>
        isTooLarge(result.data) ? tooLargeAnswer(definition.operation) : result;
      return andThen(executeRootSelectionSet(asked), judged);
    }
    const written = runSelection(compiled, { rootValue, context, variableValues });
    // Nobody leaves while nothing is waited for.
    if (!(written instanceof Promise)) return answerOf(written, definition);
    return written.then((known) => {
      leaving().throwIfAborted();
      return answerOf(known, definition);
    });
  };
}

/** Most answers are too small by far, and are not walked. */
function answerOf({ result, size, isFull }: Written, { operation }: OperationDefinitionNode): ExecutionResult {
  const { errors = [] } = result;
  if (errors.length > LIMITS.fieldErrors) return tooManyErrors(errors);
  if (isFull) return tooLargeAnswer(operation);
  const isSmall = size * MOST_BYTES <= LIMITS.answer;
  return isSmall || !isTooLarge(result.data) ? result : tooLargeAnswer(operation);
}

function variantOf(name: string | null, deciding: readonly string[], { coerced }: VariableValues): string | null {
  return deciding.length > 0 ? JSON.stringify([name, ...deciding.map((variable) => coerced[variable])]) : name;
}

/** The values of all others must not live as long as what is compiled. */
function onlyThose(names: readonly string[], { coerced }: VariableValues): VariableValues {
  const own: Record<string, unknown> = Object.create(null);
  for (const name of names) if (Object.hasOwn(coerced, name)) own[name] = coerced[name];
  return { sources: Object.create(null), coerced: own };
}

function decidingVariables(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: (directive) => {
      visit(directive, { Variable: ({ name }) => void names.add(name.value) });
    },
  });
  return [...names];
}
