import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVerifier } from "../../src/webhook/verify.ts";

const VALUE = "Xk9 secret-Value";
const verify = createVerifier([VALUE, "previous"]);
const isAuthentic = (authorization?: string) => verify(authorization) >= 0;

describe("a delivery is authentic with the configured value", () => {
  it("whole, as it was configured, and the one before it", () => {
    expect(isAuthentic(VALUE)).toBe(true);
    expect(isAuthentic("previous")).toBe(true);
    expect([verify(VALUE), verify("previous")]).toEqual([0, 1]);
  });

  it("and Bearer is a part of it only where it was configured", () => {
    expect(isAuthentic(`Bearer ${VALUE}`)).toBe(false);
    expect(createVerifier(["Bearer x"])("Bearer x")).toBe(0);
    expect(createVerifier(["Bearer x"])("x")).toBe(-1);
  });
});

describe("a delivery is not authentic with anything else", () => {
  it.each([
    undefined,
    "",
    " ",
    VALUE.slice(0, -1),
    VALUE.slice(1),
    `${VALUE}x`,
    `x${VALUE}`,
    VALUE + VALUE,
    `${VALUE}, ${VALUE}`,
    `${VALUE} `,
    ` ${VALUE}`,
    `${VALUE}\0`,
    VALUE.replace(" ", "  "),
    VALUE.toUpperCase(),
    VALUE.toLowerCase(),
    `${VALUE}previous`,
  ])("%j", (authorization) => {
    expect(isAuthentic(authorization)).toBe(false);
  });

  it("whatever it is", () => {
    fc.assert(fc.property(fc.string(), (text) => isAuthentic(text) === [VALUE, "previous"].includes(text)));
  });

  it("where nothing is accepted", () => {
    for (const authorization of [undefined, "", VALUE]) expect(createVerifier([])(authorization)).toBe(-1);
  });
});
