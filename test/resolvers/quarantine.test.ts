import { describe, expect, it } from "vitest";
import { bodyText } from "../../src/resolvers/quarantine.ts";

const shown = (text: string | Uint8Array) => bodyText(typeof text === "string" ? Buffer.from(text) : text);

describe("bodyText", () => {
  it("shows invalid UTF-8 as replacement characters and keeps a byte order mark", () => {
    expect(shown(new Uint8Array([0x61, 0xff, 0x62]))).toBe("a\ufffdb");
    expect(shown("")).toBe("");
    expect(shown("\ufeff{}")).toBe("\ufeff{}");
  });
});
