// Checks the order of the log: two processes write to one log in PostgreSQL while a reader follows it by cursor. If a sequence
// number became visible after a later one, the reader would miss its event.
import { fileURLToPath } from "node:url";
import { silentLog } from "../../test/support/silentLog.ts";
import { openStore } from "../../src/store/store.ts";
import { startProgram } from "../../test/support/program.ts";
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";
import { sessionsInPostgres } from "./databases.ts";
import { countOrderedEvents, type EventCounts } from "./eventCounts.ts";

const WRITER = fileURLToPath(new URL("../programs/writer.ts", import.meta.url));
const PAGE = { filter: {}, revisions: true, through: null, order: "oldestFirst", limit: 500 } as const;

/** `events`: number of events of both writers together. */
export async function readBehindWriters(events: number): Promise<EventCounts> {
  await using server = await startPostgres({ fsync: true });
  await using store = await openStore({ url: server.url, log: silentLog });
  const writers = ["a", "b"].map((name) => startProgram([WRITER, server.url, name, String(events / 2)], {}));
  let writing = writers.length;
  const ended = Promise.all(
    writers.map(async ({ exited, stderr }) => {
      if ((await exited) !== 0) throw new Error(`a writer failed: ${stderr()}`);
      writing -= 1;
    }),
  );
  const read: string[] = [];
  let position = 0;
  for (;;) {
    const isOver = writing === 0;
    const rows = await store.events.read({ ...PAGE, after: position });
    read.push(...rows.map(({ sessionId }) => sessionId));
    position = rows.at(-1)?.seq ?? position;
    if (isOver && rows.length === 0) break;
  }
  await ended;
  return countOrderedEvents(await sessionsInPostgres(server.url), read);
}
