// `@defer` and `@stream` in a document. An operation without them, or for a client that takes one answer, runs compiled.
import { visit, type DocumentNode, type ValidatedExecutionArgs } from "graphql";

/** With more of them in one document, the answer comes in one piece: each may divide every object of the answer. */
export const MAX_INCREMENTAL_DIRECTIVES = 10;

const isIncremental = (name: string) => name === "defer" || name === "stream";

/** Whether the answer may be divided: a query with few such directives. Mutations are answered in one piece. */
export function isDivisible({ document, operation }: ValidatedExecutionArgs): boolean {
  const count = operation.operation === "query" ? incrementalDirectivesIn(document) : 0;
  return count > 0 && count <= MAX_INCREMENTAL_DIRECTIVES;
}

/** graphql-js refuses to give one answer for an operation with the directives. */
export function withoutIncremental(args: ValidatedExecutionArgs): ValidatedExecutionArgs {
  if (incrementalDirectivesIn(args.document) === 0) return args;
  const operation = withoutDirectives(args.operation);
  const fragments = Object.entries(args.fragments).map(
    ([name, details]) => [name, { ...details, definition: withoutDirectives(details.definition) }] as const,
  );
  return { ...args, operation, fragments: Object.fromEntries(fragments) };
}

function withoutDirectives<Node extends Parameters<typeof visit>[0]>(node: Node): Node {
  return visit(node, { Directive: ({ name }) => (isIncremental(name.value) ? null : undefined) });
}

function incrementalDirectivesIn(document: DocumentNode): number {
  const text = document.loc?.source.body;
  // Searching the text is far faster, and few documents have the words.
  if (text !== undefined && !text.includes("defer") && !text.includes("stream")) return 0;
  let count = 0;
  visit(document, { Directive: ({ name }) => void (count += isIncremental(name.value) ? 1 : 0) });
  return count;
}
