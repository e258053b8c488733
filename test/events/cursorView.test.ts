import { describe, expect, it } from "vitest";
import * as fc from "fast-check";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { signer } from "./callEnded.ts";

const { at, parse, hidden } = createEventCursors(signer);
const seqs = fc.nat({ max: 36 ** 10 - 2 });

describe("A92: a hidden cursor", () => {
  it("is read as the position that it hides", () => {
    fc.assert(
      fc.property(seqs, (seq) => {
        expect(parse(hidden.ofEvent(at(seq)))).toBe(seq);
        expect(parse(hidden.ofPlace(at(seq)))).toBe(seq);
      }),
    );
  });

  it("of an event is always the same, also on another gateway with the same key", () => {
    const other = createEventCursors(createSigner(Buffer.alloc(32, 7)));
    expect(other.hidden.ofEvent(at(9))).toBe(hidden.ofEvent(at(9)));
    expect(hidden.ofEvent(hidden.ofPlace(at(9)))).toBe(hidden.ofEvent(at(9)));
  });

  it("of a place differs each time, because equal ones would tell that nothing has happened", () => {
    const shown = Array.from({ length: 50 }, () => hidden.ofPlace(at(9)));
    expect(new Set([...shown, hidden.ofEvent(at(9))]).size).toBe(51);
  });

  it("tells neither a distance nor an order", () => {
    const shown = Array.from({ length: 200 }, (_, seq) => hidden.ofEvent(at(seq)));
    expect(new Set(shown.map(({ length }) => length)).size).toBe(1);
    // Neighbours among 200 positions in order share no beginning by more than chance, and some stand before their predecessors.
    expect(new Set(shown.map((cursor) => cursor.slice(0, 8))).size).toBe(200);
    expect(shown.filter((cursor, index) => cursor < (shown[index - 1] ?? "")).length).toBeGreaterThan(20);
  });

  const foreign = createEventCursors(createSigner(Buffer.alloc(32, 8)));
  it.each([
    ["with a changed character", (cursor: string) => (cursor.startsWith("A") ? "B" : "A") + cursor.slice(1)],
    ["that is cut", (cursor: string) => cursor.slice(1)],
    ["without its signature", (cursor: string) => cursor.slice(0, -16)],
    ["of another key", () => foreign.hidden.ofEvent(foreign.at(3))],
  ])("is refused %s", (_, forge) => {
    const forged = forge(hidden.ofEvent(at(3)));
    expect(() => parse(forged)).toThrow(expect.objectContaining({ code: "CURSOR_INVALID" }));
  });
});
