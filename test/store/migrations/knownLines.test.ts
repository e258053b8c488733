import { describe, expect, it } from "vitest";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";
import { databases } from "../databases.ts";
import { tempStore } from "../tempStore.ts";
import { makeVersion } from "./databaseOfVersion.ts";

const VERSION_BEFORE = 10;
const SEEN = "2026-11-20T09:30:00.000Z";
const SENT = "2026-11-20T09:31:00.000Z";

describe.each(databases)("A database of the version before known lines (%s)", (name, { createEmpty }) => {
  it("lists the assistants and submissions that it has, and takes lines", async () => {
    const { url, ask } = await createEmpty();
    await makeVersion(name === "SQLite" ? "sqlite" : "postgres", ask, VERSION_BEFORE);
    await ask(`insert into known_assistants values ('11', '111', '${SEEN}', '{}')`);
    await ask(`insert into submissions
      (id, viewer, idempotency_key, input_sha256, status, name, assistant_id, number_count, submitted_at)
      values ('1', 'web', 'key', 'x', 'ACCEPTED', 'Task', '12', 1, '${SENT}')`);

    const { knownAssistants, knownLines } = await tempStore(url);
    expect(await knownAssistants.list(createQueryOwner("web"), { first: [], limit: 9 })).toEqual([
      { assistantId: "12", seenAt: SENT, fromTask: false, fromSubmission: true, versionIds: [] },
      { assistantId: "11", seenAt: SEEN, fromTask: true, fromSubmission: false, versionIds: ["111"] },
    ]);
    expect(await knownLines.newest(9)).toEqual([]);
    const line = { lineId: "60", seenAt: SEEN, fromTask: true, fromSubmission: false };
    await knownLines.save([line]);
    expect(await knownLines.newest(9)).toEqual([line]);
  });
});
