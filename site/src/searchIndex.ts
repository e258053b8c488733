// Ranks the passages of the documentation for a text that somebody typed or pasted, such as the message of an error.
import MiniSearch from "minisearch";
import type { Passage } from "./passage.ts";

export interface Found {
  /** The address on the site. */
  address: string;
  page: string;
  heading: string;
  /** The best passage under this heading. */
  text: string;
}

export interface SearchIndex {
  /** At most `limit` headings, the best first. */
  find(text: string, limit: number): Found[];
}

/** Many words of a pasted message vary, so a passage needs not have all of them. */
const SHORT = 3;
/** Old changes are found after what holds now. */
const CHANGES = /changelog/i;

/** The page answers keys between two parts. */
const PART = 400;

export async function createSearchIndex(passages: readonly Passage[]): Promise<SearchIndex> {
  const index = new MiniSearch<Passage & { id: number }>({
    fields: ["t", "h", "p"],
    tokenize: wordsOf,
    searchOptions: {
      boost: { t: 1, h: 2, p: 1.5 },
      prefix: (_, at, words) => at === words.length - 1,
      fuzzy: (word) => (word.length > SHORT + 2 ? 0.15 : false),
    },
  });
  await index.addAllAsync(
    passages.map((passage, id) => ({ id, ...passage })),
    { chunkSize: PART },
  );
  const search = (text: string) => {
    const boostDocument = (id: number, word: string) => weightOf(passages[id], text, word);
    const all = index.search(text, { combineWith: "AND", boostDocument });
    return all.length > 0 ? all : index.search(text, { combineWith: "OR", boostDocument });
  };
  return {
    find(text, limit) {
      const found = new Map<string, Found>();
      for (const { id } of search(text)) {
        const passage = passages[id as number];
        if (!passage || found.has(passage.u)) continue;
        found.set(passage.u, { address: passage.u, page: passage.p, heading: passage.h, text: passage.t });
        if (found.size === limit) break;
      }
      return [...found.values()];
    },
  };
}

/** A passage explains what it begins with, such as the row of a variable; so does one under such a heading. */
function weightOf(passage: Passage | undefined, text: string, word: string): number {
  if (!passage || CHANGES.test(passage.u)) return 0.3;
  if (passage.h === text || passage.h.endsWith(`.${text}`)) return 6;
  if (passage.t.startsWith(`${text} · `)) return 4;
  return [passage.t, passage.h].some((each) => each.toLowerCase().startsWith(word)) ? 2 : 1;
}

const COMPOUND = /_|\p{Ll}\p{Lu}/u;

/** `UPSTREAM_TIMEOUT_MS` is found as a whole and by each of its words, `callLogs` by `logs`, too. */
function wordsOf(text: string): string[] {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((name) => {
    if (!COMPOUND.test(name)) return [name];
    const parts = name.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== "");
    return [name, ...parts];
  });
}
