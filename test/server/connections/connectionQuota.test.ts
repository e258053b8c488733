import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { addressOf } from "../../../src/server/connections/clientAddress.ts";
import { createTokenBucket, takeToken } from "../../../src/util/tokenBucket.ts";
import { createConnectionQuota, MAX_CONNECTIONS } from "../../../src/server/connections/connectionQuota.ts";

describe("A32: one caller holds so many places, and no more", () => {
  it("1,000 of them, each given back once, whatever others hold", () => {
    const places = createConnectionQuota();
    const held = Array.from({ length: MAX_CONNECTIONS }, () => places.acquire("viewer web"));
    expect(held).not.toContain(null);
    expect(places.acquire("viewer web")).toBeNull();
    expect(places.acquire("viewer ops")).not.toBeNull();
    held[0]?.();
    held[0]?.();
    expect([places.acquire("viewer web") === null, places.acquire("viewer web")]).toEqual([false, null]);
  });
});

describe("a peer may send a burst, and then at its pace", () => {
  it("whenever it begins", () => {
    let now = 5000;
    const limits = { burst: 3, perSecond: 2 };
    const pace = createTokenBucket(limits, now);
    const allowed = (count: number) =>
      Array.from({ length: count }, () => takeToken(pace, limits, now)).filter(Boolean).length;
    expect(allowed(10)).toBe(3);
    now += 1000;
    expect(allowed(10)).toBe(2);
    now += 3_600_000;
    expect(allowed(10)).toBe(3);
  });
});

describe("an address is the peer's, or what the trusted proxies say, and of IPv6 the network", () => {
  it.each([
    [0, "6.6.6.6", "10.0.0.1"],
    [1, undefined, "10.0.0.1"],
    [1, "", "10.0.0.1"],
    [1, "1.2.3.4", "1.2.3.4"],
    [1, "6.6.6.6, 1.2.3.4", "1.2.3.4"],
    [2, "6.6.6.6, 1.2.3.4, 5.6.7.8", "1.2.3.4"],
    [3, "1.2.3.4, 5.6.7.8", "10.0.0.1"],
    [1, "::ffff:1.2.3.4", "1.2.3.4"],
    [1, "2001:db8:0:7:1:2:3:4", "2001:db8:0:7::/64"],
    [1, "2001:DB8:0000:0007::9", "2001:db8:0:7::/64"],
    [1, "2001:db8::7:1:2:3:4", "2001:db8:0:7::/64"],
    [1, "2001:db8::1", "2001:db8:0:0::/64"],
    [1, "64:ff9b::1.2.3.4", "64:ff9b:0:0::/64"],
    [1, "::1", "0:0:0:0::/64"],
    [1, "fe80::1%eth0", "fe80:0:0:0::/64"],
    [1, "no address", "no address"],
  ])("behind %i proxies, %j: %s", (proxies, forwarded, address) => {
    const request = { headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress: "10.0.0.1" } };
    expect(addressOf(request as unknown as IncomingMessage, proxies)).toBe(address);
  });
});
