import { describe, it } from "vitest";
import { filters } from "./services/filters.ts";
import { taskFilters } from "./services/taskFilters.ts";
import { ranges } from "./services/ranges.ts";
import { totals } from "./services/totals.ts";
import { pages } from "./services/pages.ts";
import { movingLists } from "./services/moving.ts";
import { examine } from "./stand.ts";

describe.concurrent("nothing is silently wrong over a service with an odd filter", () => {
  it.for(filters)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service that filters oddly by task", () => {
  it.for(taskFilters)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service with odd ranges", () => {
  it.for(ranges)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service with an odd total", () => {
  it.for(totals)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service with odd pages", () => {
  it.for(pages)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service whose list moves", () => {
  it.for(movingLists)("a service that $name", (odd) => examine(odd));
});
