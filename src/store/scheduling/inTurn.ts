// Short reads for a viewer, such as a page by an index, in the viewer's turn.
import type { Database } from "../database.ts";
import type { QueryOwner } from "./queryOwner.ts";
import { guarded } from "../storeError.ts";

/** Rejects as the query does, as soon as the reader leaves, and with RATE_LIMITED where too much waits for its viewer. */
export type InTurn = <T>(reader: QueryOwner, question: readonly unknown[], query: () => Promise<T>) => Promise<T>;

export function createInTurn({ read }: Database): InTurn {
  return (reader, question, query) => reader.once(question, () => guarded(() => read(reader, question, query)));
}
