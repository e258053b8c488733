// Each kind of outside text has one reader. A second one would understand the same text differently: a listed number would be called, or
// an event would be answered at a time that the list does not show. A kind that is added goes into KINDS. The sandbox has readers of its own
// on purpose, which `others` names: it is written from the service's document and imports nothing of ours, so that it repeats no misreading.
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

/** They read instants that the gateway has written. */
const ofInstants = Object.fromEntries(
  [
    "console/src/call/talkMs.ts",
    "console/src/call/CallTimeline.tsx",
    "console/src/call/Revisions.tsx",
    "console/src/call/whatHappened.ts",
    "console/src/locale/format.ts",
    "console/src/ui/timeRange/CustomRange.tsx",
    "console/src/ui/timeRange/useTimeSpan.ts",
    "console/src/views/health/GatewayFacts.tsx",
    "console/src/views/health/LastDay.tsx",
    "console/src/views/live/LiveStatus.tsx",
    "console/src/views/live/useLiveStats.ts",
    "console/src/views/statistics/buckets.ts",
    "console/src/views/statistics/statisticsSearch.ts",
    "console/src/views/statistics/useStatistics.ts",
    "console/src/views/tasks/create/savedPlans.ts",
    "console/src/views/tasks/details/useTalks.ts",
    "console/src/views/tasks/plan/nextChange.ts",
    "console/src/views/tasks/plan/planWords.ts",
    "console/src/views/tasks/proposals/useProposals.ts",
    "client/src/streams/catchUp.ts",
  ].map((path) => [path, "an Instant of our own"]),
);

const KINDS: readonly Kind[] = [
  {
    name: "phone numbers",
    parts: {
      "src/format/readPhone.ts": "all",
      "src/format/phoneKeys.ts": "all",
      "src/format/phoneWritings.ts": "all",
      "src/format/samePerson.ts": "all",
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
        "src/format/samePerson.ts",
        "src/tasks/check/countByCountry.ts",
      ],
      "src/format/possibleNumbers.ts": [
        "src/format/phoneKeys.ts",
        "src/format/phoneWritings.ts",
        "src/format/samePerson.ts",
        "src/loaders/phoneFilter.ts",
        "src/privacy/phoneMatcher.ts",
      ],
      "src/format/phoneText.ts": [
        "src/format/phoneKeys.ts",
        "src/format/phoneMarks.ts",
        "src/format/readPhone.ts",
        "src/privacy/maskPhone.ts",
        "src/privacy/phoneMatcher.ts",
      ],
    },
    // Dropping separators, digits of other scripts, and patterns of long rows of digits.
    parses:
      /replace(?:All)?\(\/\[?\^?(?:\\D|0-9)|\\p\{Nd\}|\[\\d\\s\(\)|(?:\\d|\[0-9\])\{(?:[7-9]|1\d)|\\\+\?(?:\\d|\[0-9])/,
    others: {
      "src/format/noTime.ts": "times as numbers",
      "src/format/parseServiceTime.ts": "times as numbers",
      "src/privacy/phoneMatcher.ts": "a number that was read, in texts of any kind",
      "src/auth/viewerPolicy.ts": "beginnings of numbers in a policy",
      "src/logger.ts": "digits in lines of the log, to mask them",
      "src/util/requestId.ts": "digits in the ID of a request, which may be a number",
      "console/src/views/tasks/create/checkTable.ts": "the length of a number that was read",

      "src/privacy/maskPhone.ts": "digits in texts of any kind",
      "src/commands/remote/numberColumn.ts": "the length of a number that was read",
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
    parses:
      /\\d\{4\}\)?\[?-|\\d\\d:\\d\\d|\(\\d\\d\):|Temporal\.(?:Instant|ZonedDateTime|PlainDateTime)\.from\(|Date\.parse\((?!")|new Date\((?:text|value|string|date|instant|header|[\w.]*(?:At|Time|Text))\)/,
    others: {
      "src/schema/scalars.ts": "arguments of clients: RFC 3339 alone, by parseServiceTime.ts, and leap seconds",
      "src/config/variableRules.ts": "a day in a variable",
      "src/server/routes/sessionRoute.ts": "a number of milliseconds",
      "console/src/views/tasks/create/taskInput.ts": "the day of a form",
      "console/src/ui/dateTime/dateParts.ts": "days that were read",
      "client/src/http/answerErrors.ts": "dates of HTTP",
      ...ofInstants,
      "console/src/frame/rootRoute.tsx": "a time in the page's address",
      "console/src/ui/timeRange/timeRange.ts": "a time in the page's address",
      "sandbox/src/timeText.ts": "times of the sandbox, which imports nothing of the gateway",
      "sandbox/src/world/history.ts": "times that the sandbox makes up",
      "src/tasks/usageLimits.ts": "an Instant of our own",
    },
  },
  {
    name: "words for a call that goes on",
    parts: { "src/format/hangUpWords.ts": ["src/events/callEndedEvent.ts"] },
    parses: /\|unspecified\||未挂断/,
    others: {},
  },
  {
    name: "media types of recordings",
    parts: { "src/recordings/audioType.ts": "all" },
    parses: /"(?:audio|video)\/[a-z]|"(?:RIFF|OggS|ftyp|fLaC)"/,
    others: {
      "sandbox/src/api/recordingFiles.ts": "the type of the sandbox's own files",
      "client/src/testing/factories/entities.ts": "a made-up answer",
    },
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

      "console/src/views/health/QuarantinedDelivery.tsx": "names of charsets to choose",
      "console/src/views/tasks/create/texts/en.ts": "names of encodings to choose",
      "console/src/views/tasks/create/texts/zh.ts": "names of encodings to choose",
      "src/commands/schemaCommand.ts": "a file of this repository",
      "src/util/version.ts": "a file of this repository",
      "src/commands/init/deploymentFiles.ts": "a file of this repository",
      "bin/builtFiles.js": "a file of this repository",
    },
  },
];

const FOLDERS = ["src", "sandbox/src", "console/src", "client/src", "bin"];
const GENERATED = /^(?:console\/src\/gql|client\/src\/generated)\//;
const sources = FOLDERS.flatMap(sourcesIn).filter(({ path }) => !GENERATED.test(path));
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
