import { describe, expect, it } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { createFindRecordings, nameOfCall } from "../../src/recordings/findRecordings.ts";
import { callEnded, logOver } from "../events/callEnded.ts";
import { databases, type DatabaseUnderTest } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";

const BAD = "https://refused.example/1.wav";

/** The archive's reader is this test: it adds the recordings of an event, and stores its cursor. */
async function archiveOver(database: DatabaseUnderTest) {
  const store = await tempStore((await database.create()).url);
  const events = await logOver(store.events);
  const { recordings, readers } = store;
  const refusalOf = (link: string) => (link === BAD ? "The link is refused." : null);
  const find = createFindRecordings({ recordings, readers, reader: "recordings", refusalOf });
  return {
    store,
    async end(sessionId: string, recordUrl: string | null, duration = 60): Promise<CallEndedEvent> {
      await events.append(callEnded({ sessionId, recordUrl, duration }), "WEBHOOK");
      return (await events.bySession(sessionId)) as CallEndedEvent;
    },
    async add({ sessionId, revision, receivedAt, recordUrl }: CallEndedEvent) {
      await recordings.add([{ sessionId, revision, receivedAt, url: recordUrl ?? "", refusal: null }]);
    },
    reach: ({ cursor }: CallEndedEvent) => readers.advance("recordings", cursor),
    async settle(outcome: Parameters<typeof recordings.settle>[2]) {
      const [job] = await recordings.claim("me", 1, 60_000);
      if (!job) throw new Error("no recording is due");
      expect(await recordings.settle("me", job, outcome)).toBe(true);
    },
    async found({ sessionId }: { sessionId: string }, event: CallEndedEvent | null) {
      const call = { sessionId, event };
      const row = (await find([call])).get(nameOfCall(call));
      return row ? [row.status, row.failure] : null;
    },
  };
}

const lost = { status: "LOST", failure: "gone", lostAt: "2026-11-20T09:32:00.000Z" } as const;
const archived = {
  status: "ARCHIVED",
  sha256: "a".repeat(64),
  contentType: "audio/wav",
  bytes: 1,
  archivedAt: "2026-11-20T09:31:00.000Z",
} as const;

describe.each(databases)("Finding the recording of an event (%s)", (_, database) => {
  it("answers for an event that the archive's reader has not reached", async () => {
    const { end, found } = await archiveOver(database);
    const event = await end("a", "https://files.example/1.wav");
    expect(await found(event, event)).toEqual(["PENDING", null]);
    expect(await found(event, null)).toBeNull();
    const refused = await end("b", BAD);
    expect(await found(refused, refused)).toEqual(["LOST", "The link is refused."]);
    const without = await end("c", null);
    expect(await found(without, without)).toBeNull();
  });

  it("answers for an event behind the reader while the reader has reached an earlier one", async () => {
    const { end, add, reach, found } = await archiveOver(database);
    const first = await end("a", "https://files.example/1.wav");
    await add(first);
    await reach(first);
    const second = await end("b", "https://files.example/2.wav");
    expect(await found(second, second)).toEqual(["PENDING", null]);
    expect(await found(first, first)).toEqual(["PENDING", null]);
  });

  it("finds nothing once the reader passed the event and its recording was deleted", async () => {
    const { store, end, add, reach, found } = await archiveOver(database);
    const event = await end("a", "https://files.example/1.wav");
    await add(event);
    await reach(event);
    await store.recordings.delete(["a"]);
    expect(await found(event, event)).toBeNull();
  });

  it("shows a stored recording, although the reader's cursor is older", async () => {
    const { end, add, settle, found } = await archiveOver(database);
    const event = await end("a", "https://files.example/1.wav");
    await add(event);
    await settle(archived);
    expect(await found(event, event)).toEqual(["ARCHIVED", null]);
    const revised = await end("a", "https://files.example/2.wav");
    expect(revised.revision).toBe(2);
    expect(await found(revised, revised)).toEqual(["ARCHIVED", null]);
  });

  it("is PENDING again where a later revision brings another link for a lost recording", async () => {
    const { end, add, settle, reach, found } = await archiveOver(database);
    const event = await end("a", "https://files.example/1.wav");
    await add(event);
    await settle(lost);
    await reach(event);
    expect(await found(event, event)).toEqual(["LOST", "gone"]);
    const longer = await end("a", "https://files.example/1.wav", 61);
    expect(await found(longer, longer)).toEqual(["LOST", "gone"]);
    const renewed = await end("a", "https://files.example/2.wav", 62);
    expect(await found(renewed, renewed)).toEqual(["PENDING", null]);
    expect(await found(event, event)).toEqual(["LOST", "gone"]);
  });

  it("keeps revisions of one call apart in one batch", async () => {
    const { store, end } = await archiveOver(database);
    const { recordings, readers } = store;
    const find = createFindRecordings({ recordings, readers, reader: "recordings", refusalOf: () => null });
    const without = await end("a", null);
    const withLink = await end("a", "https://files.example/1.wav");
    const found = await find([
      { sessionId: "a", event: without },
      { sessionId: "a", event: withLink },
    ]);
    expect([...found].map(([name, { status }]) => [name, status])).toEqual([["2 a", "PENDING"]]);
  });
});
