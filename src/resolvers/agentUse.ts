// What administrators see of the agents that use /mcp (mcp/toolUse.ts).
import type { Instant } from "../format/instant.ts";

export interface AgentUse {
  /** The viewer of the credentials. */
  viewer: string;
  /** As the client names itself. Null: it did not. */
  client: string | null;
  tool: string;
  calls: number;
  failed: number;
  lastAt: Instant;
}
