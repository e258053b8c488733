// Services whose pages have another size, another position or other rows than requested.
import { json, type ListQuery, type Listing } from "../service.ts";
import type { OddService } from "../examine.ts";

const clamped = (most: number) => (asked: ListQuery) => ({ ...asked, pageSize: Math.min(most, asked.pageSize) });
const placeOf = ({ pageIndex, pageSize }: ListQuery) => (pageIndex - 1) * pageSize;
const pagesOf = ({ calls, query: asked }: Listing) => Math.max(1, Math.ceil(calls.length / asked.pageSize));
/** Its first list ends with a full page, so that a check of the total must load the page after it. */
const fullPages = { world: { calls: 100 } };
const isBeyond = (listing: Listing) => listing.query.pageIndex > pagesOf(listing);

const sizes: OddService[] = [
  { name: "gives pages of 50 at most", oddity: { readQuery: clamped(50) }, affects: [] },
  { name: "gives pages of 20 at most", oddity: { readQuery: clamped(20) }, affects: [] },
  {
    name: "gives pages of 10 whatever is asked for",
    oddity: { readQuery: (asked) => ({ ...asked, pageSize: 10 }) },
    affects: ["lists"],
  },
  {
    name: "gives pages of 20 at most, and tells the size that was asked for",
    oddity: {
      writeList: ({ query: asked, body, rows }) => {
        const size = Math.min(20, asked.pageSize);
        return { ...body, items: rows((asked.pageIndex - 1) * size, asked.pageIndex * size) };
      },
    },
    affects: ["lists"],
  },
  {
    name: "gives pages of 20 at most, at the places of those that were asked for",
    oddity: {
      writeList: ({ query: asked, body, rows }) => ({
        ...body,
        items: rows(placeOf(asked), placeOf(asked) + Math.min(20, asked.pageSize)),
      }),
    },
    affects: ["lists"],
  },
  {
    name: "refuses pages of more than 50",
    oddity: { writeList: ({ query: asked, body }) => (asked.pageSize > 50 ? json({ msg: "pageSize" }, 400) : body) },
    affects: ["lists"],
  },
  {
    name: "falls back to pages of 10 where more than 50 are asked for",
    oddity: { readQuery: (asked) => (asked.pageSize > 50 ? { ...asked, pageSize: 10 } : asked) },
    affects: ["search"],
  },
  {
    name: "tells the number of rows for pageSize",
    oddity: { writeList: ({ body }) => ({ ...body, pageSize: body.items.length }) },
    affects: ["lists"],
  },
  {
    name: "tells no pageSize",
    oddity: { writeList: ({ body }) => ({ ...body, pageSize: undefined }) },
    affects: ["lists"],
  },
  {
    name: "tells a pageSize of 0",
    oddity: { writeList: ({ body }) => ({ ...body, pageSize: 0 }) },
    affects: ["lists"],
  },
  {
    name: "tells its numbers as texts",
    oddity: {
      writeList: ({ body }) => ({
        ...body,
        pageIndex: String(body.pageIndex),
        pageSize: String(body.pageSize),
        total: String(body.total),
      }),
    },
    affects: [],
  },
  {
    name: "drops rows of debug calls once the page is cut",
    oddity: {
      writeList: ({ query: asked, body, calls }) => {
        const page = calls.slice(placeOf(asked), placeOf(asked) + asked.pageSize);
        return { ...body, items: body.items.filter((_, at) => page[at]?.kind === "phone") };
      },
    },
    affects: ["lists"],
  },
  {
    name: "gives one row too few on each page",
    oddity: { writeList: ({ body }) => ({ ...body, items: body.items.slice(0, -1) }) },
    affects: ["lists"],
  },
  {
    name: "gives one row too many on each page",
    oddity: {
      writeList: ({ query: asked, body, rows }) => ({
        ...body,
        items: rows(placeOf(asked), placeOf(asked) + asked.pageSize + 1),
      }),
    },
    affects: ["lists"],
  },
];

