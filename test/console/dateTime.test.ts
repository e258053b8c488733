// How the date and time fields read what people type.
import { describe, expect, it } from "vitest";
import { addDays, addMonths, weekdayOf, weeksOf } from "../../console/src/ui/dateTime/dateParts.ts";
import { orderOf, readDate, readEndTime, readTime } from "../../console/src/ui/dateTime/readDateTime.ts";

const DATE = { date: "2026-11-26" };

describe("The reader of dates", () => {
  it.each([
    "2026-11-26",
    " 2026/11/26 ",
    "2026.11.26",
    "20261126",
    "２０２６－１１－２６",
    "2026年11月26日",
    "2026 年 11 月 26 号",
    "26 Nov 2026",
    "26th November 2026",
    "Thu 26 Nov 2026",
    "Thursday, 26 November 2026",
    "Nov 26, 2026",
    "November 26th 2026",
    "Thu, Nov 26, 2026",
    "26-Nov-2026",
    "26.11.2026",
  ])("reads %s in each order", (text) => {
    for (const order of ["dmy", "mdy", "ymd"] as const) expect([order, readDate(text, order)]).toEqual([order, DATE]);
  });

  it("reads two numbers before the year in the viewer's order", () => {
    expect(readDate("3/4/2027", "dmy")).toEqual({ date: "2027-04-03" });
    expect(readDate("3/4/2027", "mdy")).toEqual({ date: "2027-03-04" });
    expect(readDate("3.4.2027", "mdy")).toEqual({ date: "2027-04-03" });
    expect(["en-US", "en-GB", "de", "zh-CN", "ja", "sv"].map(orderOf)).toEqual([
      "mdy",
      "dmy",
      "dmy",
      "ymd",
      "ymd",
      "ymd",
    ]);
  });

  it("says what is wrong, and reads nothing without a year", () => {
    expect(readDate("2026-02-30", "dmy")).toEqual({ problem: "day", year: 2026, month: 2, days: 28 });
    expect(readDate("2028-02-30", "dmy")).toEqual({ problem: "day", year: 2028, month: 2, days: 29 });
    expect(readDate("31 Nov 2026", "dmy")).toEqual({ problem: "day", year: 2026, month: 11, days: 30 });
    expect(readDate("11/26/2026", "dmy")).toEqual({ problem: "month" });
    for (const text of ["0206-11-26", "26/11/0206", "1999-12-31", "2200-01-01", "9999-12-31", "Nov 26, 0026"])
      expect([text, readDate(text, "dmy")]).toEqual([text, { problem: "year" }]);
    expect(["2000-01-01", "2199-12-31"].map((text) => readDate(text, "dmy"))).toEqual([
      { date: "2000-01-01" },
      { date: "2199-12-31" },
    ]);
    for (const text of ["", "26 Nov", "26/11", "26/11/26", "soon", "2026-11", "26 Foo 2026", "2026-11/26"])
      expect([text, readDate(text, "dmy")]).toEqual([text, { problem: "unknown" }]);
  });
});

describe("The reader of times", () => {
  it.each([
    [
      "09:00",
      [
        "9",
        "09",
        "9:00",
        "0900",
        "900",
        "9.00",
        "9h",
        "9h00",
        "9 am",
        "9:00 AM",
        "9时",
        "9点00分",
        "上午9点",
        "０９：００",
      ],
    ],
    ["18:30", ["18:30", "1830", "6:30 pm", "6.30 PM", "6:30p.m.", "下午6点30分", "18时30分"]],
    ["00:00", ["0", "00:00", "12 am", "0:00"]],
    ["12:00", ["12", "12 pm", "12:00"]],
    ["23:59", ["23:59", "11:59 pm"]],
  ])("reads %s in each writing", (time, texts) => {
    expect(texts.map(readTime)).toEqual(texts.map(() => time));
  });

  it("reads the end of a day only as the end of a period", () => {
    expect(["24:00", " 24:00 ", "9", "24:01", "25"].map(readEndTime)).toEqual(["24:00", "24:00", "09:00", null, null]);
  });

  it("reads no time that a day does not have", () => {
    const texts = ["", "24:00", "25", "9:60", "13 pm", "0 am", "9:5", "noon", "9:00:00", "-1", "99"];
    expect(texts.map(readTime)).toEqual(texts.map(() => null));
  });
});

describe("The days of a calendar", () => {
  it("step over months and years, and keep to the last day of a shorter month", () => {
    expect([addDays("2026-12-31", 1), addDays("2027-03-01", -1), addDays("2028-02-28", 1)]).toEqual([
      "2027-01-01",
      "2027-02-28",
      "2028-02-29",
    ]);
    expect([addMonths("2026-10-31", 1), addMonths("2026-01-31", -2), addMonths("2028-02-29", 12)]).toEqual([
      "2026-11-30",
      "2025-11-30",
      "2029-02-28",
    ]);
  });

  it("are dates at the ends of what a text can write", () => {
    expect([addDays("9999-12-31", 1), addDays("0001-01-01", -1), addMonths("9999-12-31", 1)]).toEqual([
      "9999-12-31",
      "0001-01-01",
      "9999-12-31",
    ]);
    expect([addMonths("0099-05-05", 1), addMonths("0096-01-31", 1)]).toEqual(["0099-06-05", "0096-02-29"]);
  });

  it("stand in weeks that begin on Monday, and only those of the month", () => {
    expect([weekdayOf("2026-11-23"), weekdayOf("2026-11-29")]).toEqual([0, 6]);
    const weeks = weeksOf("2026-11-26");
    expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([6, "2026-10-26", "2026-12-06"]);
    // February of 2027 has four whole weeks.
    expect(weeksOf("2027-02-10").map((week) => week[0])).toEqual([
      "2027-02-01",
      "2027-02-08",
      "2027-02-15",
      "2027-02-22",
    ]);
  });
});
