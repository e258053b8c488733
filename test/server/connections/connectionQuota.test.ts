import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { addressOf } from "../../../src/server/connections/clientAddress.ts";
import { createTokenBucket, takeToken } from "../../../src/util/rates/tokenBucket.ts";
import { CONNECTION_LIMITS } from "../../../src/config/limits.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";

describe("A32: the connection quota of a caller", () => {
  it("is 1,000, releases each connection once, and is separate for each caller", () => {
    const places = createConnectionQuota();
    const held = Array.from({ length: CONNECTION_LIMITS.perCaller }, () => places.acquire("viewer web"));
    expect(held).not.toContain(null);
    expect(places.acquire("viewer web")).toBeNull();
    expect(places.acquire("viewer ops")).not.toBeNull();
    held[0]?.();
    held[0]?.();
    expect([places.acquire("viewer web") === null, places.acquire("viewer web")]).toEqual([false, null]);
  });
});

describe("a token bucket", () => {
  it("allows a burst, and then its rate, from any start", () => {
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

describe("the address of a client", () => {
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
  ])("behind %i proxies with X-Forwarded-For %j is %s", (proxies, forwarded, address) => {
    const request = { headers: { "x-forwarded-for": forwarded }, socket: { remoteAddress: "10.0.0.1" } };
    expect(addressOf(request as unknown as IncomingMessage, proxies)).toBe(address);
  });
});
