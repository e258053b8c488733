import { describe, expect, it } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openStore } from "../../src/store/store.ts";
import { until } from "../support/until.ts";
import { ANY_QUOTA, appendRows, eventRow, submission, WHOLE } from "../store/tempStore.ts";
import { startHostileServer } from "./hostileSettings.ts";

describe("A PostgreSQL server with synchronous_commit = off, killed", () => {
  it("has every call and submission that was acknowledged", async () => {
    await using hostile = await startHostileServer({
      title: "",
      server: { synchronous_commit: "off" },
      role: "set default_transaction_isolation = serializable",
      refused: null,
    });
    const options = { url: hostile.url, log: silentLog };
    const acknowledged = Array.from({ length: 60 }, (_, at) => `s${at}`);
    await using store = await openStore(options);
    for (const sessionId of acknowledged) await appendRows(store.events, [eventRow({ sessionId })]);
    await store.submissions.claim(submission({ id: "a" }), ANY_QUOTA);
    await hostile.server.kill();
    await hostile.server.start();
    const stored = await until(() => store.events.read(WHOLE).catch(() => null));
    expect(await store.submissions.byId("a")).toMatchObject({ status: "PENDING" });
    expect(stored.map(({ sessionId }) => sessionId)).toEqual(acknowledged);
  });
});
