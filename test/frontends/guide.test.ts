import { describe, expect, it } from "vitest";
import { gatewayError, messageFor } from "../../examples/shared/messageFor.ts";
import { CodedError, errorCodes, type ErrorCode } from "../../src/errors.ts";
import { textAt } from "../house/sources.ts";
import { guideBlocks, guideText, type Block } from "./guide.ts";

/** What guideTypes.test.ts and guideSetups.test.ts run as printed. All other code is quoted. */
const RUN = [
  "gql.tada",
  "Relay",
  "graphql-ws and graphql-sse",
  "Trusted documents",
  "Vue, Svelte, Angular",
  "Plain fetch",
];

const trimmed = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim())
    .join("\n");

describe("The pages of docs/frontends/", () => {
  it("quote code as it stands in the file that its paragraph links to", () => {
    const quotes = guideBlocks.filter(({ language, heading }) => /^[tj]sx?$/.test(language) && !RUN.includes(heading));
    const isQuoted = ({ code, linked }: Block) => linked.some((path) => trimmed(textAt(path)).includes(trimmed(code)));
    expect(quotes.filter((block) => !isQuoted(block))).toEqual([]);
    expect(quotes.map(({ heading }) => heading)).toEqual(["Start", "Apollo Client", "urql", "EventSource"]);
  });

  it("begin with the first example of client/README.md", () => {
    const [start] = guideBlocks.filter(({ language }) => language === "js");
    expect(start?.code).toBe(/```js\n(.*?)```/s.exec(textAt("client/README.md"))?.[1]);
  });

  it("have at most five sentences in a paragraph", () => {
    const prose = guideText.replaceAll(/```[^]*?```/g, "");
    const paragraphs = prose.split(/\n\s*\n|\n(?=[-|]|\d\.)/).filter((paragraph) => !paragraph.startsWith("|"));
    const sentences = (paragraph: string) => paragraph.split(/[.!?:]\s+(?=[A-Z`*])/).length;
    expect(paragraphs.filter((paragraph) => sentences(paragraph) > 6)).toEqual([]);
  });
});

interface Row {
  codes: ErrorCode[];
  seen: string;
  again: string;
  change: string;
}

const errorRows: Row[] = [...guideText.matchAll(/^\| (`[A-Z_]+`[^|]*)\|([^|]+)\|([^|]+)\|([^|]+)\|$/gm)].map(
  ([, first = "", seen = "", again = "", change = ""]) => ({
    codes: [...first.matchAll(/`(\w+)`/g)].map(([, code]) => code as ErrorCode),
    seen: seen.trim(),
    again: again.trim(),
    change: change.trim(),
  }),
);
const byCode = errorRows.flatMap(({ codes, ...row }) => codes.map((code) => ({ code, ...row })));

describe("The table of errors in docs/frontends/errors.md", () => {
  it("has each code of the closed list once, and says what to do", () => {
    expect(byCode.map(({ code }) => code).sort()).toEqual(Object.keys(errorCodes).sort());
    expect(errorRows.filter(({ change }) => change.length < 10)).toEqual([]);
  });

  it("shows the texts of messageFor", () => {
    for (const { code, seen } of byCode) expect(seen.replace("`code`", code)).toBe(messageFor(gatewayError({ code })));
  });

  it("agrees with the `retryable` that the gateway gives a code", () => {
    for (const { code, again } of byCode) {
      const { retryable } = new CodedError(code, "");
      expect([code, again]).toEqual([code, expect.stringMatching(retryableText(retryable))]);
    }
  });

  const retryableText = (retryable: boolean | undefined) => {
    if (retryable === undefined) return /^(yes|no)\b/;
    return retryable ? /^yes, after/ : /^no$/;
  };
});
