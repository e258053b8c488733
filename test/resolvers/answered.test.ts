import { describe, expect, it } from "vitest";
import { reportedAnswered } from "../../src/events/callEndedEvent.ts";
import { answeredOfCall, type JoinedCall } from "../../src/resolvers/call.ts";
import { callLog } from "./world.ts";

const callOf = (own: Partial<JoinedCall>): JoinedCall => ({
  sessionId: "s",
  event: () => null,
  row: () => {
    throw new Error("the list was asked");
  },
  ...own,
});
const nothing = { answerAt: null, billsec: null };

describe("answered", () => {
  it.each(["answerAt", "billsec"])("is null if the %s of a row or an event could not be read", async (field) => {
    const odd = { ...nothing, unread: [{ field, text: "odd" }] };
    const row = callLog({ sessionId: "s", ...odd });
    expect(await answeredOfCall(callOf({ row: () => row }))).toBeNull();
    expect(await answeredOfCall(row)).toBeNull();
    expect([reportedAnswered(odd), reportedAnswered({ ...odd, billsec: 3 })]).toEqual([null, true]);
  });

  it("is false if another field could not be read, or nothing was sent", async () => {
    const row = callLog({ sessionId: "s", ...nothing, unread: [{ field: "endAt", text: "odd" }] });
    expect(await answeredOfCall(callOf({ row: () => row }))).toBe(false);
    expect(reportedAnswered(row)).toBe(false);
  });
});
