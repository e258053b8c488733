import { describe, expect, it } from "vitest";
import { databases } from "../store/databases.ts";
import { callEnded, tempLog } from "./callEnded.ts";

const ODD = ["x".repeat(100_000), "a\0b", "\ud83d", "号".repeat(3000), "' or 1=1 --", ""];

describe.each(databases)("An event with odd texts on %s", (_name, { create }) => {
  it.each(ODD.map((text) => [text.slice(0, 12), text]))("is kept with the text %j", async (_, text) => {
    const log = await tempLog({}, (await create()).url);
    const call = callEnded({
      sessionId: "odd",
      caller: text,
      callee: text,
      hangupReason: text,
      taskId: "9".repeat(5000),
      assistants: [{ assistantId: "8".repeat(5000), versionId: "1" }],
      extra: { [text]: text },
    });
    expect(await log.append(call, "WEBHOOK")).toBe("appended");
    // The stored JSON equals the delivered one.
    expect(await log.bySession("odd")).toMatchObject(JSON.parse(JSON.stringify(call)) as object);
  });
});
