import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodedTexts, decodedTextsWithPlaces } from "../../src/privacy/decodeEscapes.ts";
import { createPhoneMatcher } from "../../src/privacy/phoneMatcher.ts";

const is = createPhoneMatcher("13912345678") as (text: string) => boolean;

describe("a phone matcher finds an escaped number", () => {
  it.each([
    ["a form", "caller=1&callee=%2B86139%2D1234%2D5678&x=2"],
    ["a form with blanks", "callee=139+1234+5678"],
    ["every character of a URL", "callee=%31%33%39%31%32%33%34%35%36%37%38"],
    ["form blanks of one byte", "callee=139%A01234%A05678"],
    ["a dash of three bytes", "callee=139%E2%80%911234%e2%80%915678"],
    ["another script in a URL", `callee=${encodeURIComponent("١٣٩١٢٣٤٥٦٧٨")}`],
    ["a URL in a URL", "next=https%3A%2F%2Ffiles.example%2F%3Fto%3D%252B86139%252D1234%252D5678"],
    ["markup", "call 139<b>1234</b>5678"],
    ["markup with attributes", '139<span class="a1">1234</span> <i>5678</i>'],
    ["references", "&#49;&#51;&#57;&#49;&#50;&#51;&#52;&#53;&#54;&#55;&#56;"],
    ["references in sixteens", "139&#x2D;1234&#X2d;5678"],
    ["a blank by its name", "139&nbsp;1234&nbsp;5678"],
    ["JSON's escapes", String.raw`{"to":"139\u20111234\u20115678"}`],
    ["dashes by their names", "+86&thinsp;139&ndash;1234&shy;5678"],
    ["blanks in JSON in JSON in JSON", JSON.stringify(JSON.stringify(JSON.stringify("139\t1234\n5678")))],
    ["dashes in JSON in JSON", JSON.stringify(JSON.stringify("139 – 1234 – 5678").replaceAll("–", "\\u2013"))],
    ["JSON in JSON", JSON.stringify(String.raw`{"to":"\u0031391234\u201c5678"}`)],
    ["JSON's escaped slashes", String.raw`139\/1234\/5678`],
    ["backslashes in JSON in JSON", String.raw`139\\\\1234\\\\5678`],
    ["many tags", "139</b></i></td> <td><i><b>1234</b></i></td> <td>5678"],
    ["an attribute of a tag", '<a title="&#49;&#51;&#57;12345678">x</a>'],
    ["a modifier letter that looks like a dash", "139ー1234ー5678"],
    ["blank letters", "139\u31641234\u115f5678"],
  ])("finds an escaped number in %s", (_, text) => expect(is(text)).toBe(true));

  it.each([
    "13912345679",
    "callee=139%2D1234%2D5679",
    "139<b>1234</b>5679",
    "139 or 1234 or 5678",
    "%",
    "%zz",
    "<",
    "&#;",
  ])("rejects a text without the number: %s", (text) => expect(is(text)).toBe(false));

  it("finds a lone number with any separators that task creation ignores", () => {
    const mark = fc.string({ unit: "binary", minLength: 1, maxLength: 1 });
    const marks = fc.array(
      mark.filter((text) => !/[a-z\p{Nd}+<>&%\\]/iu.test(text.normalize("NFKC"))),
      { minLength: 11, maxLength: 11 },
    );
    fc.assert(
      fc.property(marks, (between) => {
        const text = between.map((mark, at) => mark + ("13912345678"[at] ?? "")).join("");
        expect(is(text)).toBe(true);
      }),
    );
  });

  it.each(["%31", "%", "<", "<>", "1<", "&#", "&#49;", "\\u", "\\u0031", "1+", "%25"])(
    "takes linear time for %j repeated",
    (text) => {
      expect(is(`x${text.repeat(250_000 / text.length)}`)).toBe(false);
    },
  );
});

describe("decodedTexts", () => {
  it("gives the text, each level of its escapes, and at last the text without tags", () => {
    expect(decodedTexts("<b>%2531</b> 2")).toEqual(["<b>%2531</b> 2", "<b>%31</b> 2", "<b>1</b> 2", " 1 2"]);
  });

  it("gives a text without escapes and tags alone", () => {
    expect(decodedTexts("call 1 & 2 < 3")).toEqual(["call 1 & 2 < 3"]);
  });

  it("has the same levels with places, which lead back to what was escaped", () => {
    const text = "a%2531<i>b&#x31;";
    const levels = decodedTextsWithPlaces(text);
    expect(levels.map((level) => level.text)).toEqual(decodedTexts(text));
    const last = levels.at(-1);
    const sources = Array.from(last?.text ?? "", (_, at) => text.slice(last?.begin(at), last?.end(at)));
    expect(sources).toEqual(["a", "%2531", "<i>", "b", "&#x31;"]);
  });
});
