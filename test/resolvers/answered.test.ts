import { describe, expect, it } from "vitest";
import { reportedAnswered } from "../../src/events/callEndedEvent.ts";
import { answeredOfCall, type Call } from "../../src/resolvers/call.ts";
import { callLog } from "./world.ts";

const callOf = (own: Partial<Call>): Call => ({
  sessionId: "s",
  rowOnly: null,
  event: () => null,
  row: () => {
    throw new Error("the list was asked");
  },
  ...own,
});
const nothing = { answerAt: null, billsec: null };

describe("whether a call was answered is not said where what tells it cannot be read", () => {
  it.each(["answerAt", "billsec"])("%s, of a row or an event", async (field) => {
    const odd = { ...nothing, unread: [{ field, text: "odd" }] };
    const row = callLog({ sessionId: "s", ...odd });
    expect(await answeredOfCall(callOf({ row: () => row }))).toBeNull();
    expect(await answeredOfCall(callOf({ rowOnly: row }))).toBeNull();
    expect([reportedAnswered(odd), reportedAnswered({ ...odd, billsec: 3 })]).toEqual([null, true]);
  });

  it("and is no, where something else is odd or nothing came", async () => {
    const row = callLog({ sessionId: "s", ...nothing, unread: [{ field: "endAt", text: "odd" }] });
    expect(await answeredOfCall(callOf({ row: () => row }))).toBe(false);
    expect(reportedAnswered(row)).toBe(false);
  });
});
