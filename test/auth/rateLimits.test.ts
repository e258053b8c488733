import { describe, expect, it } from "vitest";
import { createRateLimits, limitTaskCreation } from "../../src/auth/rateLimits.ts";

describe("rate limits of one process", () => {
  it("reject with RATE_LIMITED and the seconds until the window ends, once the points are spent", async () => {
    const limits = createRateLimits(3);
    await limits.consume("viewer web", 2);
    await limits.consume("viewer web");
    await expect(limits.consume("viewer web")).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfter: 60 });
  });

  it("count each caller apart", async () => {
    const limits = createRateLimits(1);
    await limits.consume("viewer web");
    expect(await limits.consume("viewer ops")).toBeUndefined();
  });

  it("pass on everything that a task is created or approved with", async () => {
    const create = limitTaskCreation(createRateLimits(1), async (...args: [{ name: string }, string, string]) => args);
    expect(await create({ name: "web" }, "input", "more")).toEqual([{ name: "web" }, "input", "more"]);
  });
});
