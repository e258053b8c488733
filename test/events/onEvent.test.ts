import { describe, expect, it } from "vitest";
import { openEventLog } from "../../src/events/eventLog.ts";
import { silentLog } from "../support/silentLog.ts";
import { tempStore } from "../store/tempStore.ts";
import { callEnded, NOW, signer } from "./callEnded.ts";

describe("The listener that must run before readers", () => {
  it("is called for this gateway's events before their acknowledgement, and for another gateway's", async () => {
    const store = (await tempStore()).events;
    const seen: Record<"here" | "there", (string | null)[]> = { here: [], there: [] };
    const open = (name: "here" | "there") =>
      openEventLog({
        store,
        signer,
        clock: () => NOW,
        checkpointMs: 1_000_000,
        onEvent: ({ taskId }) => seen[name].push(taskId),
        log: silentLog,
      });
    await using here = await open("here");
    await using there = await open("there");
    const reader = await there.follow({ after: null, filter: {}, revisions: false });
    await reader.next();
    await here.append(callEnded({ sessionId: "one", taskId: "7" }), "WEBHOOK");
    expect(seen.here).toContain("7");
    const first = reader.next().then(() => [...seen.there]);
    await there.refresh();
    expect(await first).toEqual(["7"]);
    await here.append(callEnded({ sessionId: "two", taskId: null }), "WEBHOOK");
    await there.refresh();
    expect(seen.there).toEqual(["7", null]);
    await reader.return?.();
  });
});