const places: OddService[] = [
  {
    name: "counts pages from 0",
    oddity: {
      writeList: ({ query: asked, body, rows }) => ({
        ...body,
        items: rows(asked.pageIndex * asked.pageSize, (asked.pageIndex + 1) * asked.pageSize),
      }),
    },
    affects: ["lists"],
  },
  {
    name: "counts pages from 1, and tells them from 0",
    oddity: { writeList: ({ body }) => ({ ...body, pageIndex: body.pageIndex - 1 }) },
    affects: ["lists"],
  },
  {
    name: "always gives the first page",
    oddity: { readQuery: (asked) => ({ ...asked, pageIndex: 1 }) },
    affects: ["lists"],
  },
  {
    name: "always gives the first page, and tells the one that was asked for",
    oddity: { writeList: ({ query: asked, body, rows }) => ({ ...body, items: rows(0, asked.pageSize) }) },
    affects: ["lists"],
  },
  {
    name: "takes pageIndex for the number of the first row",
    oddity: {
      writeList: ({ query: asked, body, rows }) => ({
        ...body,
        items: rows(asked.pageIndex - 1, asked.pageIndex - 1 + asked.pageSize),
      }),
    },
    affects: ["lists"],
  },
  {
    name: "gives the last page again beyond the end",
    oddity: {
      writeList: (listing) => {
        const { query: asked, body, rows } = listing;
        const last = pagesOf(listing);
        return isBeyond(listing)
          ? { ...body, pageIndex: last, items: rows((last - 1) * asked.pageSize, last * asked.pageSize) }
          : body;
      },
    },
    ...fullPages,
    affects: [],
  },
  {
    name: "gives the last page again beyond the end, and tells the page that was asked for",
    oddity: {
      writeList: (listing) => {
        const { query: asked, body, rows } = listing;
        const last = pagesOf(listing);
        return isBeyond(listing) ? { ...body, items: rows((last - 1) * asked.pageSize, last * asked.pageSize) } : body;
      },
    },
    ...fullPages,
    affects: [],
  },
  {
    name: "answers 404 beyond the end",
    oddity: { writeList: (listing) => (isBeyond(listing) ? json({ msg: "no such page" }, 404) : listing.body) },
    ...fullPages,
    affects: [],
  },
  {
    name: "gives items as null beyond the end and where there are none",
    oddity: { writeList: ({ body }) => ({ ...body, items: body.items.length === 0 ? null : body.items }) },
    affects: [],
  },
  {
    name: "shows nothing behind its fiftieth row",
    oddity: {
      writeList: ({ query: asked, body, rows }) => ({
        ...body,
        items: rows(placeOf(asked), Math.min(50, placeOf(asked) + asked.pageSize)),
      }),
    },
    affects: ["lists"],
  },
  {
    name: "refuses pages behind its fiftieth row",
    oddity: { writeList: ({ query: asked, body }) => (placeOf(asked) >= 50 ? json({ msg: "too deep" }, 400) : body) },
    affects: ["lists"],
  },
  {
    name: "shows the last row of a page again on the next",
    oddity: {
      writeList: ({ query: asked, body, rows }) => {
        const start = (asked.pageIndex - 1) * Math.max(1, asked.pageSize - 1);
        return { ...body, items: rows(start, start + asked.pageSize) };
      },
    },
    affects: ["lists"],
  },
  {
    name: "lists a call once for each of its assistants",
    oddity: {
      writeList: ({ query: asked, body, calls, rows }) => {
        const twice = calls.flatMap((call, at) => (call.assistants.length > 1 ? [at, at] : [at]));
        const page = twice.slice(placeOf(asked), placeOf(asked) + asked.pageSize);
        return { ...body, total: twice.length, items: page.flatMap((at) => rows(at, at + 1)) };
      },
    },
    affects: ["lists"],
  },
];

export const pages: readonly OddService[] = [...sizes, ...places];
