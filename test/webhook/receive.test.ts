import { describe, expect, it } from "vitest";
import { createLog } from "../../src/log.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver, type ReceiverDeps } from "../../src/webhook/receive.ts";
import { NOW, logOver } from "../events/callEnded.ts";
import { tempStore } from "../store/tempStore.ts";
import { body, bodyWith } from "./delivery.ts";

async function receiver(own: (deps: ReceiverDeps) => Partial<ReceiverDeps> = () => ({})) {
  const { events, quarantine } = await tempStore();
  const lines: string[] = [];
  const deps: ReceiverDeps = {
    accepted: ["value"],
    events: await logOver(events),
    quarantine,
    parse: createParseCallEnded("Asia/Shanghai"),
    clock: () => NOW,
    log: createLog({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  };
  return { ...createReceiver({ ...deps, ...own(deps) }), log: await logOver(events), quarantine, lines };
}

describe("an authentic delivery is kept", () => {
  it("in the log, once, and again only where it tells more", async () => {
    const { receive, log, quarantine, lines } = await receiver();
    expect(await receive(body())).toBe("appended");
    expect(await receive(body())).toBe("known");
    expect(await receive(body({ record_url: "" }))).toBe("known");
    expect(await receive(body({ record_url: "https://files.example/r/1.mp3?sign=y" }))).toBe("revised");
    expect(await receive(body())).toBe("known");
    const event = await log.bySession("s-1");
    expect(event).toMatchObject({
      taskId: "7",
      recordUrl: "https://files.example/r/1.mp3?sign=y",
      source: "WEBHOOK",
      revision: 2,
    });
    expect(await quarantine.count()).toBe(0);
    expect(lines).toEqual([]);
  });

  it("once, where its times are written in another way the next time", async () => {
    const { receive } = await receiver();
    expect(await receive(body())).toBe("appended");
    const seconds = Date.parse("2026-11-20T09:01:00Z") / 1000;
    expect(await receive(body({ end_at: seconds, start_at: "2026-11-20T09:00:00Z" }))).toBe("known");
    expect(await receive(body({ end_at: `${seconds}000` }))).toBe("known");
  });

  it("as one call, where two directions or an end before its start are told of it", async () => {
    const odd = [body({ direction: "inbound", task_id: 0 }), body({ end_at: "2026-11-20 16:00:00" }), body()];
    const told = async (bodies: readonly Buffer[]) => {
      const { receive, log } = await receiver();
      for (const each of bodies) await receive(each);
      const { revision: _, ...event } = { ...(await log.bySession("s-1")) };
      return [event.direction, event.taskId, event.startAt, event.endAt, event.extra];
    };
    expect(await told(odd.toReversed())).toEqual(await told(odd));
  });

  it("with variables as large as a body may be, in each of its revisions", async () => {
    const { receive, log } = await receiver();
    const extra = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`名${at}`, "x".repeat(40)]));
    expect(await receive(body({ extra, billsec: "" }))).toBe("appended");
    expect(await receive(body({ extra }))).toBe("revised");
    expect(await receive(body({ extra: Object.fromEntries(Object.entries(extra).toReversed()) }))).toBe("known");
    expect((await log.bySession("s-1"))?.extra).toEqual(extra);
  });

  it("once, when 100 come at once, out of order and mixed", async () => {
    const { receive, log } = await receiver();
    const bodies = Array.from({ length: 100 }, (_, at) => body({ session_id: `s-${(at * 37) % 10}` }));
    const answers = await Promise.all(bodies.map((bytes) => receive(bytes)));
    expect(answers.filter((answer) => answer === "appended")).toHaveLength(10);
    const page = await log.page({ first: 100, after: null, filter: {}, revisions: true, order: "oldestFirst" });
    expect(page.events).toHaveLength(10);
  });

  it("with the task's number of an inbound call null, so that no filter takes 0 for a task", async () => {
    const { receive, log } = await receiver();
    await receive(body({ task_id: 0, task_item_id: 0, direction: "inbound" }));
    const page = await log.page({
      first: 1,
      after: null,
      filter: { taskIds: ["0"] },
      revisions: true,
      order: "oldestFirst",
    });
    expect(page.events).toEqual([]);
    expect(await log.bySession("s-1")).toMatchObject({ taskId: null, direction: "inbound" });
  });

  it("in quarantine where it cannot be read, once, and the line tells nothing of it", async () => {
    const { receive, quarantine, lines } = await receiver();
    const bytes = bodyWith("session_id", "null");
    expect([await receive(bytes), await receive(bytes), await receive(Buffer.alloc(0))]).toEqual([
      "quarantined",
      "quarantined",
      "quarantined",
    ]);
    expect(await quarantine.count()).toBe(2);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "warn",
      reason: "event_data has no session_id.",
      bytes: bytes.byteLength,
    });
    expect(lines.join("")).not.toMatch(/1380001|files\.example|张三/);
  });
});

describe("no value of a delivery keeps its call from being kept", () => {
  it("such as a time whose year is none", async () => {
    const { receive, log } = await receiver();
    expect(await receive(body({ end_at: "2O26-11-20 17:01:00" }))).toBe("appended");
    expect(await log.bySession("s-1")).toMatchObject({
      endAt: null,
      unread: [{ field: "endAt" }],
    });
  });

  it("and one on which the reading itself fails waits in quarantine", async () => {
    const { receive, quarantine } = await receiver(() => ({ parse: createParseCallEnded("Mars/Base") }));
    expect(await receive(body())).toBe("quarantined");
    expect(await quarantine.count()).toBe(1);
  });

  it("and leaves nothing of it in the next one's", async () => {
    const { receive, log } = await receiver(() => ({ parse: createParseCallEnded("Mars/Base") }));
    expect(await receive(body({ session_id: "odd", direction: "sideways" }))).toBe("quarantined");
    const times = { start_at: "", answer_at: "", end_at: "" };
    expect(await receive(body({ session_id: "next", ...times }))).toBe("appended");
    expect(await log.bySession("next")).toMatchObject({ unread: [] });
  });
});

describe("a delivery that could not be kept is not received", () => {
  const broken = () => Promise.reject(new Error("disk"));

  it("when the log fails", async () => {
    const { receive, quarantine } = await receiver(() => ({ events: { append: broken } }));
    await expect(receive(body())).rejects.toThrow("disk");
    expect(await quarantine.count()).toBe(0);
  });

  it("when the quarantine fails", async () => {
    const { receive, lines } = await receiver(({ quarantine }) => ({ quarantine: { ...quarantine, add: broken } }));
    await expect(receive(Buffer.from("{"))).rejects.toThrow("disk");
    expect(lines).toEqual([]);
  });
});

describe("who is not authentic is known by the header alone", () => {
  it.each([
    ["value", "current"],
    ["Bearer value", null],
    [undefined, null],
  ])("%j: %s", async (authorization, secret) => {
    expect((await receiver()).matchSecret(authorization)).toBe(secret);
  });
});
