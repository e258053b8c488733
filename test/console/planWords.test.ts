// The words in which a plan says when people are phoned.
import { describe, expect, it } from "vitest";
import type { ScheduleFragment } from "../../console/src/gql/graphql.ts";
import { countryText } from "../../console/src/views/tasks/plan/countryNames.ts";
import { beginWords, whenWords } from "../../console/src/views/tasks/plan/planWords.ts";
import { texts } from "../../console/src/views/tasks/plan/texts/texts.ts";
import { createDescribeSchedule, type ScheduleTexts } from "../../src/tasks/check/describeSchedule.ts";

const NOW = Date.parse("2026-11-26T02:30:00Z");
const DAYS = { first: "START_DATE", daily: "DAILY" } as const;
const BEGINS = { atOnce: "AT_ONCE", later: "LATER", over: "OVER" } as const;

/** As the gateway would say it, in Shanghai. */
function schedule(own: Partial<ScheduleTexts> & { days?: keyof typeof DAYS; zone?: string } = {}): ScheduleFragment {
  const { days = null, zone = "Asia/Shanghai", startDate = "2026-11-26", periods = [["09:00", "18:00"]] } = own;
  const described = createDescribeSchedule({ timeZone: zone, days, clock: () => NOW })({ startDate, periods });
  const { begin } = described;
  return { ...described, days: days && DAYS[days], begin: begin && BEGINS[begin] };
}
const place = { language: "en", zone: "Europe/London", now: NOW } as const;
const when = (own?: Parameters<typeof schedule>[0], zone = "Europe/London", language: "en" | "zh" = "en") =>
  whenWords(schedule(own), texts[language], { ...place, zone, language });
const begin = (own?: Parameters<typeof schedule>[0], language: "en" | "zh" = "en") =>
  beginWords(schedule(own), texts[language], { ...place, language });

describe("The words of a plan", () => {
  it("name the date once, with the hours of the service and of the viewer", () => {
    expect(when()).toBe("Thu 26 Nov 2026, 09:00–18:00 Asia/Shanghai (01:00–10:00 your time).");
    expect(when({}, "Europe/London", "zh")).toBe(
      "2026年11月26日周四，时段 09:00–18:00 Asia/Shanghai（您的时间 01:00–10:00）。",
    );
    const periods = [
      ["09:00", "12:00"],
      ["14:00", "18:00"],
    ];
    expect(when({ periods })).toBe(
      "Thu 26 Nov 2026, 09:00–12:00, 14:00–18:00 Asia/Shanghai (01:00–04:00, 06:00–10:00 your time).",
    );
  });

  it("name the viewer's day where it is another one, and say where both clocks agree", () => {
    expect(when({}, "America/Los_Angeles")).toBe(
      "Thu 26 Nov 2026, 09:00–18:00 Asia/Shanghai (Wed 25 Nov 17:00 – Thu 26 Nov 02:00 your time).",
    );
    expect(when({}, "Asia/Singapore")).toBe("Thu 26 Nov 2026, 09:00–18:00 Asia/Shanghai (the same in your time).");
    expect(when({}, "Asia/Shanghai")).toBe("Thu 26 Nov 2026, 09:00–18:00 Asia/Shanghai.");
  });

  it("say the viewer's hours of the next day of calls where clocks were changed since the first day", () => {
    const daily = (startDate: string) => when({ days: "daily", startDate, zone: "Europe/London" }, "Africa/Lagos");
    // The clocks of London were set back on 25 October.
    expect(daily("2026-10-01")).toBe(
      "From Thu 1 Oct 2026 on, each day 09:00–18:00 Europe/London (10:00–19:00 your time).",
    );
    expect(when({ days: "daily", startDate: "2026-10-01", zone: "Europe/London" }, "Africa/Abidjan")).toContain(
      "(the same in your time)",
    );
    expect(when({ startDate: "2026-10-01", zone: "Europe/London" }, "Africa/Lagos")).toContain(
      "(the same in your time)",
    );
  });

  it("say on which days it calls where that is known", () => {
    expect(when({ days: "first" }, "Asia/Shanghai")).toBe("On Thu 26 Nov 2026, 09:00–18:00 Asia/Shanghai.");
    expect(when({ days: "daily" }, "Asia/Shanghai")).toBe(
      "From Thu 26 Nov 2026 on, each day 09:00–18:00 Asia/Shanghai.",
    );
    expect(begin({ days: "daily" })).toBe("Starts at once.");
    expect(begin()).toBe(
      "Starts at once. Whether it also calls on later days is not known: the service’s document leaves it open.",
    );
  });

  it("say when it starts, and what is over or not known", () => {
    const days = "first";
    expect(begin({ days, startDate: "2026-11-29" })).toBe("Starts in 2 days.");
    expect(begin({ days, periods: [["13:00", "14:00"]] })).toBe("Starts in 2 hours.");
    expect(begin({ days, periods: [["10:45", "14:00"]] })).toBe("Starts in 15 minutes.");
    expect(begin({ days, periods: [["10:45", "14:00"]] }, "zh")).toBe("将于15分钟后开始。");
    expect(begin({ days, startDate: "2026-11-25" })).toBe("All of these hours are over, so nobody would be phoned.");
    expect(begin({ startDate: "2026-11-25" })).toMatch(/^All of these hours are over\. What the service does/);
    expect(begin({ days, periods: [["22:00", "02:00"]], startDate: "2026-11-25" })).toBe(
      "Whether it starts at once is not known.",
    );
  });

  it("are none for what the gateway does not read", () => {
    expect([when({ startDate: "soon" }), when({ periods: [["morning", "noon"]] })]).toEqual([null, null]);
    expect(when({ periods: [["22:00", "02:00"]] })).toBe("Thu 26 Nov 2026, 22:00–02:00 Asia/Shanghai.");
  });

  it("write days of every year, also where a text has more or fewer digits", () => {
    const far = (startsAt: string, endsAt: string) => {
      const periods = [{ from: "09:00", to: "18:00", startsAt, endsAt }];
      return whenWords({ ...schedule(), periods }, texts.en, place);
    };
    expect(far("0206-11-26T20:00:00.000Z", "0206-11-26T22:00:00.000Z")).toContain("Wed 26 Nov");
    expect(far("9999-12-31T23:00:00.000Z", "+010000-01-01T03:00:00.000Z")).toContain("Fri 31 Dec 23:00 – Sat 1 Jan");
  });

  it("name the countries of country codes in both languages", () => {
    expect([countryText("86", "en-GB", "others"), countryText("86", "zh-CN", "其他")]).toEqual([
      "+86 China",
      "+86 中国",
    ]);
    expect(countryText("7", "en-GB", "others")).toBe("+7 Russia and Kazakhstan");
    expect(countryText("1", "zh-CN", "其他")).toBe("+1 美国、加拿大和其他");
    expect(countryText("888", "en-GB", "others")).toBe("+888");
  });
});
