// The pages of the documentation: each link leads somewhere, nothing is missing, and nothing comes from another host.
import { dirname, join } from "node:path/posix";
import { beforeAll, describe, expect, it } from "vitest";
import { findPages } from "../../site/build/pages.ts";
import type { Passage } from "../../site/src/passage.ts";
import { createSearchIndex } from "../../site/src/searchIndex.ts";
import { SOURCES } from "../../site/build/sources.js";
import { variables } from "../../src/config/config.ts";
import { documentPaths, textAt } from "../house/sources.ts";
import { ensureBuilt, filesOf, isThere, pageAt } from "./builtSite.ts";

beforeAll(ensureBuilt);

const unescaped = (text: string) => text.replaceAll("&quot;", '"').replaceAll("&amp;", "&");
const linksOf = (html: string) =>
  [...html.matchAll(/\b(?:href|src|srcset|data-index|data-root)="([^"]*)"/g)].map(([, link = ""]) => unescaped(link));
const isElsewhere = (link: string) => /^[a-z]+:/.test(link);

describe("The pages of the documentation", () => {
  it("link to pages, places, images and scripts that are there", () => {
    const pages = filesOf(".html");
    const texts = new Map(pages.map((name) => [name, pageAt(name)]));
    const places = new Map(
      [...texts].map(([name, html]) => [name, new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id))]),
    );
    const links = pages.flatMap((from) =>
      linksOf(texts.get(from) ?? "")
        .filter((link) => !isElsewhere(link))
        .map((link) => ({ from, link })),
    );
    expect(links.length).toBeGreaterThan(2000);
    const broken = links.filter(({ from, link }) => {
      const [file = "", anchor] = link.split("#", 2);
      const target = file === "" ? from : join(dirname(from), file);
      return !isThere(target) || (anchor !== undefined && !places.get(target)?.has(anchor));
    });
    expect(broken).toEqual([]);
  });

  it("are all that the repository has, in the order of docs/README.md", () => {
    const { groups, documents } = findPages();
    const listed = groups.flatMap(({ entries }) => entries.map(({ path }) => path));
    expect(groups.map(({ title }) => title)).toContain("Look up");
    expect(listed).toEqual([...new Set(listed)]);
    expect(documentPaths().filter((path) => path !== "docs/README.md" && !listed.includes(path))).toEqual([]);
    expect(listed.filter((path) => !documents.has(path))).toEqual([]);
  });

  it("are built anew when one of the documents in the contents changes", () => {
    const listed = findPages().groups.flatMap(({ entries }) => entries.map(({ path }) => path));
    expect(
      listed.filter((path) => !SOURCES.some((source) => path === source || path.startsWith(`${source}/`))),
    ).toEqual([]);
  });

  it("have the version, one first heading, and no script, style or image of another host or in place", () => {
    const { version } = JSON.parse(textAt("package.json")) as { version: string };
    for (const name of filesOf(".html")) {
      const html = pageAt(name);
      expect([name, html.split(`version ${version}`).length > 2]).toEqual([name, true]);
      expect([name, html.match(/<h1[ >]/g)?.length]).toEqual([name, 1]);
      expect(html).not.toMatch(
        /<style|<script(?![^>]*src)|\sstyle="|\son\w+="|(?:src|srcset)="[a-z]+:|<link[^>]*"https?:/,
      );
    }
  });

  it("link to no host that the documents do not name", () => {
    const named = (text: string) => new Set(text.match(/https?:\/\/[\w.:-]*\w/g));
    const inDocuments = named([...findPages().documents.values()].join("\n"));
    const links = filesOf(".html").flatMap((name) => linksOf(pageAt(name)).filter(isElsewhere));
    expect([...named(links.join("\n"))].filter((host) => !inDocuments.has(host))).toEqual([]);
  });
});

describe("The search of the documentation", () => {
  let passages: Passage[];
  beforeAll(() => {
    const [file = ""] = filesOf(".json");
    passages = JSON.parse(pageAt(file)) as Passage[];
  });
  const first = async (text: string) => (await createSearchIndex(passages)).find(text, 3).map(({ address }) => address);

  it.each([
    ["`first` must be between 1 and 100, got 500.", "reference/errors.html#bad_user_input"],
    [
      "The cursor is ahead of this log. Was the database restored from a backup?",
      "reference/errors.html#cursor_invalid",
    ],
    ["POST opens a session, and DELETE ends it.", "reference/errors.html#bad_user_input"],
    ["UPSTREAM_REJECTED", "reference/errors.html#upstream_rejected"],
    ["do-not-call list", "glossary.html#do-not-call-list"],
    ["callLogs", "reference/graph.html#querycalllogs"],
    ["switchboard forget", "reference/commands.html#forget"],
  ])("finds %j first where it is explained", async (text, address) => {
    expect((await first(text)).slice(0, 1)).toEqual([expect.stringContaining(address)]);
  });

  it("finds each variable by its name on the page of variables", async () => {
    const index = await createSearchIndex(passages);
    const missed = Object.keys(variables).filter(
      (name) =>
        !index
          .find(name, 3)
          .some(({ address, text }) => address.startsWith("configuration.html") && text.includes(name)),
    );
    expect(missed).toEqual([]);
  });

  it("finds a message that has other values than the page, and a word with a fault", async () => {
    expect(await first("idempotencyKey must have 1 to 300 characters")).toContain(
      "reference/errors.html#bad_user_input",
    );
    expect((await first("quarentine")).length).toBe(3);
  });

  it("leads to places that are there", () => {
    const known = new Map(filesOf(".html").map((name) => [name, pageAt(name)]));
    const broken = passages.filter(({ u }) => {
      const [file = "", anchor] = u.split("#", 2);
      const html = known.get(file);
      return html === undefined || (anchor !== undefined && !html.includes(`id="${anchor}"`));
    });
    expect(broken).toEqual([]);
    expect(passages.length).toBeGreaterThan(3000);
  });
});
