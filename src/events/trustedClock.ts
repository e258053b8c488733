// The gateway's clock. What is kept or deleted depends on the time, so no clock is trusted alone. The machine's clock, or the clock of
// PostgreSQL, is compared with the time that was accepted last, and with the Date header of the service's answers. It is in doubt when
// - it jumped by more than a quarter of the retention, unless the service on another machine has the same time, or
// - the service's clock differs by more than a day.
// In doubt nothing expires, and new entries get the later of the times. A mistake can thus only keep data longer.
import type { Logger } from "../logger.ts";
import type { ClockState, ClockStore } from "../store/shared/clockStore.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../util/durations.ts";
import { startRepeating } from "../util/startRepeating.ts";
import { httpDateMs } from "../format/instant.ts";

export interface TrustedClock extends AsyncDisposable {
  /** Epoch milliseconds, for what people see. A clock that jumped back goes on with the time that it should have. */
  now: () => number;
  /** For new entries: never behind, so that nothing expires too early. A clock that is in doubt because it is behind is corrected. */
  entryNow: () => number;
  /** For what expires or goes on with the time: not ahead either. A clock that is in doubt is corrected. */
  cautiousNow: () => number;
  /** Compares the clocks now. Nothing may be purged unless it resolves with null; else with what is wrong. Throws STORE_UNAVAILABLE. */
  check(): Promise<string | null>;
  /** What is wrong with the clock, in a few words. Null: nothing is known. */
  doubt: () => string | null;
  /** Takes a Date header of the service. */
  hear: (date: string) => void;
}

export interface TrustedClockDeps {
  store: ClockStore;
  /** The machine's clock. */
  clock: () => number;
  retentionMs: number;
  /** The service runs on another machine, as far as its address says. One on the same machine has the same wrong clock. */
  isServiceElsewhere: boolean;
  /** The clock is a sandbox's that runs faster than time. Then it is taken as it is. */
  isSimulated: boolean;
  /** A day on which the clock was right, as an operator said (CLOCK_CONFIRMED_ON). */
  confirmedOn: number | null;
  log: Logger;
  /** Milliseconds that nobody can set back. */
  uptime?: () => number;
  intervalMs?: number;
}

/** So many days of jumps need no second clock: the gateway may have been off. */
const MAX_JUMP_MS = 30 * DAY_MS;
const MAX_SERVICE_DIFFERENCE_MS = DAY_MS;
/** A confirmation counts from a day before its date to a day after it, in any time zone. */
const CONFIRMED_FOR_MS = 2 * DAY_MS;
const SAVE_MS = 10 * MINUTE_MS;
const HEAR_MS = 10 * SECOND_MS;

