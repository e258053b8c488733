// The corpus holds what other people's programs wrote: of each kind at least a few cases, with the address at which each was met.
import { describe, expect, it } from "vitest";
import { connectionParams } from "../corpus/connectionParams.ts";
import { declaredTypes, fileHeads, filesOfNoAudio } from "../corpus/mediaTypes.ts";
import { phoneCases } from "../corpus/phones.ts";
import { samePeople } from "../corpus/samePeople.ts";
import { retryTimes, serviceAnswers } from "../corpus/serviceAnswers.ts";
import { settingFiles, settingTexts } from "../corpus/settingTexts.ts";
import { fileCases } from "../corpus/tableFiles.ts";
import { tableCases } from "../corpus/tables.ts";
import { times } from "../corpus/times.ts";
import { charsets } from "../corpus/webhookCharsets.ts";
import { events } from "../corpus/webhookEvents.ts";

const KINDS: Record<string, readonly { source: string }[]> = {
  "phone numbers": phoneCases,
  "writings of one person's number": samePeople,
  "tables of people": tableCases,
  "encodings of tables": fileCases,
  times,
  "events of webhooks": events,
  "charsets of webhooks": charsets,
  "media types of recordings": [...declaredTypes, ...fileHeads, ...filesOfNoAudio],
  "answers of the service": [...serviceAnswers, ...retryTimes],
  "settings and their files": [...settingTexts, ...settingFiles],
  "credentials of sockets": connectionParams,
};

const MIN_OF_KIND = 15;
const MIN_OF_ALL = 500;
const isOutside = ({ source }: { source: string }) => source.startsWith("https://");

describe("The corpus", () => {
  it.each(Object.entries(KINDS))(`has at least ${MIN_OF_KIND} cases of %s with an address`, (_, cases) => {
    expect(cases.filter(isOutside).length).toBeGreaterThanOrEqual(MIN_OF_KIND);
  });

  it(`has at least ${MIN_OF_ALL} cases with an address, from many places`, () => {
    const outside = Object.values(KINDS).flat().filter(isOutside);
    expect(outside.length).toBeGreaterThanOrEqual(MIN_OF_ALL);
    expect(new Set(outside.map(({ source }) => source)).size).toBeGreaterThanOrEqual(MIN_OF_ALL / 2);
  });

  it("says of every other case that it is our own", () => {
    const others = Object.values(KINDS)
      .flat()
      .filter((each) => !isOutside(each));
    expect(others.filter(({ source }) => !source.includes("own"))).toEqual([]);
  });
});
