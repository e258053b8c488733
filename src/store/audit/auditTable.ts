// The columns of the audit log, for Kysely.
import type { Generated } from "kysely";

export interface AuditTable {
  id: Generated<number>;
  at: string;
  /** The viewer's name. */
  actor: string;
  action: string;
  subject: string | null;
  count: number;
  /** Only for plays of recordings and for rereads: one row for each actor, subject and hour. */
  hour: Generated<string | null>;
  /** MCP: an agent did it by a tool. Null: no agent. */
  via: Generated<string | null>;
  tool: Generated<string | null>;
  client: Generated<string | null>;
}