/** Compares the clocks before it resolves, and then each minute. Throws STORE_UNAVAILABLE. */
export async function openTrustedClock(deps: TrustedClockDeps): Promise<TrustedClock> {
  const { store, clock, retentionMs, isServiceElsewhere, isSimulated, confirmedOn, log } = deps;
  const { uptime = () => performance.now(), intervalMs = MINUTE_MS } = deps;
  const maxJumpMs = Math.min(retentionMs / 4, MAX_JUMP_MS);
  const maxDifferenceMs = Math.min(maxJumpMs, MAX_SERVICE_DIFFERENCE_MS);
  let state: ClockState = await store.state();
  let databaseAheadMs = 0;
  const lastSeen = state.accepted ?? (await store.lastTrace());
  let accepted = markOf(lastSeen);
  let service: Mark | null = null;
  let savedAt = -Infinity;
  let wrong: Doubt | null = null;
  let isOpen = false;

  /** A time, which goes on with the uptime. */
  function markOf(at: number | null): Mark | null {
    return at === null ? null : { at, uptime: uptime() };
  }
  const timeOf = (mark: Mark | null) => mark && Math.round(mark.at + uptime() - mark.uptime);
  const wall = () => Math.round(clock() + databaseAheadMs);
  const isConfirmed = (now: number) => confirmedOn !== null && Math.abs(now - confirmedOn) <= CONFIRMED_FOR_MS;
  const jumpOf = (now: number) => now - (timeOf(accepted) ?? now);

  function judge(now: number): Doubt | null {
    if (isSimulated || isConfirmed(now)) return null;
    const jumpMs = jumpOf(now);
    const hasJumped = Math.abs(jumpMs) > maxJumpMs;
    if (!hasJumped && state.confirmed !== null) return null;
    const served = timeOf(service);
    const differenceMs = served === null ? null : now - served;
    if (differenceMs !== null && Math.abs(differenceMs) > maxDifferenceMs)
      return { aheadMs: differenceMs, isJump: false, of: "the service's clock" };
    const isSupported = differenceMs !== null && isServiceElsewhere;
    return hasJumped && !isSupported
      ? { aheadMs: jumpMs, isJump: true, of: "the time that this database last saw" }
      : null;
  }

  async function measure(): Promise<void> {
    const sentAt = uptime();
    const time = await store.databaseTime();
    if (time !== null && !isSimulated) databaseAheadMs = time + (uptime() - sentAt) / 2 - clock();
  }
  async function accept(now: number): Promise<void> {
    const continued = Math.abs(jumpOf(now)) > maxJumpMs ? null : state.confirmed;
    const confirmed = isConfirmed(now) ? (continued ?? now) : continued;
    accepted = markOf(now);
    if (uptime() - savedAt < SAVE_MS && confirmed === state.confirmed) return;
    await store.save({ accepted: now, confirmed });
    state = { ...state, accepted: now, confirmed };
    savedAt = uptime();
  }
  function tell(next: Doubt | null): void {
    const [before, after] = [wrong && textOf(wrong), next && textOf(next)];
    wrong = next;
    if (before === after) return;
    if (after !== null)
      log.error({}, `the clock is in doubt: ${after}. Nothing expires until it is right or confirmed`);
    else log.warn({}, "the clock is not in doubt any more");
  }
  async function check(): Promise<string | null> {
    await measure();
    const now = wall();
    tell(judge(now));
    if (wrong === null) await accept(now);
    return wrong && textOf(wrong);
  }
  function hear(date: string): void {
    if (service && uptime() - service.uptime < HEAR_MS) return;
    const at = httpDateMs(date);
    if (Number.isNaN(at)) return;
    service = markOf(at);
    if (isOpen && (judge(wall()) === null) !== (wrong === null))
      void check().catch((err: unknown) => log.debug({ err }, "the clock could not be checked"));
  }
  /** The time of the machine or the database unless it is in doubt. `correct` gets the times of the other clocks then. */
  function read(correct: (found: Doubt, now: number, expected: number, served: number) => number): number {
    const now = wall();
    const found = judge(now);
    return found ? correct(found, now, timeOf(accepted) ?? now, timeOf(service) ?? now) : now;
  }

  await check();
  // The first purge does not go far beyond the time that the database had before this start.
  if (state.purgedAsOf === null) await store.save({ purgedAsOf: lastSeen ?? wall() });
  isOpen = true;
  const checks = startRepeating(async () => {
    await check().catch((err: unknown) => log.debug({ err }, "the clock could not be checked; the next check follows"));
    return intervalMs;
  });
  return {
    now: () => read(({ isJump, aheadMs }, now, expected) => (isJump && aheadMs < 0 ? expected : now)),
    entryNow: () => read(({ aheadMs }, now, ...others) => (aheadMs < 0 ? Math.max(now, ...others) : now)),
    cautiousNow: () =>
      read(({ aheadMs }, now, ...others) => (aheadMs < 0 ? Math.max(now, ...others) : Math.min(now, ...others))),
    check,
    doubt: () => wrong && textOf(wrong),
    hear,
    [Symbol.asyncDispose]: () => checks[Symbol.asyncDispose](),
  };
}

/** A time that was right at an uptime. */
interface Mark {
  at: number;
  uptime: number;
}

interface Doubt {
  /** Negative: it is behind. */
  aheadMs: number;
  /** It is not the time that was expected. */
  isJump: boolean;
  of: string;
}

function textOf({ aheadMs, of }: Doubt): string {
  const ms = Math.abs(aheadMs);
  const length = ms >= 2 * DAY_MS ? `${Math.floor(ms / DAY_MS)} days` : `${Math.floor(ms / HOUR_MS)} hours`;
  return `it is ${length} ${aheadMs > 0 ? "ahead of" : "behind"} ${of}`;
}
