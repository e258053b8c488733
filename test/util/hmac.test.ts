import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { createSigner } from "../../src/util/hmac.ts";

const signer = createSigner(Buffer.alloc(32, 7));
const payloads = fc.string({ minLength: 1, unit: "binary-ascii" });

describe("a signed text", () => {
  it("verifies any payload for the purpose it was signed for", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        expect(signer.verify("event", signer.sign("event", payload))).toBe(payload);
      }),
    );
  });

  it("verifies a text of another gateway with the same key", () => {
    const key = randomBytes(32);
    const other = createSigner(Buffer.from(key));
    expect(other.verify("event", createSigner(key).sign("event", "there"))).toBe("there");
    expect(other.digest("row", "text")).toBe(createSigner(key).digest("row", "text"));
  });
});

describe("verify", () => {
  it("refuses a text with one changed character", () => {
    const character = fc.constantFrom("+", "/", "-", "_", "=", "A", "z", "0", "9", " ", "\0", "é", "\ud800");
    fc.assert(
      fc.property(payloads, fc.nat(), character, (payload, at, other) => {
        const sealed = signer.sign("event", payload);
        const place = at % sealed.length;
        fc.pre(sealed[place] !== other);
        expect(signer.verify("event", sealed.slice(0, place) + other + sealed.slice(place + 1))).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  it("refuses another spelling of the same bytes", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const sealed = signer.sign("event", payload);
        const mark = sealed.slice(-16).replaceAll("-", "+").replaceAll("_", "/");
        fc.pre(!sealed.endsWith(mark));
        expect(signer.verify("event", sealed.slice(0, -16) + mark)).toBeNull();
      }),
    );
  });

  it("refuses a text that was cut or extended", () => {
    const sealed = signer.sign("event", "payload");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(signer.verify("event", sealed.slice(0, length))).toBeNull();
      expect(signer.verify("event", sealed.slice(length + 1))).toBeNull();
    }
    expect(signer.verify("event", `${sealed} `)).toBeNull();
    expect(signer.verify("event", `${sealed}=`)).toBeNull();
    expect(signer.verify("event", ` ${sealed}`)).toBeNull();
  });

  it("refuses another purpose and another key", () => {
    const sealed = signer.sign("event", "payload");
    expect(signer.verify("call log", sealed)).toBeNull();
    expect(createSigner(Buffer.alloc(32, 8)).verify("event", sealed)).toBeNull();
  });
});

describe("A digest of a text", () => {
  it("differs by text, purpose and key", () => {
    const digests = [
      signer.digest("row", "a"),
      signer.digest("row", "b"),
      signer.digest("list", "a"),
      createSigner(Buffer.alloc(32, 8)).digest("row", "a"),
    ];
    expect(new Set(digests).size).toBe(4);
    expect(signer.digest("row", "a")).toBe(digests[0]);
  });

  it("is not accepted as a signature", () => {
    expect(signer.verify("row", `a${signer.digest("row", "a")}`)).toBeNull();
  });
});

describe("Cursors of events", () => {
  const cursors = createEventCursors(signer);
  const seqs = fc.nat({ max: 36 ** 10 - 2 });

  it("are ordered by code unit as their positions are", () => {
    fc.assert(
      fc.property(seqs, seqs, (a, b) => {
        expect(Math.sign(a - b)).toBe(Number(cursors.at(a) > cursors.at(b)) - Number(cursors.at(a) < cursors.at(b)));
      }),
    );
    fc.assert(fc.property(seqs, (seq) => cursors.at(seq) < cursors.at(seq + 1)));
  });

  it("are read as the position they were made for", () => {
    fc.assert(
      fc.property(seqs, (seq) => {
        expect(cursors.parse(cursors.at(seq))).toBe(seq);
      }),
    );
  });

  it.each(["", "0", "zzzzzzzzzz", "0000000001", `0000000001${"A".repeat(16)}`])("are not parsed from %j", (forged) => {
    expect(() => cursors.parse(forged)).toThrow(expect.objectContaining({ code: "CURSOR_INVALID" }));
  });
});
