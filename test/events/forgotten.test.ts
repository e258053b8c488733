import { describe, expect, it } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { createForgetPhone } from "../../src/privacy/erasePhone.ts";
import { tempStore } from "../store/tempStore.ts";
import { callEnded, headOf, logOver, next } from "./callEnded.ts";

const NUMBER = "+8613912345678";

describe("An erased event", () => {
  it("is not delivered to a follower that had read it before the erasure", async () => {
    const { events: store, eraser } = await tempStore();
    const events = await logOver(store);
    const archive = { remove: async () => undefined };
    const forget = createForgetPhone({ eraser, archive, events, clock: Date.now, log: silentLog });
    const after = await headOf(events);
    const callees = { a: "13800010001", b: NUMBER, c: "13800010001" };
    for (const [sessionId, callee] of Object.entries(callees))
      await events.append(callEnded({ sessionId, callee }), "WEBHOOK");
    const reader = await events.follow({ after, filter: {}, revisions: false });
    expect(await next(reader)).toMatchObject({ kind: "checkpoint" });
    expect(await next(reader)).toMatchObject({ event: { sessionId: "a" } });
    await forget({ number: NUMBER, actor: "ops", dryRun: false });
    expect(await next(reader)).toMatchObject({ event: { sessionId: "c" } });
    await reader.return?.();
  });
});
