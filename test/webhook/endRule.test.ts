import { describe, expect, it } from "vitest";
import { createEndRule } from "../../src/webhook/endRule.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { events } from "../corpus/webhookEvents.ts";
import { eventData } from "./delivery.ts";

const parse = createParseCallEnded("Asia/Shanghai");

function whyNoEnd(event_name: unknown, data: Record<string, unknown>, names: readonly string[] = []): string | null {
  const parsed = parse(Buffer.from(JSON.stringify({ event_name, event_data: { session_id: "s-1", ...data } })));
  if ("unreadable" in parsed) throw new Error(parsed.unreadable);
  return createEndRule(names)(parsed.call);
}

const NO_END = "The event does not show that its call has ended.";
const OTHER_NAME = "EVENT_NAMES does not have the event's name.";

describe("createEndRule()", () => {
  it.each(events.map((each) => [each.name, each.isEnd ? "an end" : "no end", each] as const))(
    "takes the event %s of another service for %s",
    (_name, _text, { name, data, isEnd }) => {
      expect(whyNoEnd(name, data)).toBe(isEnd ? null : NO_END);
    },
  );

  it("takes every event that has the documented fields for an end, whatever its name", () => {
    for (const name of ["call_ended", "call_started", "", null, undefined, 7])
      expect(whyNoEnd(name, eventData)).toBeNull();
  });

  it.each(["answer_at", "record_url", "hangup_side", "hangup_reason", "duration", "billsec", "end_at"])(
    "takes the documented event without a readable %s for an end",
    (field) => {
      for (const value of ["", null, "odd", [1]])
        expect(whyNoEnd("call_ended", { ...eventData, [field]: value })).toBeNull();
    },
  );

  it("takes only events with a name of EVENT_NAMES, and with an end, for an end", () => {
    const names = ["call_ended", "CallEnd"];
    expect(whyNoEnd("CallEnd", eventData, names)).toBeNull();
    for (const name of ["call_analyzed", "CALL_ENDED", "", null])
      expect(whyNoEnd(name, eventData, names)).toBe(OTHER_NAME);
    expect(whyNoEnd("call_ended", { start_at: "2026-11-20 17:00:00" }, names)).toBe(NO_END);
  });
});
