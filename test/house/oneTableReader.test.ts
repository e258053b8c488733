// One place splits tables into cells: src/format/tables/tableRows.ts. A second reader would see other rows in the same file.
import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

const READER = "src/format/tables/tableRows.ts";
const gateway = sourcesIn("src");
const page = sourcesIn("console/src");

describe("The readers of src/format", () => {
  it("hold the only parser of CSV: no other file imports one or splits lines into cells", () => {
    const all = [...gateway, ...page, ...sourcesIn("sandbox/src"), ...sourcesIn("client/src"), ...sourcesIn("bin")];
    expect(all.filter(({ packages }) => packages.includes("papaparse")).map(({ path }) => path)).toEqual([READER]);
    const splits = /split\(\s*(?:"(?:,|;|\\t|\|)"|\/\[?(?:[,;|]|\\t))/;
    const splitting = all.filter(({ text }) => splits.test(text)).map(({ path }) => path);
    const others = splitting.filter((path) => path !== READER && !OF_HEADERS.test(path));
    expect(others.filter((path) => !(path in OF_LISTS))).toEqual([]);
    expect(Object.keys(OF_LISTS).filter((path) => !others.includes(path))).toEqual([]);
    expect(splitting).toContain(READER);
  });

  it("are all that the console takes from the gateway's sources, beside the sender of test webhooks", () => {
    const taken = page.flatMap(({ path, imports }) => imports.map((imported) => [path, imported] as const));
    const ofGateway = taken.filter(([, imported]) => imported.startsWith("src/"));
    expect(ofGateway.length).toBeGreaterThan(0);
    expect(
      ofGateway.filter(
        ([, imported]) =>
          !/^src\/format\/(?:tables\/|readPhone|phone|samePerson|scheduleText\.ts$)/.test(imported) &&
          imported !== "src/webhook/sendWebhookTest.ts",
      ),
    ).toEqual([]);
  });
});

/** They split headers of HTTP. */
const OF_HEADERS = /^(?:src\/(?:server|recordings)|sandbox\/src)\//;

/** They split lists without quotes, which are no tables. */
const OF_LISTS: Record<string, string> = {
  "src/upstream/decodeBody.ts": "names of encodings in a header",
  "src/config/databaseUrls.ts": "hosts in a variable",
  "src/config/hangUpOutcomes.ts": "hang-up reasons in a table and in a variable",
  "src/config/namedIds.ts": "ids and names in a variable",
  "src/config/hostList.ts": "hosts in a variable",
  "src/config/tracingConfig.ts": "headers in a variable",
  "src/config/variableRules.ts": "names in a variable",
  "src/commands/keyCommand.ts": "scopes of an option",
  "console/src/data/filterSearch.ts": "ids in the page's address",
};
