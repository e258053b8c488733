import { describe, expect, it } from "vitest";
import { filters } from "./services/filters.ts";
import { taskFilters } from "./services/taskFilters.ts";
import { ranges } from "./services/ranges.ts";
import { totals } from "./services/totals.ts";
import { pages } from "./services/pages.ts";
import { movingLists } from "./services/moving.ts";
import { examine } from "./examine.ts";

describe.concurrent("a service with an odd filter", () => {
  it.for(filters)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service that filters oddly by task", () => {
  it.for(taskFilters)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service with odd ranges", () => {
  it.for(ranges)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service with an odd total", () => {
  it.for(totals)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service with odd pages", () => {
  it.for(pages)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service whose list moves", () => {
  it.for(movingLists)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});
