// When the console asks the gateway again what a schedule says.
import { describe, expect, it } from "vitest";
import type { ScheduleFragment } from "../../console/src/gql/graphql.ts";
import { nextChange } from "../../console/src/views/tasks/plan/nextChange.ts";

const at = (text: string) => Date.parse(`2026-11-26T${text}Z`);
const schedule = (own: Partial<ScheduleFragment> = {}): ScheduleFragment => ({
  timeZone: "Asia/Shanghai",
  startDate: "2026-11-26",
  days: "START_DATE",
  periods: [
    { from: "09:00", to: "18:00", startsAt: "2026-11-26T01:00:00.000Z", endsAt: "2026-11-26T10:00:00.000Z" },
    { from: "22:00", to: "02:00", startsAt: "2026-11-26T14:00:00.000Z", endsAt: null },
  ],
  begin: "AT_ONCE",
  startsAt: null,
  ...own,
});
const msBeyond = (text: string, now: string, own?: Partial<ScheduleFragment>) =>
  (nextChange(schedule(own), at(now)) ?? Number.NaN) - at(text);

describe("The next change of a schedule", () => {
  it("is a little after a period begins or ends", () => {
    expect([msBeyond("01:00:00", "00:59:59"), msBeyond("10:00:00", "01:00:00")]).toEqual([500, 500]);
    expect(msBeyond("14:00:00", "10:00:00")).toBe(500);
    expect(nextChange(schedule(), at("14:00:00"))).toBeNull();
    expect(nextChange(undefined, at("14:00:00"))).toBeNull();
  });

  it("is also the begin of the next period, on whatever day", () => {
    const later = { begin: "LATER", startsAt: "2026-11-26T20:00:00.000Z" } as const;
    expect(msBeyond("20:00:00", "15:00:00", later)).toBe(500);
  });

  it("is soon where the gateway says later of what has begun by the browser's clock", () => {
    const later = { begin: "LATER", startsAt: "2026-11-26T01:00:00.000Z" } as const;
    expect(msBeyond("01:00:05", "01:00:00", later)).toBe(0);
    expect(msBeyond("01:20:05", "01:20:00", later)).toBe(0);
  });
});
