import { describe, expect, it } from "vitest";
import { terminalLine, terminalText } from "../../../src/util/logging/terminalText.ts";

/** ESC and BEL, a C1 introducer, DEL, marks that turn the direction, and a line separator. */
export const HARMFUL = ["\u001b[2J", "\u0007", "\u009b31m", "\u007f", "\u202e", "\u2066", "\u200f", "\u061c", "\u2028"];

describe("A text for a terminal", () => {
  it.each(HARMFUL)("shows %j as an escape, which JSON reads as the same text", (harmful) => {
    const shown = terminalText(JSON.stringify(`a${harmful}b`));
    expect(shown).toMatch(/^[\u0020-\u007e]*$/);
    expect(JSON.parse(shown)).toBe(`a${harmful}b`);
    expect(terminalLine(harmful)).toMatch(/^[\u0020-\u007e]*$/);
  });

  it("keeps letters of every script, joined emoji and, unless it is one line, line breaks", () => {
    const text = "شكرا — 谢谢 👩‍👩‍👧\n";
    expect(terminalText(text)).toBe(text);
    expect(terminalLine(text)).toBe("شكرا — 谢谢 👩‍👩‍👧\\n");
  });
});
