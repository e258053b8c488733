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

describe("the assistant's websocket token", () => {
  it.each([
    ["wss://user:hidden@voice.example:8443/live?token=hidden#hidden", "wss://voice.example:8443/live"],
    ["ws://voice.example", "ws://voice.example/"],
    ["", null],
  ])("is not part of the shown address: %s is shown as %s", async (websocketUrl, shown) => {
    const task = await readAssistant({ websocketUrl });
    expect(task.assistant()).toMatchObject({ websocketUrl: shown });
    expect(task.unread()).toEqual([]);
  });

  it.each(["token=hidden", "hidden", "hidden:hidden", "//hidden/hidden", "data:hidden"])(
    "does not leak from an invalid address, not even as unread text: %s",
    async (websocketUrl) => {
      const task = await readAssistant({ websocketUrl });
      expect(task.assistant()).toMatchObject({ websocketUrl: null });
      expect(task.unread()).toEqual([{ field: "assistant.websocketUrl", text: "<hidden>" }]);
      expect(JSON.stringify([task.assistant(), task.unread()]).replace("<hidden>", "")).not.toContain("hidden");
    },
  );

  it.each([
    ["s3cret-Token", "wss://voice.example/ws/s3cret-Token"],
    ["s3cret-Token", "wss://voice.example/ws;token=s3cret-Token/live"],
    ["s3cret-Token", "wss://voice.example/ws/%73%33cret-Token"],
    ["s3cret-Token", "wss://voice.example/ws/%2573%2533cret-Token"],
    ["s3cret-Token", "wss://voice.example/ws/s3cret\t-Token"],
    ["s3cret-Token", "wss://s3cret-Token.voice.example/ws"],
    ["s3cret-Token", "s3cret-token://voice.example/ws"],
    ["a+b/c==", "wss://voice.example/a%2Bb%2fc%3D%3d"],
    ["a%2Bb%2Fc", "wss://voice.example/a+b/c"],
    ["geheim-ß-Ω", "wss://voice.example/geheim-ß-Ω"],
    ["geheim-ß-Ω", "wss://voice.example/geheim-%C3%9f-%ce%a9"],
    ["100%-sure", "wss://voice.example/100%-sure"],
    [" s3cret-Token\n", "wss://voice.example/s3cret-Token"],
    [1234567, "wss://voice.example/1234567"],
  ])("%j in the address %s hides the whole address", async (websocketToken, websocketUrl) => {
    const task = await readAssistant({ websocketToken, websocketUrl });
    expect(task.assistant()).toMatchObject({ websocketUrl: null });
    expect(task.unread()).toEqual([{ field: "assistant.websocketUrl", text: "<hidden>" }]);
  });

  it.each(["", "  ", "ws", "live", null, 7, { of: "voice" }, "voice.example/other"])(
    "%j hides no address that does not contain it, or if it is too short for a secret",
    async (websocketToken) => {
      const task = await readAssistant({ websocketToken, websocketUrl: "wss://voice.example/ws/7" });
      expect(task.assistant()).toMatchObject({ websocketUrl: "wss://voice.example/ws/7" });
      expect(task.unread()).toEqual([]);
    },
  );

  it("has no field in the graph", () => {
    const names = Object.values(schema.getTypeMap()).flatMap((type) =>
      "getFields" in type ? Object.keys(type.getFields()) : [],
    );
    expect(names).toContain("websocketUrl");
    expect(names.filter((name) => /websocket_?token/i.test(name))).toEqual([]);
  });

  it("may be missing, because it is not read", async () => {
    expect((await readAssistant({ websocketToken: undefined })).assistant()).not.toBeNull();
  });
});
