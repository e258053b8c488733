// A sandbox in the test's own process, without a past, in which nothing happens by itself.
import { silentLog } from "./silentLog.ts";
import { createSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/sandbox.ts";
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

/** Points its webhook at the gateway. */
export function connect(sandbox: Sandbox, { url }: { url: string }): void {
  sandbox.setWebhook({ url: `${url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
}
