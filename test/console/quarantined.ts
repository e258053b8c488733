// Deliveries for the console's list of the quarantine.
import { encodeText } from "../support/encodeText.ts";
import { callEndedEvent } from "../support/events.ts";
import type { TestGateway } from "../support/gateway.ts";
import { bearer } from "../support/keys.ts";
import { WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";

/** Two that cannot be read, one whose sender declares a wrong charset, and an event that does not end its call. The first one is "not json". */
export async function deliverToQuarantine(gateway: TestGateway): Promise<void> {
  await gateway.deliver("not json");
  await gateway.deliver(JSON.stringify({ event_data: "nothing" }));
  await gateway.deliver(JSON.stringify({ event_name: "call_started", event_data: { session_id: "started" } }));
  // Without times, so that it ends when it is read.
  const own = { session_id: "gbk", start_at: "", answer_at: "", end_at: "", extra: { 姓名: "张三" } };
  await fetch(`${gateway.url}/calllog`, {
    method: "POST",
    headers: { authorization: WEBHOOK_AUTHORIZATION, "content-type": "application/json; charset=utf-8" },
    body: new Uint8Array(encodeText(JSON.stringify(callEndedEvent(own)), "gbk")),
  });
}

export async function countQuarantined(gateway: TestGateway): Promise<number | undefined> {
  const headers = { authorization: bearer("admin") };
  const { data } = await gateway.ask<{ gateway: { quarantined: number } }>("{ gateway { quarantined } }", {}, headers);
  return data?.gateway.quarantined;
}
