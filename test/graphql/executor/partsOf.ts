// Executes operations in parts on a small schema whose values may come at once, later or as errors.
import {
  buildSchema,
  experimentalExecuteRootSelectionSet,
  parse,
  validateExecutionArgs,
  type ValidatedExecutionArgs,
} from "graphql";
import { executeRequest } from "../../../src/graphql/executor/answerInParts.ts";
import { createExecutor } from "../../../src/graphql/executor/executor.ts";
import type { Part } from "./mergeParts.ts";

export const schema = buildSchema(`
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
  type Item {
    id: ID, text: String, int: Int, sure: String!
    item: Item, sureItem: Item!, items: [Item], sureItems: [Item!]!, grid: [[Int]]
  }
  type Query { id: ID, text: String, sure: String!, item: Item, sureItem: Item!, items: [Item], sureItems: [Item!], grid: [[Int]] }
`);

export function operationOf(query: string, rootValue: unknown, variableValues = {}): ValidatedExecutionArgs {
  const operation = validateExecutionArgs({ schema, document: parse(query), rootValue, variableValues });
  if (!("operation" in operation)) throw new Error(String(operation));
  return operation;
}

/** As clients get them. */
export async function partsOf(operation: ValidatedExecutionArgs): Promise<Part[]> {
  const signal = new AbortController().signal;
  const result = await executeRequest(
    {
      operation,
      execute: createExecutor({ compiles: true }),
      openScope: () => ({ context: () => ({}) as never, usage: null }),
      clientSignal: () => signal,
      waitForSlice: () => undefined,
      publish: (error) => error as never,
    },
    true,
  );
  return Symbol.asyncIterator in result ? await Array.fromAsync(result as AsyncIterable<Part>) : [result];
}

/** As the incremental executor of graphql-js gives them. */
export async function partsOfOracle(operation: ValidatedExecutionArgs): Promise<Part[]> {
  const result = await experimentalExecuteRootSelectionSet(operation);
  if (!("initialResult" in result)) return [result];
  return [result.initialResult, ...(await Array.fromAsync(result.subsequentResults as AsyncIterable<Part>))];
}
