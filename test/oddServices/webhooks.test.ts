import { describe, it } from "vitest";
import { webhooks } from "./services/webhooks.ts";
import { deliveries } from "./services/deliveries.ts";
import { examine } from "./stand.ts";

describe.concurrent("nothing is silently wrong over a service that writes its webhooks oddly", () => {
  it.for(webhooks)("a service that $name", (odd) => examine(odd));
});

describe.concurrent("nothing is silently wrong over a service that delivers oddly", () => {
  it.for(deliveries)("a service that $name", (odd) => examine(odd));
});
