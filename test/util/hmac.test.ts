import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { createSigner } from "../../src/util/hmac.ts";

const seal = createSigner(Buffer.alloc(32, 7));
const payloads = fc.string({ minLength: 1, unit: "binary-ascii" });

describe("a sealed text comes back unchanged", () => {
  it("whatever it is, for the purpose it was sealed for", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        expect(seal.verify("event", seal.sign("event", payload))).toBe(payload);
      }),
    );
  });

  it("on every gateway that has the key", () => {
    const key = randomBytes(32);
    const other = createSigner(Buffer.from(key));
    expect(other.verify("event", createSigner(key).sign("event", "there"))).toBe("there");
    expect(other.digest("row", "text")).toBe(createSigner(key).digest("row", "text"));
  });
});

describe("a sealed text that was changed does not come back", () => {
  it("whichever of its characters is another one", () => {
    const character = fc.constantFrom("+", "/", "-", "_", "=", "A", "z", "0", "9", " ", "\0", "é", "\ud800");
    fc.assert(
      fc.property(payloads, fc.nat(), character, (payload, at, other) => {
        const sealed = seal.sign("event", payload);
        const place = at % sealed.length;
        fc.pre(sealed[place] !== other);
        expect(seal.verify("event", sealed.slice(0, place) + other + sealed.slice(place + 1))).toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  it("nor in another spelling of the same bytes", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const sealed = seal.sign("event", payload);
        const mark = sealed.slice(-16).replaceAll("-", "+").replaceAll("_", "/");
        fc.pre(!sealed.endsWith(mark));
        expect(seal.verify("event", sealed.slice(0, -16) + mark)).toBeNull();
      }),
    );
  });

  it("nor cut short, nor with something before or behind it", () => {
    const sealed = seal.sign("event", "payload");
    for (let length = 0; length < sealed.length; length += 1) {
      expect(seal.verify("event", sealed.slice(0, length))).toBeNull();
      expect(seal.verify("event", sealed.slice(length + 1))).toBeNull();
    }
    expect(seal.verify("event", `${sealed} `)).toBeNull();
    expect(seal.verify("event", `${sealed}=`)).toBeNull();
    expect(seal.verify("event", ` ${sealed}`)).toBeNull();
  });

  it("nor for another purpose, nor under another key", () => {
    const sealed = seal.sign("event", "payload");
    expect(seal.verify("call log", sealed)).toBeNull();
    expect(createSigner(Buffer.alloc(32, 8)).verify("event", sealed)).toBeNull();
  });
});

describe("a digest names a text without telling it", () => {
  it("and differs by text, purpose and key", () => {
    const digests = [
      seal.digest("row", "a"),
      seal.digest("row", "b"),
      seal.digest("list", "a"),
      createSigner(Buffer.alloc(32, 8)).digest("row", "a"),
    ];
    expect(new Set(digests).size).toBe(4);
    expect(seal.digest("row", "a")).toBe(digests[0]);
  });

  it("and opens nothing", () => {
    expect(seal.verify("row", `a${seal.digest("row", "a")}`)).toBeNull();
  });
});

describe("cursors of events are ordered by code unit as the log is", () => {
  const cursors = createEventCursors(seal);
  const seqs = fc.nat({ max: 36 ** 10 - 2 });

  it("for any two places", () => {
    fc.assert(
      fc.property(seqs, seqs, (a, b) => {
        expect(Math.sign(a - b)).toBe(Number(cursors.at(a) > cursors.at(b)) - Number(cursors.at(a) < cursors.at(b)));
      }),
    );
    fc.assert(fc.property(seqs, (seq) => cursors.at(seq) < cursors.at(seq + 1)));
  });

  it("and are read as the place they were made for", () => {
    fc.assert(fc.property(seqs, (seq) => cursors.parse(cursors.at(seq)) === seq));
  });

  it.each(["", "0", "zzzzzzzzzz", "0000000001", `0000000001${"A".repeat(16)}`])("and %j is none", (forged) => {
    expect(() => cursors.parse(forged)).toThrow(expect.objectContaining({ code: "CURSOR_INVALID" }));
  });
});
