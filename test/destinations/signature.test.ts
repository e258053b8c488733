import { describe, expect, it } from "vitest";
import { signedHeaders } from "../../src/destinations/signature.ts";

/** The vector that the libraries of Standard Webhooks share: github.com/standard-webhooks/standard-webhooks, libraries/. */
const VECTOR = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  message: { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_999, body: '{"test": 2432232314}' },
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

describe("The signature of a message", () => {
  it("is that of Standard Webhooks", () => {
    expect(signedHeaders(VECTOR.message, [VECTOR.secret])).toEqual({
      "webhook-id": VECTOR.message.id,
      "webhook-timestamp": "1614265330",
      "webhook-signature": VECTOR.signature,
    });
  });

  it("has one part for each secret, so that a secret can be changed", () => {
    const other = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
    const both = signedHeaders(VECTOR.message, [other, VECTOR.secret])["webhook-signature"]?.split(" ");
    expect(both).toEqual([expect.stringMatching(/^v1,/), VECTOR.signature]);
    expect(both?.[0]).not.toBe(VECTOR.signature);
  });
});
