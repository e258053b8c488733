import { describe, expect, it } from "vitest";
import type { CallEndedData } from "../../../src/events/callEndedEvent.ts";
import { deliveryOf, reviseCall } from "../../../src/events/reviseCall.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";
import { callEnded } from "../../events/callEnded.ts";
import { databases } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

const SINCE = "2026-11-20T08:00:00.000Z";
const at = (time: string) => `2026-11-20T${time}Z`;
const told = (own: Partial<CallEndedData> & { sessionId: string }, receivedAt: string, source = "WEBHOOK" as const) =>
  deliveryOf(callEnded(own), source, receivedAt);

describe.each(databases)("The arrivals of the log (%s)", (_, { create }) => {
  it("are counted by the hour in which a call ended, and by what told it first, with the mean delay", async () => {
    const { events, stats } = await tempStore((await create()).url);
    const found = callEnded({ sessionId: "found", endAt: at("09:30:00.000") });
    await events.append(
      [
        told({ sessionId: "before", endAt: at("07:59:59.999") }, at("08:00:00.000")),
        told({ sessionId: "late", endAt: at("08:59:59.500") }, at("09:00:00.000")),
        told({ sessionId: "second", endAt: at("09:10:00.000") }, at("09:10:01.000")),
        told({ sessionId: "days", endAt: at("09:20:00.000") }, "2026-11-22T09:20:02.000Z"),
        deliveryOf(found, "RECONCILED", at("09:45:00.000")),
        told({ sessionId: "endless", endAt: null }, at("10:00:00.000")),
      ],
      reviseCall,
    );
    // Its webhook comes after all, and changes it: it stays a call that was found without one.
    await events.append([deliveryOf({ ...found, billsec: 51 }, "WEBHOOK", at("09:50:00.000"))], reviseCall);
    const arrivals = await stats.arrivals(createQueryOwner("web"), SINCE);
    expect(arrivals.map(({ meanDelay: __, ...counts }) => counts)).toEqual([
      { hour: "2026-11-20T08", webhooks: 1, reconciled: 0 },
      { hour: "2026-11-20T09", webhooks: 2, reconciled: 1 },
      { hour: "2026-11-20T10", webhooks: 1, reconciled: 0 },
    ]);
    const [first, second, third] = arrivals;
    expect(first?.meanDelay).toBeCloseTo(0.5);
    expect(second?.meanDelay).toBeCloseTo((1 + 2 * 86_400 + 2) / 2);
    expect(third?.meanDelay).toBeNull();
  });

  it("have no delay of calls that ended before the log began", async () => {
    const { events, stats } = await tempStore((await create()).url);
    await events.append(
      [
        told({ sessionId: "yesterday", endAt: at("08:10:00.000") }, at("09:00:00.000")),
        told({ sessionId: "just before", endAt: at("09:00:00.000") }, at("09:00:04.000")),
        told({ sessionId: "since", endAt: at("09:10:00.000") }, at("09:10:02.000")),
      ],
      reviseCall,
    );
    const [first, second] = await stats.arrivals(createQueryOwner("web"), SINCE);
    expect(first).toEqual({ hour: "2026-11-20T08", webhooks: 1, reconciled: 0, meanDelay: null });
    expect(second?.webhooks).toBe(2);
    expect(second?.meanDelay).toBeCloseTo(3);
  });

  it("have the deliveries that could not be read, by the hour of their receipt", async () => {
    const { quarantine, stats } = await tempStore((await create()).url);
    const add = (receivedAt: string, kind: "UNREADABLE" | "NOT_ENDED", text: string) =>
      quarantine.add({ receivedAt, kind, reason: "x", charset: null, sessionId: null, body: Buffer.from(text) });
    await add(at("07:59:59.999"), "UNREADABLE", "before");
    await add(at("08:00:00.000"), "UNREADABLE", "one");
    await add(at("08:59:59.999"), "UNREADABLE", "two");
    await add(at("08:30:00.000"), "NOT_ENDED", "no end");
    await add(at("11:00:00.000"), "UNREADABLE", "three");
    expect(await stats.unreadable(createQueryOwner("web"), SINCE)).toEqual([
      { hour: "2026-11-20T08", count: 2 },
      { hour: "2026-11-20T11", count: 1 },
    ]);
  });
});
