import { describe, expect, it } from "vitest";
import { charsetsOf, declaredCharset, decodeStrictly, knownCharset } from "../../src/format/bodyCharset.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { charsets } from "../corpus/webhookCharsets.ts";
import { encodeText } from "../support/encodeText.ts";

const parse = createParseCallEnded("Asia/Shanghai");
const jsonWith = (reason: string) => `{"event_data":{"session_id":"s-1","hangup_reason":"${reason}"}}`;

function reasonOf(body: Uint8Array, found: readonly string[]): string | null {
  const parsed = parse(body, found);
  return "call" in parsed ? parsed.call.hangupReason : null;
}

describe("A body in EUC-KR with syllables that Windows added", () => {
  /** https://github.com/chardet/chardet/issues/164 */
  it.each(["8c63", "94ee"])("is not read as other characters: %s", (hex) => {
    expect(decodeStrictly(Buffer.from(`22${hex}22`, "hex"), "euc-kr")).toBeUndefined();
    expect(decodeStrictly(Buffer.from("22b1e822", "hex"), "euc-kr")).toBe('"김"');
  });
});

describe("charsetsOf()", () => {
  it.each(charsets.map((each) => [each.sent, each.contentType, each.text, each] as const))(
    "finds the charset of a body in %s that is declared as %s: %s",
    (_sent, _type, _text, { contentType, sent, text, isRead }) => {
      const body = encodeText(jsonWith(text), sent);
      expect(reasonOf(body, charsetsOf(body, declaredCharset(contentType)))).toBe(isRead ? text : null);
      // Where nothing tells it, the name of the charset does.
      expect(reasonOf(body, [knownCharset(sent) ?? ""])).toBe(text);
    },
  );

  it("finds UTF-16 by its first bytes, with a byte order mark and without", () => {
    for (const sent of ["utf-16le", "utf-16be"] as const) {
      for (const text of ["{}", "\ufeff{}", "\n{}"]) expect(charsetsOf(encodeText(text, sent), "gbk")).toEqual([sent]);
    }
    for (const text of ["", "{", "{}", "\0"]) expect(charsetsOf(Buffer.from(text), null)).toEqual(["utf-8"]);
  });

  it("leaves out every byte order mark", () => {
    for (const sent of ["utf-8", "utf-16le", "utf-16be"] as const) {
      const body = encodeText(`\ufeff\ufeff${jsonWith("张三")}`, sent);
      expect(reasonOf(body, charsetsOf(body, null))).toBe("张三");
    }
  });

  it("gives the UTF-8 of a body in another charset", () => {
    const text = jsonWith("张三");
    const parsed = parse(encodeText(text, "gbk"), ["gbk"]);
    expect("utf8" in parsed && Buffer.from(parsed.utf8).toString()).toBe(text);
    const utf8 = Buffer.from(text);
    expect(parse(utf8)).toHaveProperty("utf8", utf8);
  });
});

describe("declaredCharset()", () => {
  it.each([
    ["application/json; charset=GBK", "GBK"],
    ["application/json;Charset='gbk'; x=1", "gbk"],
    ['application/json; charset = "iso-8859-1"', "iso-8859-1"],
    ["application/json, text/plain; charset=big5", "big5"],
    ["application/json", null],
    ["charset=gbk", null],
    ["application/json; charset=", null],
    ["application/json; charset=a\u00e9", null],
    [undefined, null],
  ])("reads %s", (header, name) => {
    expect(declaredCharset(header)).toBe(name);
  });

  it("is cut to a length that fits everywhere", () => {
    expect(declaredCharset(`application/json; charset=${"x".repeat(5000)}`)).toHaveLength(40);
  });
});

describe("knownCharset()", () => {
  it.each(["GB2312", "cp936", "gb18030", "UTF8", "latin-1", "8859_1", "X-WINDOWS-949", "Shift_JIS", "utf-16"])(
    "knows %s",
    (name) => {
      const known = knownCharset(name);
      expect(known !== null && decodeStrictly(Buffer.from([]), known)).toBe("");
    },
  );

  it.each(["", "utf-hack", "toString", "utf-7", "gbk,utf-8"])("does not know %s", (name) => {
    expect(knownCharset(name)).toBeNull();
  });
});
