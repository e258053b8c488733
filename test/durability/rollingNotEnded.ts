// Events that do not end their call, while a gateway of an earlier version and this one share a PostgreSQL.
import { expect } from "vitest";
import { emptySandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { spawnGateway } from "../support/gateway.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

const GOES_ON = {
  answer_at: "",
  end_at: "",
  duration: 0,
  billsec: 0,
  ring_time: 0,
  hangup_side: "",
  hangup_reason: "",
};
const event = (event_name: string, data: object) => ({ ...callEndedEvent({ ...data }), event_name });
const started = (session_id: string) => event("call_started", { session_id, ...GOES_ON, record_url: "" });

/** `main`: the entry point of the earlier version. */
export async function expectEndsOnly(database: string, main: string): Promise<void> {
  await using sandbox = await emptySandbox();
  const env = { DATABASE_URL: database, DRAIN_SECONDS: "1" };
  await using old = await spawnGateway(sandbox, env, main);
  await using current = await spawnGateway(sandbox, env);
  const query = "subscription { callEnded { sessionId eventName answerAt } }";
  await using stream = await openSse<{ callEnded: { sessionId: string } }>(current.url, { query });

  // The version before appends it as an ended call, and this one keeps it aside.
  for (const gateway of [old, current])
    expect((await gateway.deliver(started(gateway === old ? "at old" : "at current"))).status).toBe(200);
  const answered = { session_id: "at current", ...GOES_ON, answer_at: "2026-11-20 09:30:07" };
  expect((await current.deliver(event("call_answered", answered))).status).toBe(200);
  // Each end comes to the other gateway.
  const end = { answer_at: "", billsec: "", record_url: "" };
  await current.deliver(event("call_ended", { session_id: "at old", ...end }));
  expect((await stream.next())?.data?.callEnded).toMatchObject({ sessionId: "at old", eventName: "call_ended" });
  await old.deliver(event("call_ended", { session_id: "at current", ...end }));
  expect((await stream.next())?.data?.callEnded).toMatchObject({ sessionId: "at current", answerAt: null });

  const ask = '{ callStats { calls } callEnded(sessionId: "at current") { eventName answerAt } }';
  await until(async () => {
    const { data } = await current.ask<{ callEnded: { answerAt: string | null } | null }>(ask);
    return data?.callEnded?.answerAt != null;
  });
  const { data } = await current.ask(ask);
  expect(data).toMatchObject({ callStats: { calls: 2 }, callEnded: { eventName: "call_ended" } });
}
