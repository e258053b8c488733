// A sandbox in the test's own process, whose webhooks are lost and late as the test says, and a gateway that searches.
import { silentLog } from "../../src/log.ts";
import type { CallNowInput } from "../../src/sandbox/callNow.ts";
import { createSandbox, type Sandbox } from "../../src/sandbox/sandbox.ts";
import type { GatewayProgram } from "../support/gateway.ts";
import { TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

export interface CallEnded {
  sessionId: string;
  source: "WEBHOOK" | "RECONCILED";
  revision: number;
  hangupReason: string | null;
}

export const FIELDS = "sessionId source revision hangupReason";

export const EACH_SECOND = { RECONCILE_INTERVAL_S: "1" };

/** No past, and nothing that happens by itself. */
export const emptySandbox = (): Promise<Sandbox> =>
  createSandbox({
    token: TOKEN,
    timeZone: TIME_ZONE,
    webhook: null,
    traffic: false,
    history: { tasks: 0, calls: 0, days: 0 },
    log: silentLog,
  });

export function connect(sandbox: Sandbox, { url }: GatewayProgram): void {
  sandbox.setWebhook({ url: `${url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
}

export async function eventOf(gateway: GatewayProgram, sessionId: string): Promise<CallEnded | null> {
  const query = `query($id: ID!) { callEnded(sessionId: $id) { ${FIELDS} } }`;
  return (await gateway.ask<{ callEnded: CallEnded | null }>(query, { id: sessionId })).data?.callEnded ?? null;
}

export const endCall = (sandbox: Sandbox, call: CallNowInput = {}): string => sandbox.control.endCall(call).sessionId;

export const searches = (sandbox: Sandbox) =>
  sandbox.control.requests().filter(({ path }) => path.endsWith("/calllog"));
