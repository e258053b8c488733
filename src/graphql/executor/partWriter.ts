// Writes the parts of an answer, in the format of the specification of incremental delivery: `pending` names what will come,
// `incremental` brings it, `completed` ends it. Between two calls of takePart everything goes into one part.
import type { ExecutionResult, GraphQLError } from "graphql";
import { pathOf, type ResponseNode, type Run } from "./runCompiled.ts";

type Path = readonly (string | number)[];

export interface Part extends ExecutionResult {
  pending?: { id: string; path: Path; label?: string }[];
  incremental?: IncrementalData[];
  completed?: { id: string; errors?: readonly GraphQLError[] }[];
  hasNext: boolean;
}

interface IncrementalData {
  id: string;
  data?: unknown;
  subPath?: Path;
  items?: unknown[];
  errors?: GraphQLError[];
}

/** `onPending` is told how many fragments and lists are pending. */
export function createPartWriter(onPending: (count: number) => void) {
  let ids = 0;
  let open = 0;
  let pending: NonNullable<Part["pending"]> = [];
  let incremental: IncrementalData[] = [];
  let completed: NonNullable<Part["completed"]> = [];
  /** The lists in `incremental`, by ID. */
  const lists = new Map<string, IncrementalData>();

  function listOf(id: string): IncrementalData {
    const known = lists.get(id);
    if (known) return known;
    const list = { id, items: [] };
    lists.set(id, list);
    incremental.push(list);
    return list;
  }

  return {
    /** Returns the ID of a fragment or a list. */
    open(node: ResponseNode, label: string | undefined): string {
      const id = String(ids);
      ids += 1;
      open += 1;
      onPending(open);
      pending.push(label === undefined ? { id, path: pathOf(node) } : { id, path: pathOf(node), label });
      return id;
    },
    /** `node`: where the fragment begins; `at`: the object that the data belongs to. */
    addData(id: string, node: ResponseNode, at: ResponseNode, { data, errors }: Run): void {
      const entry: IncrementalData = { id, data };
      if (at !== node) entry.subPath = pathOf(at).slice(pathOf(node).length);
      if (errors.length > 0) entry.errors = errors;
      incremental.push(entry);
    },
    addItem(id: string, item: unknown, errors: readonly GraphQLError[]): void {
      const list = listOf(id);
      list.items?.push(item);
      if (errors.length > 0) (list.errors ??= []).push(...errors);
    },
    complete(id: string, errors: readonly GraphQLError[] = []): void {
      completed.push(errors.length > 0 ? { id, errors } : { id });
      open -= 1;
    },
    /** Returns null if there is nothing to send. */
    takePart(): Part | null {
      if (pending.length + incremental.length + completed.length === 0) return null;
      const part: Part = { hasNext: open > 0 };
      if (pending.length > 0) part.pending = pending;
      if (incremental.length > 0) part.incremental = incremental;
      if (completed.length > 0) part.completed = completed;
      [pending, incremental, completed] = [[], [], []];
      lists.clear();
      return part;
    },
  };
}
