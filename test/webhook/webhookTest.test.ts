import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BODY_LIMITS } from "../../src/config/limits.ts";
import { testBody } from "../../src/webhook/sendWebhookTest.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { createWebhookTests } from "../../src/webhook/webhookTest.ts";

const AT = Date.UTC(2026, 10, 27, 9);
const MINUTE = 60_000;
const signer = createSigner(Buffer.alloc(32, 1));

function tests(...accepted: string[]) {
  let now = AT;
  const own = createWebhookTests({ accepted: () => accepted, signer, path: "/calllog", clock: () => now });
  return { ...own, at: (ms: number) => void (now = AT + ms) };
}

describe("a test of the webhook's way", () => {
  it("is known for five minutes by each gateway of the database that accepts its value, also as the previous one", () => {
    const { authorization, expiresAt, path, bytes } = tests("old value").issue();
    expect({ expiresAt, path, bytes }).toEqual({
      expiresAt: "2026-11-27T09:05:00.000Z",
      path: "/calllog",
      bytes: BODY_LIMITS.webhook,
    });
    const other = tests("new value", "old value");
    for (const [at, isKnown] of [
      [-4 * MINUTE, true],
      [0, true],
      [5 * MINUTE - 1, true],
      [5 * MINUTE, false],
      [60 * MINUTE, false],
    ] as const) {
      other.at(at);
      expect([at, other.isTest(authorization)]).toEqual([at, isKnown]);
    }
    expect(tests("another value").isTest(authorization)).toBe(false);
    expect(tests().isTest(authorization)).toBe(false);
  });

  it("does not show the value to anybody without the database's key, and is no value that webhooks may have", () => {
    const { authorization } = tests("canary-value").issue();
    expect(authorization).not.toContain("canary");
    const elsewhere = createWebhookTests({
      accepted: () => ["canary-value"],
      signer: createSigner(Buffer.alloc(32, 2)),
      path: "/calllog",
      clock: () => AT,
    });
    expect(elsewhere.isTest(authorization)).toBe(false);
    expect(tests("canary-value").isTest("canary-value")).toBe(false);
    expect(tests("canary-value").isTest(undefined)).toBe(false);
  });

  it("is refused with any other end or signature", () => {
    const own = tests("value");
    const { authorization } = own.issue();
    const letter = fc.constantFrom("a", "Z", "0", "9", "-", "_", ".", " ");
    fc.assert(
      fc.property(fc.nat(authorization.length - 1), fc.array(letter, { maxLength: 3 }), (at, letters) => {
        const changed = authorization.slice(0, at) + letters.join("") + authorization.slice(at + 1);
        expect(changed === authorization || !own.isTest(changed)).toBe(true);
      }),
    );
    for (const odd of ["Webhook-Test ", "Webhook-Test  ", `Webhook-Test ${"A".repeat(90)}`, "Webhook-Test \0"])
      expect(own.isTest(odd)).toBe(false);
  });

  it("has a body of exactly the bytes that a webhook may have, and tells it from each other", () => {
    const own = tests("value");
    const body = Buffer.from(testBody(BODY_LIMITS.webhook));
    expect(body.byteLength).toBe(BODY_LIMITS.webhook);
    expect(JSON.parse(body.toString())).toHaveProperty("filler");
    expect(own.isUnchanged(body)).toBe(true);
    expect(own.isUnchanged(body.subarray(1))).toBe(false);
    expect(own.isUnchanged(Buffer.from(body.toString("latin1")))).toBe(false);
  });
});
