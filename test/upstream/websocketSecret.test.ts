import { describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import { json, serve, upstreamAt, wholeTask } from "./service.ts";

async function readAssistant(changes: Record<string, unknown>): Promise<TaskRecord> {
  const task = wholeTask();
  await using service = await serve(json({ ...task, assistant: { ...task.assistant, ...changes } }));
  await using upstream = upstreamAt(service.url);
  const read = await upstream.getTask("7");
  if (!read) throw new Error("A task was expected.");
  return read;
}

describe("the secret of a websocket gets nowhere", () => {
  it.each([
    ["wss://user:hidden@voice.example:8443/live?token=hidden#hidden", "wss://voice.example:8443/live"],
    ["ws://voice.example", "ws://voice.example/"],
    ["", null],
  ])("%s is shown as %s", async (websocketUrl, shown) => {
    const task = await readAssistant({ websocketUrl });
    expect(task.assistant()).toMatchObject({ websocketUrl: shown });
    expect(task.unread()).toEqual([]);
  });

  it.each(["token=hidden", "hidden", "hidden:hidden", "//hidden/hidden", "data:hidden"])(
    "%s is no address, and is not even told as unread text",
    async (websocketUrl) => {
      const task = await readAssistant({ websocketUrl });
      expect(task.assistant()).toMatchObject({ websocketUrl: null });
      expect(task.unread()).toEqual([{ field: "assistant.websocketUrl", text: "<hidden>" }]);
      expect(JSON.stringify([task.assistant(), task.unread()]).replace("<hidden>", "")).not.toContain("hidden");
    },
  );

  it("and the graph has no field of it", () => {
    const names = Object.values(schema.getTypeMap()).flatMap((type) =>
      "getFields" in type ? Object.keys(type.getFields()) : [],
    );
    expect(names).toContain("websocketUrl");
    expect(names.filter((name) => /websocket_?token/i.test(name))).toEqual([]);
  });

  it("and the token may be missing, for nobody reads it", async () => {
    expect((await readAssistant({ websocketToken: undefined })).assistant()).not.toBeNull();
  });
});
