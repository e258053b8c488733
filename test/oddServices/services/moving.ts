// Services whose lists change while they are read.
import type { Listing } from "../service.ts";
import type { OddService } from "../examine.ts";
import type { Call, World } from "../world.ts";

/** Some of its calls appear or disappear after a given number of list requests. */
const moving =
  (change: (call: Call, at: number) => Partial<Call>) =>
  (world: World): World => ({
    ...world,
    calls: world.calls.map((call, at) => ({ ...call, ...change(call, at) })),
  });
const inWaves = (every: number, by: "listedFrom" | "listedUntil") =>
  moving((_, at) => (at % 3 === 0 ? { [by]: (at / 3) * every } : {}));

/** Rows of the same second have no fixed order, like the rows of a database without a second sort key. */
const tiesBy = (keyOf: (listing: Listing) => number) => ({
  writeList: (listing: Listing) => {
    const { query: asked, body, calls, rows } = listing;
    const key = keyOf(listing);
    const scattered = (at: number) => Math.imul(at + 1, 0x9e3779b1 ^ Math.imul(key, 0x85ebca6b)) >>> 0;
    const second = (at: number) => calls[at]?.startAt ?? 0;
    const order = calls.map((_, at) => at).sort((a, b) => second(b) - second(a) || scattered(a) - scattered(b));
    const start = (asked.pageIndex - 1) * asked.pageSize;
    return { ...body, items: order.slice(start, start + asked.pageSize).flatMap((at) => rows(at, at + 1)) };
  },
});

export const movingLists: readonly OddService[] = [
  {
    name: "lists new calls first, while pages are read",
    oddity: {},
    changes: inWaves(1, "listedFrom"),
    affects: ["lists"],
  },
  {
    name: "lists new calls last, while pages are read",
    oddity: {},
    changes: inWaves(1, "listedFrom"),
    semantics: { order: "oldest" },
    affects: ["lists"],
  },
  {
    name: "lists new calls anywhere, while pages are read",
    oddity: {},
    changes: inWaves(2, "listedFrom"),
    semantics: { order: "bySession" },
    affects: ["lists"],
  },
  { name: "forgets calls, while pages are read", oddity: {}, changes: inWaves(1, "listedUntil"), affects: ["lists"] },
  {
    name: "forgets its oldest calls, while pages are read",
    oddity: {},
    changes: inWaves(2, "listedUntil"),
    semantics: { order: "oldest" },
    affects: ["lists"],
  },
  {
    name: "lists new calls and forgets others, while pages are read",
    oddity: {},
    changes: moving((_, at) => (at % 4 === 0 ? { listedFrom: at } : at % 4 === 1 ? { listedUntil: at } : {})),
    semantics: { order: "bySession" },
    affects: ["lists"],
  },
  {
    name: "orders calls of the same second by the size of the page",
    oddity: tiesBy(({ query: asked }) => asked.pageSize),
    semantics: { order: "none" },
    isReordering: true,
    affects: ["lists"],
  },
  {
    name: "orders calls of the same second anew each time",
    oddity: tiesBy(({ turn }) => turn),
    semantics: { order: "none" },
    isReordering: true,
    affects: ["lists"],
  },
  {
    name: "orders calls anew each time",
    oddity: {},
    semantics: { order: "none" },
    isReordering: true,
    affects: ["lists"],
  },
];
