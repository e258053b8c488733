// The tables of every projection: retention and erasure pass over this list.
import type { ProjectionTables } from "./projectionTables.ts";
import { recipientTables } from "./recipientTables.ts";

export const allTables: readonly ProjectionTables<never>[] = [recipientTables];
