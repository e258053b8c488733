// Executes an operation that passed every check. From its document's second run on it is compiled, which takes a fraction
// of the time; before that, and where it cannot be compiled, graphql-js walks it. Both give the same answers
// (test/http/compiled.test.ts).
import {
  executeRootSelectionSet,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type ValidatedExecutionArgs,
} from "graphql";
import type { Context } from "../context.ts";
import type { Awaitable } from "../whenKnown.ts";
import { compileOperation } from "./compile.ts";
import { runSelection, type Selection } from "./compiled.ts";
import type { Leaving } from "./leaving.ts";

export interface Execution {
  operation: ValidatedExecutionArgs;
  /** A subscription's event; undefined for a query or a mutation. */
  rootValue: unknown;
  context: () => Context;
  leaving: Leaving;
}

/** Throws or rejects where its asker left while something was waited for. Errors of fields are in the result, with path and locations. */
export type Execute = (execution: Execution) => Awaitable<ExecutionResult>;

interface Known {
  /** Variables that `@skip` and `@include` of this document look at. */
  deciding: readonly string[];
  /** By the operation's name and what those variables decide; null where graphql-js must do it. */
  compiled: Map<string | null, Selection | null>;
}

/** A document whose directives decide in more ways than these is none that is compiled for each. */
const MOST_VARIANTS = 16;

/** `compiles: false` leaves everything to graphql-js. What is compiled lives as long as its document is kept. */
export function createExecute({ compiles }: { compiles: boolean }): Execute {
  const seen = new WeakSet<DocumentNode>();
  const documents = new WeakMap<DocumentNode, Known>();

  function compiledOf(operation: ValidatedExecutionArgs): Selection | null {
    const { document, operation: definition, variableValues } = operation;
    if (!compiles || !seen.has(document)) {
      seen.add(document);
      return null;
    }
    const known = documents.get(document) ?? { deciding: decidingVariables(document), compiled: new Map() };
    documents.set(document, known);
    const name = definition.name?.value ?? null;
    const decided = known.deciding.map((variable) => variableValues.coerced[variable]);
    const variant = decided.length > 0 ? JSON.stringify([name, ...decided]) : name;
    const made = known.compiled.get(variant);
    if (made !== undefined || known.compiled.size >= MOST_VARIANTS) return made ?? null;
    const compiled = compileOperation(operation);
    known.compiled.set(variant, compiled);
    return compiled;
  }

  return ({ operation, rootValue, context, leaving }) => {
    const compiled = compiledOf(operation);
    if (!compiled) {
      const externalAbortSignal = leaving();
      return executeRootSelectionSet({ ...operation, rootValue, contextValue: context(), externalAbortSignal });
    }
    const { variableValues } = operation;
    const result = runSelection(compiled, { rootValue, context, variableValues });
    // Nobody leaves while nothing is waited for.
    if (!(result instanceof Promise)) return result;
    return result.then((known) => {
      leaving().throwIfAborted();
      return known;
    });
  };
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
