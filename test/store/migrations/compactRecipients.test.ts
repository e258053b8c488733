import { describe, expect, it } from "vitest";
import { callOf } from "../../projections/contract.ts";
import { recipientRule, recipientsIn, settled, startGateway } from "../../projections/projecting.ts";
import { openLog } from "../../events/callEnded.ts";
import { databases } from "../databases.ts";
import { tempStore } from "../tempStore.ts";
import { makeVersion } from "./databaseOfVersion.ts";

const VERSION_BEFORE = 18;

describe.each(databases)("A database with recipients of version 18 (%s)", (name, { createEmpty }) => {
  it("makes them anew from its log, also where a gateway of that version still stores the cursor of its build", async () => {
    const { url, ask } = await createEmpty();
    await makeVersion(name === "SQLite" ? "sqlite" : "postgres", ask, VERSION_BEFORE);
    await ask("insert into projections values ('recipients', 1, '1', 'LIVE')");
    await ask("insert into readers (name, cursor) values ('recipients 1', '0')");
    await ask(`insert into recipients values (1, '7', 's0', 'BUSY', 1, 0, '2026', '2026', 's0', null)`);
    const store = await tempStore(url);
    const log = await openLog(store.events);
    await log.append(callOf(1), "WEBHOOK");
    await log[Symbol.asyncDispose]();
    await store.readers.advance("recipients 1", "zzz");
    const gateway = await startGateway(store, recipientRule());
    await settled(gateway);
    expect((await recipientsIn(store)).map(({ calls }) => calls)).toEqual([["s1"]]);
    expect(await gateway.projections.builds()).toMatchObject([{ build: 2, state: "LIVE" }]);
  });
});
