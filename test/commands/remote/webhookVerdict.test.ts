// What `switchboard doctor --webhook` makes of a gateway's facts, where time has passed since a webhook.
import { describe, expect, it } from "vitest";
import { judge, type Facts } from "../../../src/commands/remote/webhookCommand.ts";
import { instantOf } from "../../../src/format/instant.ts";

const MINUTE_MS = 60_000;

/** `acceptedMs`: before now. `call`: when its webhook came and how much later it ended. */
function facts(acceptedMs: number, call?: { receivedMs: number; aheadMs: number }): Facts {
  const now = Date.now();
  const webhooks = { lastAcceptedAt: instantOf(now - acceptedMs), unreadableInARow: 0, refused: null };
  const received = now - (call?.receivedMs ?? 0);
  const nodes = call
    ? [{ receivedAt: instantOf(received), endAt: instantOf(received + call.aheadMs), source: "WEBHOOK" as const }]
    : [];
  return { gateway: { webhooks, timesAheadMinutes: 0, notEnded: 0 }, callEndedEvents: { nodes } };
}

describe("The verdict on a webhook that was accepted before", () => {
  it("is waited for anew where it is older than ten minutes, unless there is no time to wait", () => {
    const old = facts(11 * MINUTE_MS);
    expect(judge(old, old, true)).toBeNull();
    expect(judge(old, old, false)).toMatchObject({ outcome: "arrived", code: 0 });
    const fresh = facts(9 * MINUTE_MS);
    expect(judge(fresh, fresh, true)).toMatchObject({ outcome: "arrived" });
  });

  it("doubts the time zone by the call that this webhook brought, and by no earlier one", () => {
    const wrong = facts(0, { receivedMs: 0, aheadMs: 480 * MINUTE_MS });
    expect(judge(wrong, wrong, true)).toMatchObject({ outcome: "wrongTimeZone", code: 78 });
    const mended = facts(0, { receivedMs: MINUTE_MS, aheadMs: 480 * MINUTE_MS });
    expect(judge(mended, mended, true)).toMatchObject({ outcome: "arrived", code: 0 });
  });

  it("says that it ends no call where no call is in the log", () => {
    const given = facts(0);
    given.gateway.notEnded = 1;
    expect(judge(given, given, true)?.text).toContain("It does not end a call");
  });
});
