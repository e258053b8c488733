// The clocks, zones and loads beside which the tests have to pass.
import { execFileSync } from "node:child_process";
import { faketimeLibrary } from "./faketimeLibrary.ts";

/** Times of the day: when it has just begun, at night, at an odd minute, at noon, and so that the day ends during the run. */
export const HOURS = ["00:00", "02:00", "06:22", "12:00", "23:55"];
/**
 * Far from UTC on both sides, one of them with half an hour and daylight-saving time. The third is the zone of the service in tests: its
 * day ends during the run at 23:55, and with it the range of a list without one.
 */
export const ZONES = ["Pacific/Kiritimati", "America/St_Johns", "Asia/Shanghai"];
export const BUSY_PROCESSES = 4;

export interface Cell {
  name: string;
  /** What sets the clock and the zone, for a program that starts now. */
  environment(): Record<string, string>;
  busyProcesses: number;
}

/** `time`: HH:MM for the next such time of the zone, or YYYY-MM-DD HH:MM. */
export function clockCell(time: string, zone: string, busyProcesses: number): Cell {
  return {
    name: `${time} ${zone}${besideLoad(busyProcesses)}`,
    busyProcesses,
    environment() {
      const environment = { TZ: zone, ...fakeClock(momentOf(time, zone)) };
      assertClock(environment, time);
      return environment;
    },
  };
}

export function loadCell(busyProcesses: number): Cell {
  return { name: `now${besideLoad(busyProcesses)}`, busyProcesses, environment: () => ({}) };
}

const besideLoad = (processes: number): string => (processes === 0 ? "" : `, beside ${processes} busy processes`);

/** Never before now: files that are just written would come from the future. */
function momentOf(time: string, zone: string): Temporal.ZonedDateTime {
  if (time.includes(" ")) return Temporal.PlainDateTime.from(time.replace(" ", "T")).toZonedDateTime(zone);
  const now = Temporal.Now.zonedDateTimeISO(zone);
  const today = now.withPlainTime(time);
  return Temporal.ZonedDateTime.compare(today, now) < 0 ? today.add({ days: 1 }) : today;
}

/** The clock goes on from this moment. It is set by its distance, so that all programs of the run have the same one. */
function fakeClock(moment: Temporal.ZonedDateTime): Record<string, string> {
  const ownDistance = Number.parseFloat(process.env["FAKETIME"] ?? "0");
  // Rounded up: a second earlier, the clock would show the minute before.
  const seconds = Math.ceil((moment.epochMilliseconds - Date.now()) / 1000 + ownDistance);
  return {
    LD_PRELOAD: faketimeLibrary(),
    FAKETIME: `${seconds < 0 ? "" : "+"}${seconds}s`,
    // Timers and timeouts go by the monotonic clock.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    // With it, each wait of Chromium's threads would end at once, and a browser would take all processors.
    FAKETIME_FORCE_MONOTONIC_FIX: "0",
  };
}

/** A Node that ignores the library, such as a static one, would pass each cell at the time of the machine. */
function assertClock(environment: Record<string, string>, time: string): void {
  const script = "console.log(Temporal.Now.plainDateTimeISO().toString({ smallestUnit: 'minute' }))";
  const env = { ...process.env, ...environment };
  const seen = execFileSync(process.execPath, ["--eval", script], { env, encoding: "utf8" }).trim();
  if (!seen.replace("T", " ").endsWith(time)) throw new Error(`The clock should show ${time}, and shows ${seen}.`);
}
