// Each kind of outside text has one reader. A second one would understand the same text differently: a listed number would be called, or
// an event would be answered at a time that the list does not show. A kind that is added goes into KINDS.
import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

interface Kind {
  name: string;
  /** The files that read it. The first one is the entry; the others are its parts, with the only files that may use them. */
  parts: Record<string, readonly string[] | "all">;
  /** What parses the kind. */
  parses: RegExp;
  /** Files outside of the reader that match, and read something else, with what that is. */
  others: Record<string, string>;
}

const KINDS: readonly Kind[] = [
  {
    name: "phone numbers",
    parts: {
      "src/format/readPhone.ts": "all",
      "src/format/phoneKeys.ts": "all",
      "src/format/notPhone.ts": ["src/format/readPhone.ts"],
      "src/format/phoneMarks.ts": ["src/format/readPhone.ts", "src/format/phoneKeys.ts"],
      "src/format/phoneExtension.ts": ["src/format/readPhone.ts", "src/format/phoneKeys.ts"],
      "src/format/besideNumber.ts": [
        "src/format/readPhone.ts",
        "src/format/phoneExtension.ts",
        "src/format/phoneKeys.ts",
      ],
      "src/format/countryCode.ts": [
        "src/format/besideNumber.ts",
        "src/format/phoneKeys.ts",
        "src/format/phoneWritings.ts",
        "src/format/possibleNumbers.ts",
      ],
      "src/format/possibleNumbers.ts": ["src/format/phoneKeys.ts", "src/format/samePerson.ts"],
      "src/format/phoneText.ts": [
        "src/format/phoneKeys.ts",
        "src/format/phoneMarks.ts",
        "src/format/readPhone.ts",
        "src/privacy/phoneMatcher.ts",
      ],
    },
    // Dropping separators, and digits of other scripts.
    parses: /replace(?:All)?\(\/\[?\^?\\D|\\p\{Nd\}|\[\\d\\s\(\)/,
    others: {
      "src/privacy/maskPhone.ts": "digits in texts of any kind",
      "src/commands/numberColumn.ts": "the length of a number that was read",
    },
  },
  {
    name: "times",
    parts: {
      "src/format/parseServiceTime.ts": "all",
      "src/format/instant.ts": "all",
      "src/format/wallClock.ts": "all",
      "src/format/noTime.ts": [
        "src/format/parseServiceTime.ts",
        "src/format/hangUpWords.ts",
        "src/events/correctTimes.ts",
      ],
    },
    // Years and hours in a pattern, and the parsers of the language for texts that are no Instant of our own.
    parses: /\\d\{4\}\)?\[?-|\\d\\d:\\d\\d|\(\\d\\d\):|Temporal\.(?:Instant|ZonedDateTime|PlainDateTime)\.from\(/,
    others: {
      "src/schema/scalars.ts": "arguments of clients: RFC 3339 alone, by parseServiceTime.ts, and leap seconds",
      "src/config/variableRules.ts": "a day in a variable",
      "src/tasks/usageLimits.ts": "an Instant of our own",
    },
  },
  {
    name: "media types of recordings",
    parts: { "src/recordings/audioType.ts": "all" },
    parses: /"(?:audio|video)\/[a-z]|"(?:RIFF|OggS|ftyp|fLaC)"/,
    others: {},
  },
  {
    name: "text files",
    parts: { "src/util/textFile.ts": "all" },
    parses: /readFile(?:Sync)?\([^;\n]*"utf-?8"|"(?:utf-16[bl]e|gb18030)"/,
    others: {
      "src/format/bodyCharset.ts": "bodies of webhooks, by their declared charset",
      "src/privacy/erasePhone.ts": "bodies of webhooks, to find a number in them",
      "src/format/tables/decodeTable.ts": "tables, whose encoding is found or chosen (oneTableReader.test.ts)",
      "src/format/tables/oldEncodings.ts": "tables, whose encoding is found or chosen",

      "src/commands/schemaCommand.ts": "a file of this repository",
      "src/util/version.ts": "a file of this repository",
    },
  },
];

const sources = sourcesIn("src").filter(({ path }) => !path.startsWith("src/sandbox/"));
const fileAt = (path: string) => sources.find((source) => source.path === path);

describe.each(KINDS)("The reader of $name", ({ parts, parses, others }) => {
  it("is used through its entry: no other file uses its parts", () => {
    const strays = Object.entries(parts).flatMap(([part, users]) =>
      sources
        .filter(({ path, imports }) => imports.includes(part) && users !== "all" && !users.includes(path))
        .map(({ path }) => [path, part]),
    );
    expect(strays).toEqual([]);
    expect(Object.keys(parts).filter((path) => !fileAt(path))).toEqual([]);
  });

  it("is the only one: no other file parses the same kind", () => {
    const readers = sources.filter(({ text }) => parses.test(text)).map(({ path }) => path);
    expect(readers.filter((path) => !(path in parts) && !(path in others))).toEqual([]);
    // So that the pattern still finds something, and no exception outlives its reason.
    expect(readers.some((path) => path in parts)).toBe(true);
    expect(Object.keys(others).filter((path) => !readers.includes(path))).toEqual([]);
  });
});
