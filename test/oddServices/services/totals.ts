// Services whose totals are wrong.
import type { Json, Listing } from "../service.ts";
import type { OddService } from "../examine.ts";

type Change = (listing: Listing) => Json;

/** Changes the total. */
const counts = (name: string, totalOf: (listing: Listing) => unknown, touches: OddService["affects"] = ["lists"]) => {
  const lists: Change = (listing) => ({ ...listing.body, total: totalOf(listing) });
  return { name, oddity: { writeList: lists }, affects: touches } satisfies OddService;
};

export const totals: readonly OddService[] = [
  counts("counts the page", ({ body }) => body.items.length),
  counts(
    "counts up to the end of the page",
    ({ body, query: asked }) => (asked.pageIndex - 1) * asked.pageSize + body.items.length,
  ),
  counts("counts three calls too few", ({ body }) => Math.max(0, body.total - 3)),
  counts("counts half of the calls", ({ body }) => Math.floor(body.total / 2)),
  counts("counts three calls too many", ({ body }) => body.total + 3),
  counts("counts the calls of all time", ({ world }) => world.calls.length),
  counts("counts no further than 50", ({ body }) => Math.min(50, body.total)),
  counts("counts no further than 100", ({ body }) => Math.min(100, body.total)),
  counts("rounds its total to tens", ({ body }) => Math.round(body.total / 10) * 10),
  counts("rounds its total up to hundreds", ({ body }) => Math.ceil(body.total / 100) * 100),
  counts("tells a total of -1", () => -1),
  counts("tells a total of 0", () => 0),
  counts("tells no total", () => undefined),
  counts("tells a total of null", () => null),
  counts("tells its total as a text", ({ body }) => String(body.total), []),
  counts("tells its total with a fraction", ({ body }) => body.total + 0.5),
  counts("tells a total beyond 32 bits", () => 2 ** 40),
  counts("tells its total on the first page only", ({ body }) => (body.pageIndex === 1 ? body.total : 0)),
  counts("tells the number of pages for its total", ({ body, query: asked }) => Math.ceil(body.total / asked.pageSize)),
  {
    name: "tells the total of the question before",
    oddity: (() => {
      let before = 0;
      const lists: Change = ({ body }) => {
        const changed = { ...body, total: before };
        before = body.total;
        return changed;
      };
      return { writeList: lists };
    })(),
    affects: ["lists"],
  },
];
