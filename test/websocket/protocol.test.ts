// Operations of one socket by their IDs.
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import type { OperationPipeline } from "../../src/graphql/operation.ts";
import { createLogger } from "../../src/logger.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { openAcknowledged, serveSockets } from "./serveSockets.ts";

const start = async () => openAcknowledged((await serveSockets({ pipeline: pipeline() })).url);

/** The messages that answer a query. */
async function ask(socket: WebSocket, id: string): Promise<unknown[]> {
  const messages: { type: string }[] = [];
  const over = Promise.withResolvers<void>();
  const hear = (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string };
    messages.push(message);
    if (message.type !== "next") over.resolve();
  };
  socket.on("message", hear);
  socket.once("close", () => over.resolve());
  socket.send(JSON.stringify({ id, type: "subscribe", payload: { query: "{ viewer { name } }" } }));
  await over.promise;
  socket.off("message", hear);
  return messages;
}
const answer = (id: string) => [
  { id, type: "next", payload: { data: { viewer: { name: "anyone" } } } },
  { id, type: "complete" },
];

describe("a completed operation", () => {
  it("does not count towards the hundred of a socket: 150 queries in turn are answered", async () => {
    const socket = await start();
    for (let at = 0; at < 150; at += 1) expect(await ask(socket, String(at))).toEqual(answer(String(at)));
  });

  it("frees its ID for another one", async () => {
    const socket = await start();
    for (let at = 0; at < 3; at += 1) expect(await ask(socket, "same")).toEqual(answer("same"));
  });
});

describe("an unexpected error while an operation begins", () => {
  it("closes the socket with 4500 and is logged", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "warn", secrets: [], write: (line) => lines.push(line) });
    const failing: OperationPipeline = {
      prepare() {
        throw new Error("a bug");
      },
    };
    const socket = await openAcknowledged((await serveSockets({ pipeline: failing, log })).url);
    socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query: "{ viewer { name } }" } }));
    const [code] = (await once(socket, "close")) as [number];
    expect(code).toBe(4500);
    expect(lines.join("")).toContain("a bug");
  });
});
