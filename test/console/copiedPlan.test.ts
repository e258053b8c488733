// What the form of a new task has of an earlier plan, and what it says of the rest.
import { describe, expect, it } from "vitest";
import { lossText } from "../../console/src/views/tasks/create/copiedLosses.ts";
import { copiedFields, type EarlierPlan } from "../../console/src/views/tasks/create/copiedPlan.ts";
import { isPlan, isUnsaved } from "../../console/src/views/tasks/create/savedPlans.ts";
import { invalidFields } from "../../console/src/views/tasks/create/taskInput.ts";
import { texts } from "../../console/src/views/tasks/create/texts/texts.ts";

const PLAN: EarlierPlan = {
  name: "Survey",
  assistantId: "11",
  lineIds: ["61"],
  periods: [["09:00", "18:00"]],
  retryCount: 1,
  retryIntervalSeconds: 600,
  overridesAssistant: false,
  skipDoNotCall: false,
};
const BLANK = { from: "", until: "" };

function copied(own: Partial<EarlierPlan>) {
  const { fields, losses } = copiedFields({ ...PLAN, ...own }, "Asia/Shanghai");
  return { fields, losses, invalid: [...invalidFields(fields)], told: losses.map((loss) => lossText(loss, texts.en)) };
}

describe("The copy of an earlier plan", () => {
  it("has its hours as the gateway reads them, also with seconds and at the end of a day", () => {
    const { fields, losses, invalid } = copied({
      periods: [
        ["09:00:00", "12:00:00"],
        [" 9:30 ", "24:00"],
      ],
    });
    expect(fields.periods).toEqual([
      { from: "09:00", until: "12:00" },
      { from: "09:30", until: "24:00" },
    ]);
    expect([losses, invalid]).toEqual([[], []]);
  });

  it("leaves hours empty that the form cannot have, and names them", () => {
    const periods = [["09:00", "12:00"], ["22:00", "02:00"], ["morning", "noon"], ["09:00:30", "10:00"], ["08:00"]];
    const { fields, told, invalid } = copied({ periods });
    expect(fields.periods).toEqual([{ from: "09:00", until: "12:00" }, BLANK, BLANK, BLANK, BLANK]);
    expect(told).toEqual([
      "The form cannot have these hours: 22:00–02:00, morning–noon, 09:00:30–10:00, 08:00. Write them anew.",
    ]);
    expect(invalid).toEqual(["periods"]);
    expect(copied({ periods: [] }).fields.periods).toEqual([BLANK]);
  });

  it("leaves a time between tries empty that is no whole minutes, and says which it was", () => {
    const { fields, told, invalid } = copied({ retryIntervalSeconds: 90 });
    expect([fields.retryMinutes, told, invalid]).toEqual([
      "",
      ["The time between tries was 90 s. The form takes whole minutes: write them."],
      ["retryMinutes"],
    ]);
    expect(copied({ retryIntervalSeconds: 0 }).fields.retryMinutes).toBe("0");
    expect(copied({ retryIntervalSeconds: null }).losses).toEqual([{ of: "interval" }]);
  });

  it("names what a proposal has and the form does not", () => {
    expect(copied({ overridesAssistant: true, skipDoNotCall: true }).told).toEqual([
      texts.en.copyLosses.assistantOverride,
      texts.en.copyLosses.skipDoNotCall,
    ]);
  });
});

describe("A saved plan", () => {
  const { fields } = copied({});
  const saved = { id: "1", savedAt: "2026-11-20T09:30:00.000Z", fields };

  it("takes the place of a form that is empty, saved or as it is, and not of another one", () => {
    const other = { ...fields, name: "Other" };
    const empty = { ...fields, name: "", assistantId: "", lineIds: [] };
    expect([empty, fields, other].map((form) => isUnsaved(form, [saved]))).toEqual([false, false, true]);
    expect(isUnsaved({ ...empty, lineIds: ["61"] }, [saved])).toBe(true);
  });

  it("is read where it is whole, and passed over where a part is missing or has another form", () => {
    expect(isPlan(saved)).toBe(true);
    const parts = Object.keys(fields).filter((name) => name !== "choice");
    const others = [
      ...parts.map((name) => ({ ...saved, fields: { ...fields, [name]: undefined } })),
      { ...saved, fields: { ...fields, periods: [null] } },
      { ...saved, fields: { ...fields, periods: [{ from: "09:00" }] } },
      { ...saved, fields: { ...fields, lineIds: [61] } },
      { ...saved, savedAt: "yesterday" },
      { ...saved, id: 1 },
      { id: "1", savedAt: saved.savedAt },
      null,
    ];
    expect(others.length).toBe(parts.length + 7);
    expect(others.filter((plan) => isPlan(plan))).toEqual([]);
  });
});
