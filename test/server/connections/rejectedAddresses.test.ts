import { describe, expect, it } from "vitest";
import { createRejections } from "../../../src/server/connections/rejections.ts";
import { noServerObserver } from "../../../src/server/serverObserver.ts";

describe("An address is blamed for a rejection", () => {
  it.each([
    [400, true],
    [499, true],
    [500, false],
    [503, false],
    [999, false],
    [1000, true],
    [4429, true],
    ["incomplete", true],
  ])("with %s: %s", (status, isBlamed) => {
    const blamed: string[] = [];
    const rejections = createRejections(noServerObserver, {
      recordRejected: (address) => void blamed.push(address),
    });
    rejections.add("graphql", status, "203.0.113.7");
    expect(blamed).toEqual(isBlamed ? ["203.0.113.7"] : []);
  });
});
