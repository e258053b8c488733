import { describe, expect, it } from "vitest";
import { createCombinePolicies, type PolicyInput } from "../../src/auth/viewerPolicy.ts";

const callingHours = { from: "09:00", to: "18:00" };
const limits = {
  numbersPerTask: 10,
  numbersPerHour: 20,
  numbersPerDay: 30,
  tasksPerHour: 1,
  tasksPerDay: 2,
  lineIds: ["60"],
  assistantIds: ["11"],
  prefixes: ["+49"],
  callingHours,
};

describe("Several policies of one viewer", () => {
  it.each(Object.entries(limits))("keep %s, which only one of them names, as it is", (name, value) => {
    const named: PolicyInput = { limits: { [name]: value } };
    const other: PolicyInput = { limits: name === "tasksPerDay" ? { tasksPerHour: 7 } : { tasksPerDay: 7 } };
    for (const policies of [
      [named, other],
      [other, named],
    ])
      expect(createCombinePolicies()(policies).limits).toEqual({ ...named.limits, ...other.limits });
  });

  it("keep the access that only one of them names", () => {
    const combine = createCombinePolicies();
    expect(combine([{ access: { lineIds: ["60"] } }, { access: { assistantIds: ["11"] } }]).access).toEqual({
      lineIds: ["60"],
      assistantIds: ["11"],
    });
  });
});
