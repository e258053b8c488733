// Starts a sandbox in the test's process, without history or traffic.
import { silentLog } from "./silentLog.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../sandbox/src/sandbox.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "./sandbox.ts";

export const emptySandbox = (own: Partial<SandboxOptions> = {}): Promise<Sandbox> =>
  createSandbox({
    token: TOKEN,
    timeZone: TIME_ZONE,
    webhook: null,
    traffic: false,
    history: { tasks: 0, calls: 0, days: 0 },
    log: silentLog,
    ...own,
  });

/** Points the sandbox's webhook at the gateway. */
export function connectSandbox(sandbox: Sandbox, { url }: { url: string }): void {
  sandbox.setWebhook({ url: `${url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
}
