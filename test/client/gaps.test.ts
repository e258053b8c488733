import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { clientOf, endCalls, take } from "./clients.ts";

it.each([
  ["WebSocket", {}],
  ["server-sent events", { webSocketImpl: null }],
])("callEnded by %s yields a gap where an entry is damaged, and goes on behind it", async (_, options) => {
  await using directory = await temporaryDirectory();
  const env = { DATABASE_URL: directory.database };
  const written = await startGateway(NO_SERVICE, env);
  const start = await written.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }");
  await endCalls(written, ["s0", "s1", "s2"]);
  await written[Symbol.asyncDispose]();
  {
    using database = new DatabaseSync(directory.database.replace("file:", ""));
    database.exec(`update events set data = replace(data, 'NORMAL', 'NORNAL') where session_id = 's1'`);
  }
  await using gateway = await startGateway(NO_SERVICE, env);
  await using client = clientOf(gateway, options);
  const stream = client.callEnded({ after: start.data?.callEndedEvents.headCursor, fields: "sessionId" });
  const items = await take(stream, 3);
  expect(items).toEqual([
    { type: "call", cursor: expect.any(String), call: expect.objectContaining({ sessionId: "s0" }) },
    { type: "gap", cursor: expect.any(String), after: items[0]?.cursor },
    { type: "call", cursor: expect.any(String), call: expect.objectContaining({ sessionId: "s2" }) },
  ]);
});
