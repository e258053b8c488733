import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../house/sources.ts";
import { allBlocks, withHosts } from "./blocks.ts";
import { HELD, matches, NOT_RUN } from "./held.ts";

const shownAt = ({ page, heading, language }: (typeof allBlocks)[number]) => `${page}, ${heading}: ${language}`;

describe("The blocks of the pages", () => {
  it("are each run by a test, or have a reason why not", () => {
    expect(allBlocks.length).toBeGreaterThan(200);
    const rules = [...HELD, ...NOT_RUN];
    expect(allBlocks.filter((block) => !rules.some((rule) => matches(rule, block))).map(shownAt)).toEqual([]);
  });

  it("are those that the lists name", () => {
    const unused = [...HELD, ...NOT_RUN].filter((rule) => !allBlocks.some((block) => matches(rule, block)));
    expect(unused).toEqual([]);
  });

  it("are run by tests that are there", () => {
    expect(HELD.map(({ by }) => by).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("have a language, so that they are shown in colours", () => {
    expect(allBlocks.filter(({ language }) => language === "").map(shownAt)).toEqual([]);
  });
});

it("The addresses of a page are replaced once, also where a port begins with another address's port", () => {
  const hosts = { "127.0.0.1:4000": "127.0.0.1:40107", "127.0.0.1:4010": "127.0.0.1:40007" };
  const page = "http://127.0.0.1:4000/graphql http://127.0.0.1:4010/sandbox";
  expect(withHosts(page, hosts)).toBe("http://127.0.0.1:40107/graphql http://127.0.0.1:40007/sandbox");
  expect(withHosts(withHosts(page, hosts), hosts)).toBe(withHosts(page, hosts));
});
