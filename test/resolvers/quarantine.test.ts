import { describe, expect, it } from "vitest";
import { maskText } from "../../src/resolvers/maskText.ts";
import { bodyText } from "../../src/resolvers/quarantine.ts";

const shown = (text: string | Uint8Array) => bodyText(typeof text === "string" ? Buffer.from(text) : text);
/** As without people:read. */
const maskBody = (text: string) => maskText(shown(text), 5);

describe("a body is shown as text, whatever it is", () => {
  it("and what is no UTF-8 is marked", () => {
    expect(shown(new Uint8Array([0x61, 0xff, 0x62]))).toBe("a\ufffdb");
    expect(shown("")).toBe("");
    expect(shown("\ufeff{}")).toBe("\ufeff{}");
  });
});

describe("numbers in it are masked without people:read", () => {
  it.each([
    [`{"callee":"+8613800010001","caller":"A068","n":60}`, `{"callee":"+8613****0001","caller":"A068","n":60}`],
    [`{"callee":8613800010001}`, `{"callee":8613****0001}`],
    [`[]`, `[]`],
    [`"138-0001-0001"`, `"138****0001"`],
    [`{"callee":"\\u0031\\u0033800010001"}`, `{"callee":"138****0001"}`],
    [`{"name":"\\u674e"}`, `{"name":"\\u674e"}`],
    [`{"callee":"138\\u20110001\\u20110001"}`, `{"callee":"138****0001"}`],
    [`{"text":"a\\u0022b\\u000a"}`, `{"text":"a\\u0022b\\u000a"}`],
    ["callee=%2B86138%2D0001%2d0001&n=60", "callee=+8613****0001&n=60"],
    ["callee=%31%33800010001", "callee=138****0001"],
    ["name=%E6%9D%8E%4A%0A", "name=%E6%9D%8E%4A%0A"],
    ["138<b>0001</b>0001", "138****0001"],
    ['138 <b class="x1">0001</b> <i>0001</i>', "138****0001</i>"],
    ["<a>x</a><b>60</b>", "<a>x</a><b>60</b>"],
    ["138ー0001ー0001", "138****0001"],
  ])("%s", (body, masked) => {
    expect(maskBody(body)).toBe(masked);
    expect(shown(body)).toBe(body);
  });

  const json = (mark: string) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const byName = (mark: string) => `&#x${mark.charCodeAt(0).toString(16)};`;
  const byNumber = (mark: string) => `&#${mark.charCodeAt(0)};`;
  const marks = [" ", "-", ".", "(", "\t", "\u00a0", "\u200b", "\u2011", "\u3000", "\u3164", "ー", "／"];
  it.each([String, json, encodeURIComponent, byName, byNumber, (mark: string) => `<b>${mark}</b>`])(
    "whatever stands between the digits, and however that is escaped: %o",
    (escaped) => {
      for (const mark of marks)
        expect(maskBody(["138", "4567", "8901"].join(escaped(mark)))).toMatch(/^138\d?\*{4}8901$/);
    },
  );

  it.each([
    ["digits", "", "1 "],
    ["blanks", "", " "],
    ["blanks behind a digit", "1", " "],
    ["digits and letters", "", "1a"],
    ["tags that do not end", "", "1<"],
    ["tags between digits", "", "1<>"],
    ["tags with digits, behind one", "1", "<2>"],
    ["references with digits, behind one", "1", "&2;"],
    ["escaped controls, behind one", "1", "%01"],
    ["escapes of a URL", "", "%e2%80%91"],
  ])("and a body of %s takes no longer than its length: a megabyte is soon masked", (_, before, over) => {
    expect(maskText(`${before}${over.repeat(1_000_000 / over.length)}x`)).toMatch(/x$/);
  });
});
