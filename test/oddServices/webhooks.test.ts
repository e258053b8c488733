import { describe, expect, it } from "vitest";
import { webhooks } from "./services/webhooks.ts";
import { deliveries } from "./services/deliveries.ts";
import { examine } from "./examine.ts";

describe.concurrent("a service that writes its webhooks oddly", () => {
  it.for(webhooks)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});

describe.concurrent("a service that delivers oddly", () => {
  it.for(deliveries)("leads to no silently wrong answer if it $name", (odd) =>
    expect(examine(odd)).resolves.toBeUndefined(),
  );
});
