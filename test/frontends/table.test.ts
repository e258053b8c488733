import { join, normalize } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { textAt } from "../house/sources.ts";

const PACKAGES = ["package.json", "client/package.json", "examples/react-urql/package.json"];
const RELAY = "examples/react-relay/package.json";

interface Package {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const packages = [...PACKAGES, RELAY].map((path) => JSON.parse(textAt(path)) as Package);
const [, section = ""] = textAt("docs/frontends/tested.md").split("\n## Tested clients\n");
const rows = section
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, client = "", version = "", over = "", , test = ""]) => ({
    client: client.replaceAll("`", ""),
    version,
    over,
    test: normalize(join("docs/frontends", /\]\(([^)]+)\)/.exec(test)?.[1] ?? "")),
  }));

describe("The table of clients in docs/frontends/tested.md", () => {
  it("names the versions that are installed", () => {
    const wrong = rows.filter(({ client, version }) => {
      if (client === "EventSource") return version !== "Chromium";
      const own = packages.filter(({ name }) => name === client).map((each) => each.version);
      const installed = packages.map((each) => ({ ...each.dependencies, ...each.devDependencies })[client]);
      const known = new Set([...own, ...installed].filter((each) => each !== undefined));
      return known.size !== 1 || !known.has(version);
    });
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(8);
  });

  it("names a test that runs the client of each row", () => {
    const shortName = (client: string) => client.replace("@apollo/client", "apollo");
    expect(rows.filter(({ client, test }) => !textAt(test).includes(shortName(client)))).toEqual([]);
  });

  it("has a row for each recipe", () => {
    const recipes = rows.filter(({ test }) => test === "test/recipes/resume.test.ts").map(({ client }) => client);
    expect(textAt("test/recipes/resume.test.ts")).toContain(JSON.stringify(recipes).replaceAll(",", ", "));
  });
});
