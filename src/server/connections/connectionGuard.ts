// Cuts off who only knocks: an address of which a thousand requests were refused within a minute, while nobody of it was
// let in for a day, has most of its connections cut before a byte is read. One of eight is still looked at, so that whoever
// shares the address with such a one gets in by trying again, and opens the door for all of it. Nor may an address of which
// nobody was let in hold thousands of connections.
import type { Admit } from "../../auth/rateLimits.ts";
import { andThen } from "../../util/maybePromise.ts";

export interface ConnectionGuard {
  /** Somebody of the address was let in. */
  recordAccepted(address: string): void;
  /** Something of the address was refused. */
  recordRejected(address: string): void;
  /** For a connection that has just come: false where it is to be cut. Else `leave` is called when it is closed. */
  open(address: string): boolean;
  close(address: string): void;
}

export interface ConnectionGuardOptions {
  /** Milliseconds, from anywhere. */
  now?: () => number;
  /** How many addresses are remembered, of those who were let in and of those who were not. */
  maxAddresses?: number;
}

export const MAX_REJECTED_PER_MINUTE = 1000;
export const ADMIT_ONE_OF = 8;
/** Ten thousand readers of one office that come back at once are let in one by one meanwhile. */
export const MAX_UNKNOWN_CONNECTIONS = 5000;
const WINDOW_MS = 60_000;
const DAY_MS = 86_400_000;
const MOST_ADDRESSES = 10_000;

/** Behind a proxy everybody comes from one address: nobody is cut. */
export const noConnectionGuard: ConnectionGuard = {
  recordAccepted() {},
  recordRejected() {},
  open: () => true,
  close() {},
};

/** One window for all who are refused, so that forgetting them costs nothing, however many they were. */
export function createConnectionGuard({
  now = () => performance.now(),
  maxAddresses: most = MOST_ADDRESSES,
}: ConnectionGuardOptions = {}): ConnectionGuard {
  /** Until when, the one who was let in longest ago first. */
  const known = new Map<string, number>();
  const strangers = new Map<string, { refused: number; came: number }>();
  /** Connections that stand, by address. */
  const held = new Map<string, number>();
  let endsAt = now() + WINDOW_MS;

  function isKnown(address: string): boolean {
    const until = known.get(address);
    return until !== undefined && now() < until;
  }
  function forgetWindow(): void {
    if (now() < endsAt) return;
    strangers.clear();
    endsAt = now() + WINDOW_MS;
  }
  return {
    recordAccepted(address) {
      // Once a minute is enough to know who came last.
      const until = known.get(address) ?? 0;
      if (until > now() + DAY_MS - WINDOW_MS) return;
      strangers.delete(address);
      known.delete(address);
      known.set(address, now() + DAY_MS);
      const [oldest] = known.keys();
      if (known.size > most && oldest !== undefined) known.delete(oldest);
    },
    recordRejected(address) {
      forgetWindow();
      if (isKnown(address)) return;
      const stranger = strangers.get(address);
      if (stranger) stranger.refused += 1;
      // Of more addresses than that, each is looked at: where the many are an attack, none of them is one that comes often.
      else if (strangers.size < most) strangers.set(address, { refused: 1, came: 0 });
    },
    open(address) {
      forgetWindow();
      const count = held.get(address) ?? 0;
      if (onlyKnocks(address) || (count >= MAX_UNKNOWN_CONNECTIONS && !isKnown(address))) return false;
      held.set(address, count + 1);
      return true;
    },
    close(address) {
      const left = (held.get(address) ?? 0) - 1;
      if (left > 0) held.set(address, left);
      else held.delete(address);
    },
  };

  function onlyKnocks(address: string): boolean {
    const stranger = strangers.get(address);
    if (!stranger || stranger.refused < MAX_REJECTED_PER_MINUTE) return false;
    stranger.came += 1;
    return stranger.came % ADMIT_ONE_OF !== 0;
  }
}

/** The same admission, which tells the door who was let in. */
export function guardAdmission(admit: Admit, door: ConnectionGuard): Admit {
  return (authorization, address) =>
    andThen(admit(authorization, address), (grant) => {
      if (grant) door.recordAccepted(address);
      return grant;
    });
}
