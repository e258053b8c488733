import { describe, expect, it } from "vitest";
import { createSubscriberCount } from "../../../src/graphql/subscriptions/subscription.ts";

describe("the count of subscribers", () => {
  it("drops by one for each that ends, however often its function is called", () => {
    const { enter, running } = createSubscriberCount();
    const [first, second] = [enter(), enter()];
    expect(running()).toBe(2);
    for (let times = 0; times < 3; times += 1) first();
    expect(running()).toBe(1);
    second();
    expect(running()).toBe(0);
  });
});
