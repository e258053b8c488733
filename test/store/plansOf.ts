// What a database plans for the statements of a read.
import { CompiledQuery, createQueryId, type RootOperationNode } from "kysely";
import type { Database } from "../../src/store/database.ts";

export interface Plan {
  /** The statement. */
  sql: string;
  /** As the database tells it, in lines. */
  text: string;
}

/** `read`: sends the statements. The plans are in their order. */
export async function plansOf(database: Database, read: (on: Database) => Promise<unknown>): Promise<Plan[]> {
  const sent: RootOperationNode[] = [];
  const db = database.db.withPlugin({
    transformQuery({ node }) {
      sent.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await read({ ...database, db });
  const explain = database.kind === "sqlite" ? "explain query plan" : "explain";
  const plans: Plan[] = [];
  for (const node of sent) {
    const { sql, parameters } = database.db.getExecutor().compileQuery(node, createQueryId());
    const asked = CompiledQuery.raw(`${explain} ${sql}`, [...parameters]);
    const { rows } = await database.db.executeQuery<Record<string, unknown>>(asked);
    plans.push({ sql, text: rows.map((row) => Object.values(row).join(" ")).join("\n") });
  }
  return plans;
}
