// Drops connections from addresses that send only rejected requests: 1,000 within a minute, and none accepted for a day. One
// of eight connections still gets through, so that a legitimate client behind the same address can authenticate and unblock
// it. An address without accepted requests may also not hold thousands of connections.
import type { Admit } from "../../auth/grant.ts";
import { andThen } from "../../util/maybePromise.ts";
import { createBoundedCache } from "../../util/boundedCache.ts";
import { DAY_MS, MINUTE_MS } from "../../util/durations.ts";
import { createFixedWindow } from "../../util/rates/fixedWindow.ts";

export interface ConnectionGuard {
  /** A request from the address was accepted: the address is trusted for a day. */
  recordAccepted(address: string): void;
  /** A request or a connection from the address was rejected. */
  recordRejected(address: string): void;
  /** For a new connection. False: drop it. True: call `close` when it is closed. */
  open(address: string): boolean;
  close(address: string): void;
}

export interface ConnectionGuardOptions {
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** Remembered addresses, of trusted and of untrusted ones each. */
  maxAddresses?: number;
}

export const MAX_REJECTED_PER_MINUTE = 1000;
export const ADMIT_ONE_OF = 8;
/** Connections of an address that is not trusted. Enough for an office whose clients all reconnect at once. */
export const MAX_UNKNOWN_CONNECTIONS = 5000;
const TRUST_MS = DAY_MS;
const MAX_ADDRESSES = 10_000;

/** For a gateway behind a proxy, where all connections come from one address. */
export const noConnectionGuard: ConnectionGuard = {
  recordAccepted() {},
  recordRejected() {},
  open: () => true,
  close() {},
};

export function createConnectionGuard({
  now = () => performance.now(),
  maxAddresses = MAX_ADDRESSES,
}: ConnectionGuardOptions = {}): ConnectionGuard {
  /** The end of the trust, by address. The address that was asked about least recently leaves first. */
  const trustedUntil = createBoundedCache<string, number>({ maxEntries: maxAddresses });
  const untrusted = new Map<string, { rejected: number; attempts: number }>();
  const openConnections = new Map<string, number>();
  const minute = createFixedWindow(MINUTE_MS, now, () => untrusted.clear());

  function isTrusted(address: string): boolean {
    const until = trustedUntil.get(address);
    return until !== undefined && now() < until;
  }
  /** Counts the connections of a blocked address, to let one of eight through. */
  function isBlocked(address: string): boolean {
    const entry = untrusted.get(address);
    if (!entry || entry.rejected < MAX_REJECTED_PER_MINUTE) return false;
    entry.attempts += 1;
    return entry.attempts % ADMIT_ONE_OF !== 0;
  }

  return {
    recordAccepted(address) {
      // Once a minute is often enough.
      const until = trustedUntil.get(address) ?? 0;
      if (until > now() + TRUST_MS - MINUTE_MS) return;
      untrusted.delete(address);
      trustedUntil.set(address, now() + TRUST_MS);
    },
    recordRejected(address) {
      minute.leftMs();
      if (isTrusted(address)) return;
      const entry = untrusted.get(address);
      if (entry) entry.rejected += 1;
      // Further addresses are not blocked: in an attack from so many, each sends little.
      else if (untrusted.size < maxAddresses) untrusted.set(address, { rejected: 1, attempts: 0 });
    },
    open(address) {
      minute.leftMs();
      const count = openConnections.get(address) ?? 0;
      if (isBlocked(address) || (count >= MAX_UNKNOWN_CONNECTIONS && !isTrusted(address))) return false;
      openConnections.set(address, count + 1);
      return true;
    },
    close(address) {
      const left = (openConnections.get(address) ?? 0) - 1;
      if (left > 0) openConnections.set(address, left);
      else openConnections.delete(address);
    },
  };
}

/** Admission that also records accepted requests. */
export function guardAdmission(admit: Admit, connectionGuard: ConnectionGuard): Admit {
  return (authorization, address) =>
    andThen(admit(authorization, address), (grant) => {
      if (grant) connectionGuard.recordAccepted(address);
      return grant;
    });
}
