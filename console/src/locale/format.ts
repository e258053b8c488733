// Numbers, durations and times as they are written in a language.
import type { Texts } from "../texts/en.ts";
import type { Language } from "./preferences.ts";

export interface Format {
  number(value: number): string;
  /** `share`: 0 to 1. */
  percent(share: number): string;
  /** `3 m 12 s`; below ten seconds with a tenth. */
  duration(ms: number): string;
  /** `2 min ago` below an hour, then the time of day, then with its day. */
  ago(iso: string, now: number): string;
  timeOfDay(iso: string | number): string;
  /** With the day and the zone. */
  exact(iso: string, zone?: string): string;
  /** `23 Nov`, in the viewer's zone. */
  day(ms: number): string;
  /** The day and the time without seconds, with the year where it is another one. */
  minute(iso: string, zone?: string): string;
  /** The viewer's zone, such as UTC or GMT+8. */
  zone: string;
}

const HOUR = 3_600_000;

export function createFormat(language: Language, texts: Texts["format"]): Format {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percentSign = language === "zh" ? "%" : "\u00a0%";
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  const clock: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
  const times = new Intl.DateTimeFormat(locale, clock);
  const day: Intl.DateTimeFormatOptions = { day: "numeric", month: "short" };
  const toMinute: Intl.DateTimeFormatOptions = { ...day, ...clock, second: undefined };
  const days = new Intl.DateTimeFormat(locale, toMinute);
  const dates = new Intl.DateTimeFormat(locale, day);
  const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

  const byZone = new Map<string, Intl.DateTimeFormat>();

  function exact(iso: string, zone = viewerZone): string {
    // Making a formatter takes much longer than using it.
    const parts =
      byZone.get(zone) ?? new Intl.DateTimeFormat(locale, { ...day, year: "numeric", ...clock, timeZone: zone });
    byZone.set(zone, parts);
    return `${parts.format(new Date(iso))} ${zone}`;
  }
  function minute(iso: string, zone = viewerZone): string {
    const at = new Date(iso);
    const isThisYear = at.getFullYear() === new Date().getFullYear();
    const year = isThisYear ? {} : { year: "numeric" as const };
    return new Intl.DateTimeFormat(locale, { ...toMinute, ...year, timeZone: zone }).format(at);
  }
  function duration(ms: number): string {
    const { hours, minutes, seconds } = texts;
    if (ms < 9950) return `${numbers.format(Math.max(0, Math.round(ms / 100)) / 10)} ${seconds}`;
    const total = Math.round(ms / 1000);
    const [h, m, s] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
    if (h > 0) return `${numbers.format(h)} ${hours} ${m} ${minutes}`;
    return m > 0 ? `${m} ${minutes} ${s} ${seconds}` : `${s} ${seconds}`;
  }
  function ago(iso: string, now: number): string {
    const ms = now - Date.parse(iso);
    if (ms < 60_000) return relative.format(-Math.max(0, Math.round(ms / 1000)), "second");
    if (ms < HOUR) return relative.format(-Math.floor(ms / 60_000), "minute");
    return ms < 20 * HOUR ? times.format(new Date(iso)) : days.format(new Date(iso));
  }
  return {
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share * 100) + percentSign,
    duration,
    ago,
    timeOfDay: (iso) => times.format(new Date(iso)),
    exact,
    day: (ms) => dates.format(ms),
    minute,
    zone: zoneName(locale),
  };
}

function zoneName(locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { timeZoneName: "short" }).formatToParts(new Date());
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
}
