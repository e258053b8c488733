import { describe, expect, it } from "vitest";
import {
  createConnectionGuard,
  ADMIT_ONE_OF,
  MAX_UNKNOWN_CONNECTIONS,
  MAX_REJECTED_PER_MINUTE,
  noConnectionGuard,
  guardAdmission,
  type ConnectionGuard,
} from "../../../src/server/connections/connectionGuard.ts";
import { lastingGrant } from "../../../src/auth/grant.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

const BAD = "6.6.6.6";
const OTHER = "1.2.3.4";
const times = (count: number, work: () => void) => Array.from({ length: count }).forEach(work);
/** The number of connections of the address that were not cut. */
const lookedAt = (door: ConnectionGuard, address: string, count = ADMIT_ONE_OF * 10) =>
  Array.from({ length: count }, () => {
    const isLookedAt = door.open(address);
    if (isLookedAt) door.close(address);
    return isLookedAt;
  }).filter(Boolean).length;

describe("A45: an address with only rejected requests", () => {
  it("is cut from the thousandth rejection on, but for one of eight connections, and no other address is", () => {
    const door = createConnectionGuard();
    times(MAX_REJECTED_PER_MINUTE - 1, () => door.recordRejected(BAD));
    expect(lookedAt(door, BAD)).toBe(80);
    door.recordRejected(BAD);
    expect(lookedAt(door, BAD)).toBe(10);
    expect(lookedAt(door, OTHER)).toBe(80);
  });

  it("is cut until the minute is over", () => {
    let now = 0;
    const door = createConnectionGuard({ now: () => now });
    times(MAX_REJECTED_PER_MINUTE, () => door.recordRejected(BAD));
    now = 59_999;
    expect(lookedAt(door, BAD)).toBe(10);
    now = 60_000;
    expect(lookedAt(door, BAD)).toBe(80);
    times(MAX_REJECTED_PER_MINUTE - 1, () => door.recordRejected(BAD));
    expect(lookedAt(door, BAD)).toBe(80);
  });

  it("is not cut for a day after one accepted request", () => {
    let now = 0;
    const door = createConnectionGuard({ now: () => now });
    times(MAX_REJECTED_PER_MINUTE, () => door.recordRejected(BAD));
    door.recordAccepted(BAD);
    times(10 * MAX_REJECTED_PER_MINUTE, () => door.recordRejected(BAD));
    expect(lookedAt(door, BAD)).toBe(80);
    now = 86_400_000;
    times(MAX_REJECTED_PER_MINUTE, () => door.recordRejected(BAD));
    expect(lookedAt(door, BAD)).toBe(10);
  });

  it("is remembered up to a limit of addresses, and the oldest trusted address is forgotten", () => {
    let now = 0;
    const door = createConnectionGuard({ maxAddresses: 2, now: () => now });
    for (const address of ["a", "b", "a", "c"]) {
      // Accepted requests within the same minute are not recorded again.
      now += 60_001;
      door.recordAccepted(address);
    }
    for (const address of ["a", "b", "c", BAD, OTHER])
      times(MAX_REJECTED_PER_MINUTE, () => door.recordRejected(address));
    // "a" was accepted again after "b", so "b" was forgotten. Only two untrusted addresses are counted.
    expect(["a", "b", "c", BAD, OTHER].map((address) => lookedAt(door, address))).toEqual([80, 10, 80, 10, 80]);
  });
});

describe("A32: an address without accepted requests", () => {
  it("holds a limited number of connections, each released when it is closed", () => {
    const door = createConnectionGuard();
    times(MAX_UNKNOWN_CONNECTIONS, () => expect(door.open(BAD)).toBe(true));
    expect([door.open(BAD), door.open(OTHER)]).toEqual([false, true]);
    door.close(BAD);
    expect([door.open(BAD), door.open(BAD)]).toEqual([true, false]);
    door.recordAccepted(BAD);
    expect(door.open(BAD)).toBe(true);
  });
});

describe("the connection guard", () => {
  it("records an accepted key or token, and nothing else", async () => {
    const door = createConnectionGuard();
    times(MAX_REJECTED_PER_MINUTE, () => door.recordRejected(BAD));
    const grant = lastingGrant({ name: "web", scopes: new Set(), ...unrestricted });
    const admit = guardAdmission(async (key) => (key === "good" ? grant : null), door);
    expect(await admit("bad", BAD)).toBeNull();
    expect(lookedAt(door, BAD)).toBe(10);
    expect(await admit("good", BAD)).toBe(grant);
    expect(lookedAt(door, BAD)).toBe(80);
  });

  it("cuts nobody behind a proxy, where all come from one address", () => {
    times(MAX_REJECTED_PER_MINUTE, () => noConnectionGuard.recordRejected(BAD));
    expect(lookedAt(noConnectionGuard, BAD)).toBe(80);
  });
});
