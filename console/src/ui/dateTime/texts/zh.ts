import type { DateTimeTexts } from "./en.ts";

export const zh: DateTimeTexts = {
  openCalendar: "在日历中选择日期",
  calendar: "日历",
  previousMonth: "上个月",
  nextMonth: "下个月",
  unknownDate: (usual) => `请填写含年份的日期，例如 2026-11-26 或 ${usual}。`,
  noMonth: (usual) => `一年只有 12 个月。请填写日期，例如 2026-11-26 或 ${usual}。`,
  noYear: (first, last) => `请填写 ${first} 至 ${last} 之间的年份。`,
  noDay: (month, days) => `${month}只有 ${days} 天。`,
  noTime: "请填写 00:00 至 23:59 的时间，例如 09:00 或 下午6点。",
};
