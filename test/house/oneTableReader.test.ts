// One place splits tables into cells: src/format/tables/tableRows.ts. A second reader would see other rows in the same file.
import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

const READER = "src/format/tables/tableRows.ts";
const gateway = sourcesIn("src");
const page = sourcesIn("console/src");

describe("The readers of src/format", () => {
  it("hold the only parser of CSV: no other file imports one or splits lines into cells", () => {
    const all = [...gateway, ...page];
    expect(all.filter(({ packages }) => packages.includes("papaparse")).map(({ path }) => path)).toEqual([READER]);
    const splits = /split\(\s*(?:"(?:;|\\t|\|)"|\/\[[,;|\\t]{3,}[^\]]*\]\/)/;
    const others = all.filter(({ path, text }) => splits.test(text) && path !== READER && !OF_HEADERS.test(path));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  it("are all that the console takes from the gateway's sources: those of tables and of phone numbers", () => {
    const taken = page.flatMap(({ path, imports }) => imports.map((imported) => [path, imported] as const));
    const ofGateway = taken.filter(([, imported]) => imported.startsWith("src/"));
    expect(ofGateway.length).toBeGreaterThan(0);
    expect(
      ofGateway.filter(([, imported]) => !/^src\/format\/(?:tables\/|readPhone|phone|samePerson)/.test(imported)),
    ).toEqual([]);
  });
});

/** They split headers of HTTP. */
const OF_HEADERS = /^src\/(?:server|recordings|sandbox)\//;
