import { expect, it } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { restrictContext } from "../../src/resolvers/access/restrictContext.ts";
import type { Context } from "../../src/resolvers/context.ts";
import type { RecordingRow } from "../../src/store/recordings/recordingStore.ts";

const eventOf = (sessionId: string, taskId: string) =>
  ({ sessionId, taskId, assistants: [] }) as unknown as CallEndedEvent;

it("finds the calls of settled recordings in the cache, because a thousand subscribers look for the same one", async () => {
  const events = new Map([eventOf("own", "7"), eventOf("other", "8")].map((event) => [event.sessionId, event]));
  async function* settled() {
    for (const sessionId of ["other", "lost", "own"]) yield { sessionId } as RecordingRow;
  }
  const asked: unknown[] = [];
  const context = restrictContext(
    {
      recordings: { followSettled: async () => settled() },
      known: {
        newestEvents(ids: readonly string[]) {
          asked.push(ids);
          return ids.map((id) => events.get(id) ?? null);
        },
      },
      events: {
        bySession: () => {
          throw new Error("The database was read for one subscriber.");
        },
      },
      loaders: {},
      signer: {},
      stats: {},
      source: {},
    } as unknown as Context,
    { taskIds: ["7"] },
  );
  const seen: string[] = [];
  for await (const { sessionId } of await context.recordings.followSettled()) seen.push(sessionId);
  expect(seen).toEqual(["own"]);
  expect(asked).toEqual([["other"], ["lost"], ["own"]]);
});
