import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { openSocket, openSse, subscribe, type Stream, type StreamResult } from "../support/streams.ts";

interface Told {
  callEnded: { sessionId: string; cursor: string };
}

const QUERY = "subscription($after: String) { callEnded(after: $after) { sessionId cursor } }";
const IDS = ["s0", "s1", "s2", "s3"];

let gateway: TestGateway;
let start: string;
const stack = new AsyncDisposableStack();

/** A gateway whose log has four entries, the second of them damaged. */
beforeAll(async () => {
  const directory = stack.use(await temporaryDirectory());
  const env = { DATABASE_URL: directory.database };
  const written = await startGateway(NO_SERVICE, env);
  start = (await written.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }")).data
    ?.callEndedEvents.headCursor as string;
  for (const session_id of IDS) await written.deliver(callEndedEvent({ session_id }));
  await written[Symbol.asyncDispose]();
  {
    using database = new DatabaseSync(directory.database.replace("file:", ""));
    database.exec(`update events set data = replace(data, 'NORMAL', 'NORNAL') where session_id = 's1'`);
  }
  gateway = stack.use(await startGateway(NO_SERVICE, env));
});
afterAll(() => stack.disposeAsync());

const transports: [string, (after: string) => Promise<Stream<StreamResult<Told>>>][] = [
  ["server-sent events", (after) => openSse<Told>(gateway.url, { query: QUERY, variables: { after } })],
  ["WebSocket", async (after) => subscribe<Told>(openSocket(gateway.url), QUERY, { after })],
];

describe.each(transports)("over %s, a subscription that meets a damaged entry", (_, listen) => {
  it("ends with an error whose cursor leads behind it, and misses nothing else", async () => {
    await using first = await listen(start);
    const before = await first.next();
    expect(before.data?.callEnded.sessionId).toBe("s0");
    const { errors } = await first.next();
    expect(errors).toMatchObject([{ extensions: { code: "CURSOR_EXPIRED", cursor: expect.any(String) as unknown } }]);
    await using second = await listen(errors?.[0]?.extensions?.["cursor"] as string);
    const rest = [await second.next(), await second.next()];
    expect(rest.map(({ data }) => data?.callEnded.sessionId)).toEqual(["s2", "s3"]);
  });
});

describe("switchboard events on a log with a damaged entry", () => {
  it("prints all other entries, and says that one is missing", async () => {
    await using program = startProgram([CLI, "events", "--url", gateway.url], {});
    expect(await program.exited).toBe(0);
    const listed = program.output.map((line) => (JSON.parse(line) as { sessionId: string }).sessionId);
    expect(listed).toEqual(["s0", "s2", "s3"]);
    expect(program.stderr()).toBe(
      "Entries are missing here: they have expired, are damaged, or were lost in a restore.\n",
    );
  });
});
