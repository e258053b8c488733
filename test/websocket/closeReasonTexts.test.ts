// What a client reads in the close frame of a WebSocket that is refused: where its credentials belong.
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { silentLog } from "../support/silentLog.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { serveSockets } from "./serveSockets.ts";

const KEY = "Bearer secret-of-somebody";

it.each<[string, object, Record<string, string>, RegExp]>([
  [
    "no credentials",
    {},
    {},
    /^No credentials: connection_init needs the payload \{ "authorization": "Bearer <key>" \}\.$/,
  ],
  [
    "credentials in headers of the payload",
    { headers: { Authorization: KEY } },
    {},
    /^Credentials are elsewhere: connection_init needs the payload/,
  ],
  [
    "credentials in the head of the upgrade",
    {},
    { authorization: KEY },
    /^Credentials are elsewhere: connection_init needs the payload/,
  ],
  ["credentials without Bearer", { authorization: "secret-of-somebody" }, {}, /must be "Bearer <key or token>"\.$/],
  ["wrong credentials", { authorization: KEY }, {}, /^The key or token is not valid\.$/],
])("a WebSocket with %s is closed with a reason that says where they belong", async (_, payload, headers, reason) => {
  const { url } = await serveSockets({
    pipeline: pipeline(),
    admit: () => null,
    knowsViewers: true,
    rejections: { add: () => undefined },
    log: silentLog,
  });
  const socket = new WebSocket(url, "graphql-transport-ws", { headers });
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload }));
  const [code, text] = (await once(socket, "close")) as [number, Buffer];
  expect([code, String(text)]).toEqual([4403, expect.stringMatching(reason) as string]);
  expect(String(text)).not.toContain("secret-of-somebody");
});
