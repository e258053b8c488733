// Helpers for tests of a gateway that reconciles with a sandbox whose webhooks are lost or late.
import type { EndCallInput } from "../../sandbox/src/control/endCall.ts";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import type { TestGateway } from "../support/gateway.ts";

export interface CallEnded {
  sessionId: string;
  source: "WEBHOOK" | "RECONCILED";
  revision: number;
  hangupReason: string | null;
}

export const FIELDS = "sessionId source revision hangupReason";

export const EACH_SECOND = { RECONCILE_INTERVAL_S: "1" };

export async function eventOf(gateway: TestGateway, sessionId: string): Promise<CallEnded | null> {
  const query = `query($id: ID!) { callEnded(sessionId: $id) { ${FIELDS} } }`;
  return (await gateway.ask<{ callEnded: CallEnded | null }>(query, { id: sessionId })).data?.callEnded ?? null;
}

export const endCall = (sandbox: Sandbox, call: EndCallInput = {}): string => sandbox.control.endCall(call).sessionId;

export const searches = (sandbox: Sandbox) =>
  sandbox.control.requests().filter(({ path }) => path.endsWith("/calllog"));
