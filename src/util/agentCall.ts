// The tool call that the current work is for, if an agent makes it: the audit log says so of what it writes. It follows the work through
// promises, as the fields of log lines do, so that no function passes it on and no audited action can forget it.
import { AsyncLocalStorage } from "node:async_hooks";

export interface AgentCall {
  /** The name of the tool. */
  tool: string;
  /** As the client names itself, cleaned and cut. It is not checked. Null: it does not. */
  client: string | null;
}

const calls = new AsyncLocalStorage<AgentCall>();

export const runForAgent = <T>(call: AgentCall, work: () => T): T => calls.run(call, work);

/** Null: the current work is not for an agent. */
export const agentCall = (): AgentCall | null => calls.getStore() ?? null;
