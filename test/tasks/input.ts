import type { CreateTaskInput } from "../../src/tasks/validateCreateTask.ts";
import { holdTurn } from "../../src/util/bodies/bodyTurn.ts";

export function createTaskInput(own: Partial<CreateTaskInput> = {}): CreateTaskInput {
  return {
    idempotencyKey: "key-1",
    name: "Reminder",
    assistantId: "9007199254740993123",
    assistantOverride: { globalConfig: { welcome: "Hello", language: "jp" }, speakerId: "5" },
    option: {
      numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
      lineIds: ["1", "2"],
      periods: [["09:00", "12:00"]],
      startDate: "2026-11-20",
      retryCount: 0,
      retryIntervalSeconds: 60,
    },
    numbers: [{ number: " 13800010001 ", extra: { 姓名: "张三" } }, { number: "13800010002" }],
    ...own,
  };
}

/** The same, of a large body whose turn `release` ends. */
export function inTurn(release: () => void): CreateTaskInput {
  const input = createTaskInput();
  holdTurn(input.numbers, release);
  return input;
}

export function optionWith(own: Partial<CreateTaskInput["option"]>): Pick<CreateTaskInput, "option"> {
  return { option: { ...createTaskInput().option, ...own } };
}
