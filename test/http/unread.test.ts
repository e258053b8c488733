import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { giveUpUnread } from "../../src/http/unread.ts";
import { serve } from "./serve.ts";

const STALLED_MS = 50;

describe("a connection that is still for long", () => {
  it("is kept while its answer has not begun", async () => {
    await using server = await serve((_, response) => {
      giveUpUnread(response, STALLED_MS);
      void once(response, "timeout").then(() => response.end("at last"));
    });
    expect(await (await fetch(server.url)).text()).toBe("at last");
  });

  it("is cut once its answer has begun", async () => {
    await using server = await serve((_, response) => {
      giveUpUnread(response, STALLED_MS);
      response.write("begun");
    });
    await expect((await fetch(server.url)).text()).rejects.toThrow();
  });
});
