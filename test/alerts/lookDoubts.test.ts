// Which doubts of looks the log tells.
import { expect, it } from "vitest";
import { createLookDoubts } from "../../src/alerts/lookDoubts.ts";
import { silentLog } from "../support/silentLog.ts";

it("The log tells a doubt once, also where only its numbers change", async () => {
  const told: string[] = [];
  const log = { ...silentLog, warn: (_: object, text: string) => void told.push(text) };
  const doubts = createLookDoubts({ save: async () => undefined, log });
  const look = (...judged: [subject: string, text: string][]) =>
    doubts.note([
      {
        rule: "silence",
        judged: judged.map(([subject, text]) => ({ subject, doubts: [text] })),
        isStill: () => false,
      },
    ]);
  await look(["", "95 more tasks cannot be watched."], ["task 7", "Task 7 is unread."]);
  await look(["", "1 more task cannot be watched."], ["task 7", "Task 7 is unread."], ["task 8", "Task 8 is unread."]);
  await look(["", "96 more tasks cannot be watched."], ["task 7", "Unread."], ["task 8", "Unread."]);
  expect(told.map((text) => text.replace(/^.*: /, ""))).toEqual([
    "95 more tasks cannot be watched.",
    "Task 7 is unread.",
    "Task 8 is unread.",
    "Unread.",
  ]);
});
