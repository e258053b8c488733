import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSigner } from "../../src/util/hmac.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import {
  createCorrelationTokens,
  CORRELATION_KEY,
  withoutCorrelationToken,
  withoutTokensIn,
} from "../../src/tasks/correlationToken.ts";
import { signer } from "../events/callEnded.ts";
import { createRequest } from "../upstream/service.ts";

const tokens = createCorrelationTokens(signer);
const withToken = (extra: Record<string, unknown> | null, id = "s-1") =>
  runSync(tokens.attach(createRequest({ numbers: [{ number: "1", extra }] }), id)).numbers[0]?.extra as Record<
    string,
    unknown
  >;

describe("The correlation token of a submission", () => {
  it("is on every number, beside its variables", () => {
    const numbers = [
      { number: "1", extra: { 姓名: "Li" } },
      { number: "2", extra: null },
    ];
    const numbersWithToken = runSync(tokens.attach(createRequest({ numbers }), "s-1")).numbers;
    const token = numbersWithToken[0]?.extra?.[CORRELATION_KEY];
    expect(numbersWithToken).toEqual([
      { number: "1", extra: { 姓名: "Li", [CORRELATION_KEY]: token } },
      { number: "2", extra: { [CORRELATION_KEY]: token } },
    ]);
    expect(token).toMatch(/^s-1.{16}$/);
  });

  it("is read back as its submission, and no other text is", () => {
    expect(tokens.submissionIdOf(withToken({ a: 1 }, "s-7"))).toBe("s-7");
    for (const extra of [
      null,
      {},
      { [CORRELATION_KEY]: 7 },
      { [CORRELATION_KEY]: "s-7" },
      { [CORRELATION_KEY]: `s-7${"A".repeat(16)}` },
    ]) {
      expect(tokens.submissionIdOf(extra)).toBeNull();
    }
    expect(createCorrelationTokens(createSigner(Buffer.alloc(32, 8))).submissionIdOf(withToken({}))).toBeNull();
    expect(tokens.submissionIdOf({ [CORRELATION_KEY]: signer.sign("event", "s-7") })).toBeNull();
  });

  it("is hidden in the text of a delivery, also where the variables are JSON in a text or the key is escaped", () => {
    const extra = withToken({ a: "b" }, "9e107d9d-372b-4682-8e3a-94f1c1e1a2b3");
    const { [CORRELATION_KEY]: token } = extra;
    const hidden = { a: "b", [CORRELATION_KEY]: "<hidden>" };
    const nested = JSON.stringify({ extra: JSON.stringify(extra) });
    const texts = [JSON.stringify({ extra }), JSON.stringify({ extra }, null, 2), nested];
    for (const text of [...texts, texts[0]?.replace("_", String.raw`\u005f`) ?? ""]) {
      const shown = withoutTokensIn(text);
      expect(shown).not.toContain(String(token).slice(-16));
      const read = (JSON.parse(shown) as { extra: unknown }).extra;
      expect(typeof read === "string" ? JSON.parse(read) : read).toEqual(hidden);
    }
    expect(withoutTokensIn('{"switchboard":"x","_switchboards":"y"}')).toBe('{"switchboard":"x","_switchboards":"y"}');
  });

  it("is removed from the variables that are shown, for variables of any name", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (own) => {
        const extra = JSON.parse(JSON.stringify(own)) as Record<string, unknown>;
        expect(JSON.stringify(withoutCorrelationToken(withToken(extra)))).toBe(JSON.stringify(extra));
      }),
    );
    const odd = JSON.parse('{"__proto__":{"a":1},"10":2}') as Record<string, unknown>;
    expect(JSON.stringify(withoutCorrelationToken(withToken(odd)))).toBe(JSON.stringify(odd));
    expect(withoutCorrelationToken(null)).toBeNull();
    expect(withoutCorrelationToken({ [CORRELATION_KEY]: "somebody's own" })).toEqual({});
  });
});
