// What the limits of a key or token do not allow a task to name: createTask refuses it, and checkTask says the same.
import { blocksOf } from "../docs/blocks.ts";
import { textAt } from "../house/sources.ts";
import { describe, expect, it } from "vitest";
import type { ViewerLimits } from "../../src/auth/viewerPolicy.ts";
import type { CheckTaskInput } from "../../src/tasks/validateCreateTask.ts";
import { optionWith } from "./input.ts";
import { called, codes, input, limitedOffice, people } from "./limitedOffice.ts";

describe("A task that the limits of its key do not allow", () => {
  const option = (own: Parameters<typeof optionWith>[0]) => ({ ...optionWith(own) });
  it.each<[string, ViewerLimits, Partial<CheckTaskInput>, string[]]>([
    ["an assistant", { assistantIds: ["7"] }, {}, ["assistantId"]],
    [
      "lines",
      { lineIds: ["2", "3"] },
      option({ lineIds: ["2", "1", "3", "4"] }),
      ["option.lineIds.1", "option.lineIds.3"],
    ],
    [
      "a country",
      { prefixes: ["+86"] },
      { numbers: [{ number: "+8613" }, { number: "+49170" }] },
      ["numbers.1.number"],
    ],
    [
      "a number without its country code",
      { prefixes: ["+86"] },
      { numbers: [{ number: "13800010001" }] },
      ["numbers.0.number"],
    ],
    [
      "a national prefix with a country code",
      { prefixes: ["1"] },
      { numbers: [{ number: "+1202" }] },
      ["numbers.0.number"],
    ],
    ["a number with a plus inside", { prefixes: ["86"] }, { numbers: [{ number: "86+1202" }] }, ["numbers.0.number"]],
    ["the label of a line", { prefixes: ["1"] }, { numbers: [{ number: "A068" }] }, ["numbers.0.number"]],
    [
      "hours",
      { callingHours: { from: "09:00", to: "20:00" } },
      option({
        periods: [
          ["09:00", "20:00"],
          ["8:59", "12:00"],
          ["19:00", "20:00:01"],
          ["22:00", "09:30"],
          ["noon"],
          ["10:00", "11:00", "12:00"],
        ],
      }),
      ["1", "2", "3", "4", "5"].map((at) => `option.periods.${at}`),
    ],
  ])("is refused with the place of each value: %s", async (_, limits, own, paths) => {
    const { submit, check, sent } = await limitedOffice(limits);
    const given = input(own);
    const refused = await submit("web", given);
    expect(codes(refused)).toEqual(paths.map((path) => ["NOT_ALLOWED", path]));
    expect((await check("web", given)).errors).toEqual(refused.errors);
    expect(sent).toEqual([]);
    expect((await submit("ops", given)).errors).toEqual([]);
  });

  // New York is 12 hours behind Shanghai in summer and 13 in winter, and Berlin 6 and 7.
  it.each<[string, NonNullable<ViewerLimits["calledHours"]>, string[][], string[], number[]]>([
    [
      "that are night for some",
      [called("+1", "America/New_York")],
      [["09:00", "12:00"]],
      ["+1202", "+8613", "1202"],
      [0],
    ],
    [
      "that are day all year",
      [called("+1", "America/New_York")],
      [
        ["22:00", "24:00"],
        ["00:00", "08:00"],
      ],
      ["+1202"],
      [],
    ],
    ["that are too early in winter", [called("+1", "America/New_York")], [["21:30", "23:00"]], ["+1202"], [0]],
    ["that are too late in summer", [called("+1", "America/New_York")], [["01:00", "08:30"]], ["+1202"], [0]],
    [
      "that are day in one of a country's zones only",
      [called("+1", "America/New_York"), called("+1", "America/Los_Angeles")],
      [["22:00", "23:00"]],
      ["+1202", "+49170"],
      [0],
    ],
    [
      "that pass midnight there",
      [called("+49", "Europe/Berlin", "00:00", "24:00")],
      [["05:00", "08:00"]],
      ["+49170"],
      [0],
    ],
    ["in another form than two times", [called("+49", "Europe/Berlin")], [["noon"]], ["+49170", "+8613"], [0]],
    ["for a number with a plus inside", [called("+1", "America/New_York")], [["09:00", "12:00"]], ["8+1202"], [0]],
    ["beyond the date line", [called("+1", "Pacific/Pago_Pago")], [["05:00", "14:00"]], ["+1684"], []],
  ])("is refused at the numbers whose people it calls in hours %s", async (_, calledHours, periods, phones, places) => {
    const { submit, check, sent } = await limitedOffice({ calledHours });
    const given = input({ numbers: phones.map((number) => ({ number })), ...option({ periods }) });
    const { errors } = await submit("web", given);
    expect(codes({ errors })).toEqual(places.map((at) => ["NOT_ALLOWED", `numbers.${at}.number`]));
    expect((await check("web", given)).errors).toEqual(errors);
    expect(sent).toHaveLength(places.length === 0 ? 1 : 0);
    expect(JSON.stringify(errors)).not.toContain("202");
  });

  it("is sent at hours that docs/security.md names for its example, and for the other side of the earth", async () => {
    const { code = "" } = blocksOf("docs/security.md").find(({ code }) => code.includes("calledHours")) ?? {};
    const [{ limits }] = JSON.parse(code) as [{ limits: ViewerLimits }];
    const example = await limitedOffice(limits);
    const numbers = ["+61412345678", "+8613800010001"].map((number) => ({ number }));
    const during = (...periods: string[][]) => input({ numbers, ...option({ periods }) });
    expect((await example.submit("web", during(["09:00", "17:00"]))).errors).toEqual([]);
    expect(codes(await example.submit("web", during(["09:00", "17:15"])))).toEqual([
      ["NOT_ALLOWED", "numbers.0.number"],
    ]);
    const [periods = ""] = /(?<=New York is called from Shanghai\s+in `)[^`]*/.exec(textAt("docs/security.md")) ?? [];
    const { submit } = await limitedOffice({ calledHours: [called("+1", "America/New_York")] });
    const american = { numbers: [{ number: "+12025550101" }] };
    const given = input({ ...american, ...option({ periods: JSON.parse(periods) as string[][] }) });
    expect((await submit("web", given)).errors).toEqual([]);
    const whole = input({ ...american, ...option({ periods: [["22:00", "08:00"]] }) });
    expect((await submit("web", whole)).errors[0]?.message).toMatch(/or passes midnight$/);
  });

  it("is sent if each value is allowed, in any spelling", async () => {
    const limits = { assistantIds: ["9007199254740993123"], lineIds: ["1", "2"], prefixes: ["+8613", "1"] };
    const { submit } = await limitedOffice({ ...limits, callingHours: { from: "00:00", to: "24:00" } });
    const numbers = ["＋86 (138) 0001", "tel:+86-139", "１38-000", "+ 86 13"].map((number) => ({ number }));
    const given = input({ numbers, ...option({ lineIds: ["2"], periods: [["00:00", "24:00"]] }) });
    expect((await submit("web", given)).errors).toEqual([]);
  });

  it("lists at most 100 numbers", async () => {
    const { check } = await limitedOffice({ prefixes: ["+1"] });
    const { errors } = await check("web", input(people(150, 100)));
    expect(errors).toHaveLength(101);
    expect(errors.at(-1)?.message).toContain("more than 100");
  });
});
