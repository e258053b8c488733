import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { giveUpUnread, giveUpUntaken } from "../../src/http/unread.ts";
import { serve } from "./serve.ts";

const STALLED_MS = 50;
/** More than the buffers of both ends hold. */
const LARGE = 64 * 1024 * 1024;

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

  it("is cut where a whole answer is not read to its end, and left alone where it is taken at once", async () => {
    const armed: number[] = [];
    const cut = Promise.withResolvers<void>();
    await using server = await serve(({ url }, response) => {
      response.end(Buffer.alloc(url === "/large" ? LARGE : 1));
      giveUpUntaken(response, STALLED_MS);
      armed.push(response.listenerCount("timeout"));
      if (url === "/large") response.once("close", cut.resolve);
    });
    await (await fetch(server.url)).bytes();
    const socket = connect(server.port, "127.0.0.1").pause();
    socket.on("error", () => undefined).write("GET /large HTTP/1.1\r\nhost: x\r\n\r\n");
    await cut.promise;
    expect(armed).toEqual([0, 1]);
    socket.destroy();
  });
});
