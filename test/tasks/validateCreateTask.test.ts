import { describe, expect, it } from "vitest";
import { runSync } from "../../src/util/timeSlices.ts";
import { validateCreateTask, type CreateTaskInput } from "../../src/tasks/validateCreateTask.ts";
import { createTaskInput, optionWith } from "./input.ts";

function errors(input: CreateTaskInput) {
  const read = runSync(validateCreateTask(input));
  return "errors" in read ? read.errors : [];
}

function request(input: CreateTaskInput) {
  const read = runSync(validateCreateTask(input));
  if ("errors" in read) throw new Error(JSON.stringify(read.errors));
  return read.request;
}

const paths = (input: CreateTaskInput) => errors(input).map(({ path }) => path.join("."));

describe("A valid input of createTask", () => {
  it("is read without the key, with exact ids, trimmed numbers, and null for missing fields", () => {
    expect(request(createTaskInput())).toEqual({
      name: "Reminder",
      assistantId: "9007199254740993123",
      assistantOverride: { globalConfig: { welcome: "Hello", prompt: null, language: "jp" }, speakerId: "5" },
      option: createTaskInput().option,
      numbers: [
        { number: "13800010001", extra: { 姓名: "张三" } },
        { number: "13800010002", extra: null },
      ],
    });
    expect(request(createTaskInput({ assistantOverride: undefined })).assistantOverride).toBeNull();
    expect(request(createTaskInput({ assistantOverride: {} })).assistantOverride).toEqual({
      globalConfig: null,
      speakerId: null,
    });
  });

  it("accepts any keys in extra as data", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":"x","toString":null,"号":[1,{"a":true}]}';
    const extra = JSON.parse(text) as Record<string, unknown>;
    const [number] = request(createTaskInput({ numbers: [{ number: "1", extra }] })).numbers;
    expect(JSON.stringify(number?.extra)).toBe(text);
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("The mistakes of an invalid input", () => {
  it("have messages that follow the path, such as startDate must not be empty", () => {
    const none = { ...optionWith({ lineIds: [], periods: [] }), numbers: [] };
    const empty = { idempotencyKey: "", name: "", numbers: [{ number: "" }, { number: "1".repeat(65) }] };
    const found = [
      ...errors(createTaskInput(none)),
      ...errors(createTaskInput({ ...empty, ...optionWith({ startDate: " ", periods: [[], [""], ["25:00"]] }) })),
      ...errors(
        createTaskInput({ assistantId: "0", numbers: [{ number: "1" }, { number: "1\u0000" }, { number: "1" }] }),
      ),
    ];
    expect(found.length).toBe(14);
    expect(found.filter(({ message }) => !/^(must|is|holds) [^.]+$/.test(message))).toEqual([]);
  });

  it("do not quote the input", () => {
    const canary = "canary 13800010001";
    const found = errors({
      idempotencyKey: "",
      name: " ",
      assistantId: canary,
      assistantOverride: { speakerId: canary },
      option: {
        numberFileMeta: { number: 0.5, name: 1, gender: 2, salesPersonName: 3 },
        lineIds: [canary],
        periods: [[], [""]],
        startDate: "2026-02-30",
        retryCount: -1,
        retryIntervalSeconds: -60,
      },
      numbers: [{ number: canary }, { number: "" }, { number: canary }],
    });
    expect(new Set(found.map(({ path }) => path.join(".")))).toEqual(
      new Set([
        "idempotencyKey",
        "name",
        "assistantId",
        "assistantOverride.speakerId",
        "option.numberFileMeta.number",
        "option.lineIds.0",
        "option.periods.0",
        "option.periods.1.0",
        "option.startDate",
        "option.retryCount",
        "option.retryIntervalSeconds",
        "numbers.1.number",
        "numbers.2.number",
      ]),
    );
    expect(JSON.stringify(found)).not.toMatch(/canary|1380001/);
  });

  const single: [string, string, Partial<CreateTaskInput>][] = [
    ["a key of 256 characters", "idempotencyKey", { idempotencyKey: "k".repeat(256) }],
    ["a NUL in a key", "idempotencyKey", { idempotencyKey: "k\0" }],
    ["a NUL in a name", "name", { name: "n\0" }],
    ["half a character in a key", "idempotencyKey", { idempotencyKey: "k\ud800" }],
    ["no number", "numbers", { numbers: [] }],
    [
      "a variable of the gateway's own",
      "numbers.0.extra._switchboard",
      { numbers: [{ number: "1", extra: { _switchboard: "x" } }] },
    ],
    ["a period without times", "option.periods.0", optionWith({ periods: [[]] })],
    ["a period of no length", "option.periods.0", optionWith({ periods: [["09:00", "09:00"]] })],
    ["an empty time", "option.periods.0.1", optionWith({ periods: [["09:00", " "]] })],
    ["a time that is none", "option.periods.0.1", optionWith({ periods: [["09:00", "24:01"]] })],
    ["a minute that is none", "option.periods.0.0", optionWith({ periods: [["09:60", "10:00"]] })],
    ["a date that is none, with a time", "option.startDate", optionWith({ startDate: "2026-02-30 09:00:00" })],
    ["a date that is none, in slashes", "option.startDate", optionWith({ startDate: "2026/2/30" })],
    ["no line", "option.lineIds", optionWith({ lineIds: [] })],
    ["no period", "option.periods", optionWith({ periods: [] })],
    ["a date that is none", "option.startDate", optionWith({ startDate: "2026-13-01" })],
    ["a day too many", "option.startDate", optionWith({ startDate: "2025-02-29" })],
    ["a date of a year that is a slip", "option.startDate", optionWith({ startDate: "0206-11-26" })],
    ["a date after every task", "option.startDate", optionWith({ startDate: "9999-12-31" })],
    ["an empty date", "option.startDate", optionWith({ startDate: "" })],
    ["an assistant 0", "assistantId", { assistantId: "0" }],
    ["an assistant with a sign", "assistantId", { assistantId: "+1" }],
    ["an assistant with a path", "assistantId", { assistantId: "1/../2" }],
  ];

  it("say what is right where the year of a date is a slip", () => {
    const found = ["1999-12-31", "2000-01-01", "2199-12-31", "2200-01-01"].map((startDate) =>
      errors(createTaskInput(optionWith({ startDate }))).map(({ message }) => message),
    );
    const wrong = ["must have a year from 2000 to 2199"];
    expect(found).toEqual([wrong, [], [], wrong]);
  });

  it.each(single)("include %s, with its path", (_, path, own) => {
    expect(paths(createTaskInput(own))).toEqual([path]);
  });

  it("include variables that are nested too deeply", () => {
    const nested = (levels: number) =>
      JSON.parse('{"a":'.repeat(levels) + "1" + "}".repeat(levels)) as Record<string, unknown>;
    const input = (levels: number) => createTaskInput({ numbers: [{ number: "1", extra: nested(levels) }] });
    expect(paths(input(100))).toEqual([]);
    for (const levels of [101, 20_000]) expect(paths(input(levels))).toEqual(["numbers.0.extra"]);
  });

  it("include an infinite number in a variable", () => {
    const extra = JSON.parse('{"a":[1,{"b":1e400}]}') as Record<string, unknown>;
    expect(paths(createTaskInput({ numbers: [{ number: "1", extra }] }))).toEqual(["numbers.0.extra"]);
  });

  it("do not include values at the limits", () => {
    expect(paths(createTaskInput({ idempotencyKey: "k".repeat(255) }))).toEqual([]);
    expect(paths(createTaskInput(optionWith({ startDate: "2028-02-29" })))).toEqual([]);
  });

  it("do not include a date in another format", () => {
    for (const startDate of ["20/11/2026", "2026-11-20 09:00:00", "tomorrow"]) {
      expect(paths(createTaskInput(optionWith({ startDate })))).toEqual([]);
    }
  });
});
