// Which agents used which tools, since the process was started: for people who look after them. In memory, because it is a hint; what an
// agent changed is in the audit log, under the name of its key. Calls that change something are lines of the log, too.
import { instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { AgentUse } from "../resolvers/agentUse.ts";

export interface ToolUse {
  /** `client`: as the client names itself. It is not checked. */
  record(call: { viewer: string; client: string | null; tool: string; isChange: boolean; failed: boolean }): void;
  /** The last used ones first. */
  list(): AgentUse[];
}

const MAX_ENTRIES = 100;

export function createToolUse(log: Logger, clock: () => number = () => Date.now()): ToolUse {
  /** In the order of their last use. */
  const uses = new Map<string, AgentUse>();
  return {
    record({ viewer, client, tool, isChange, failed }) {
      const key = JSON.stringify([viewer, client, tool]);
      const before = uses.get(key) ?? { viewer, client, tool, calls: 0, failed: 0 };
      uses.delete(key);
      uses.set(key, {
        ...before,
        calls: before.calls + 1,
        failed: before.failed + (failed ? 1 : 0),
        lastAt: instantOf(clock()),
      });
      const [oldest] = uses.keys();
      if (uses.size > MAX_ENTRIES && oldest !== undefined) uses.delete(oldest);
      const line = { via: "MCP", viewer, client, tool, failed };
      if (isChange) log.info(line, "an agent called a tool that changes something");
      else log.debug(line, "an agent called a tool");
    },
    list: () => [...uses.values()].toReversed(),
  };
}
