import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver, createVerifier, type ReceiverDeps } from "../../src/webhook/receive.ts";
import { NOW, logOver } from "../events/callEnded.ts";
import { tempStore } from "../store/tempStore.ts";
import { anyEnd, body, bodyWith } from "./delivery.ts";

async function receiver(own: (deps: ReceiverDeps) => Partial<ReceiverDeps> = () => ({})) {
  const { events, quarantine } = await tempStore();
  const lines: string[] = [];
  const accepted = ["value"];
  const deps: ReceiverDeps = {
    accepted: () => accepted,
    events: await logOver(events),
    quarantine,
    parse: createParseCallEnded("Asia/Shanghai"),
    ...anyEnd,
    keepsBodies: true,
    clock: () => NOW,
    log: createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  };
  return { ...createReceiver({ ...deps, ...own(deps) }), log: await logOver(events), quarantine, lines };
}

describe("receive() of an authentic delivery", () => {
  it("appends the first delivery, and a repeat only if it adds something", async () => {
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
    expect(await quarantine.count("UNREADABLE")).toBe(0);
    expect(lines).toEqual([]);
  });

  it("knows a repeat whose times have another format", async () => {
    const { receive } = await receiver();
    expect(await receive(body())).toBe("appended");
    const seconds = Date.parse("2026-11-20T09:01:00Z") / 1000;
    expect(await receive(body({ end_at: seconds, start_at: "2026-11-20T09:00:00Z" }))).toBe("known");
    expect(await receive(body({ end_at: `${seconds}000` }))).toBe("known");
  });

  it("merges contradicting deliveries to the same call in any order", async () => {
    const odd = [body({ direction: "inbound", task_id: 0 }), body({ end_at: "2026-11-20 16:00:00" }), body()];
    const received = async (bodies: readonly Buffer[]) => {
      const { receive, log } = await receiver();
      for (const each of bodies) await receive(each);
      const { revision: _, ...event } = { ...(await log.bySession("s-1")) };
      return [event.direction, event.taskId, event.startAt, event.endAt, event.extra];
    };
    expect(await received(odd.toReversed())).toEqual(await received(odd));
  });

  it("appends variables of the maximum size, in each revision", async () => {
    const { receive, log } = await receiver();
    const extra = Object.fromEntries(Array.from({ length: 4000 }, (_, at) => [`名${at}`, "x".repeat(40)]));
    expect(await receive(body({ extra, billsec: "" }))).toBe("appended");
    expect(await receive(body({ extra }))).toBe("revised");
    expect(await receive(body({ extra: Object.fromEntries(Object.entries(extra).toReversed()) }))).toBe("known");
    expect((await log.bySession("s-1"))?.extra).toEqual(extra);
  });

  it("appends each of ten calls once when 100 deliveries arrive at the same time", async () => {
    const { receive, log } = await receiver();
    const bodies = Array.from({ length: 100 }, (_, at) => body({ session_id: `s-${(at * 37) % 10}` }));
    const answers = await Promise.all(bodies.map((bytes) => receive(bytes)));
    expect(answers.filter((answer) => answer === "appended")).toHaveLength(10);
    const page = await log.page({ first: 100, after: null, filter: {}, revisions: true, order: "oldestFirst" });
    expect(page.events).toHaveLength(10);
  });

  it("stores task_id 0 of an inbound call as null", async () => {
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

  it("puts an unreadable delivery into quarantine once, and logs nothing of its body", async () => {
    const { receive, quarantine, lines } = await receiver();
    const bytes = bodyWith("session_id", "null");
    expect([await receive(bytes), await receive(bytes), await receive(Buffer.alloc(0))]).toEqual([
      "quarantined",
      "quarantined",
      "quarantined",
    ]);
    expect(await quarantine.count("UNREADABLE")).toBe(2);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "warn",
      reason: "event_data has no session_id.",
      bytes: bytes.byteLength,
    });
    expect(lines.join("")).not.toMatch(/1380001|files\.example|张三/);
  });
});

describe("A94: a flood of unreadable deliveries", () => {
  it("writes a line for each reason, and then counts", async () => {
    const { receive, lines, [Symbol.dispose]: end } = await receiver();
    for (let at = 0; at < 50; at += 1) {
      await receive(Buffer.from(`not json ${at}`));
      await receive(bodyWith("session_id", at % 2 === 0 ? "null" : '""'));
    }
    const before = lines.length;
    expect(before).toBeLessThan(10);
    end();
    const counted = lines.slice(before).map((line) => JSON.parse(line) as { failures: Record<string, number> });
    const sum = counted.flatMap(({ failures }) => Object.values(failures)).reduce((a, b) => a + b, 0);
    expect(sum + before).toBe(100);
  });
});

describe("receive() of a delivery with unexpected values", () => {
  it("appends a call whose end is no valid time", async () => {
    const { receive, log } = await receiver();
    expect(await receive(body({ end_at: "2O26-11-20 17:01:00" }))).toBe("appended");
    expect(await log.bySession("s-1")).toMatchObject({
      endAt: null,
      unread: [{ field: "endAt" }],
    });
  });

  it("puts it into quarantine when the parser throws, and logs where without a value of it", async () => {
    const { receive, quarantine, lines } = await receiver(() => ({ parse: createParseCallEnded("Mars/Base") }));
    expect(await receive(body())).toBe("quarantined");
    expect(await quarantine.count("UNREADABLE")).toBe(1);
    const line = JSON.parse(lines[0] ?? "") as Record<string, string>;
    expect(line).toMatchObject({ level: "error", reason: "The parser failed." });
    expect(line["fault"]).toMatch(/^RangeError\n(.*\n)* +at .*\.ts:/);
    expect(lines.join("")).not.toMatch(/Mars|17:0|1380001|files\.example|张三/);
  });

  it("does not mix notes of a failed delivery into the next one", async () => {
    const { receive, log } = await receiver(() => ({ parse: createParseCallEnded("Mars/Base") }));
    expect(await receive(body({ session_id: "odd", direction: "sideways" }))).toBe("quarantined");
    const times = { start_at: "", answer_at: "", end_at: "" };
    expect(await receive(body({ session_id: "next", ...times }))).toBe("appended");
    expect(await log.bySession("next")).toMatchObject({ unread: [] });
  });
});

describe("receive() without a working store", () => {
  const broken = () => Promise.reject(new Error("disk"));

  it("rejects when the log fails", async () => {
    const { receive, quarantine } = await receiver(() => ({ events: { append: broken } }));
    await expect(receive(body())).rejects.toThrow("disk");
    expect(await quarantine.count("UNREADABLE")).toBe(0);
  });

  it("rejects when the quarantine fails", async () => {
    const { receive, lines } = await receiver(({ quarantine }) => ({ quarantine: { ...quarantine, add: broken } }));
    await expect(receive(Buffer.from("{"))).rejects.toThrow("disk");
    expect(lines).toEqual([]);
  });
});

describe("matchSecret()", () => {
  it.each([
    ["value", "current"],
    ["Bearer value", null],
    [undefined, null],
  ])("returns for the header %j: %j", async (authorization, secret) => {
    expect((await receiver()).matchSecret(authorization)).toBe(secret);
  });
});

const VALUE = "Xk9 secret-Value";
const verify = createVerifier([VALUE, "previous"]);
const isAuthentic = (authorization?: string) => verify(authorization) >= 0;

describe("createVerifier() with an accepted header", () => {
  it("returns 0 for the current value and 1 for the previous one", () => {
    expect(isAuthentic(VALUE)).toBe(true);
    expect(isAuthentic("previous")).toBe(true);
    expect([verify(VALUE), verify("previous")]).toEqual([0, 1]);
  });

  it("accepts a Bearer prefix only if the configured value has it", () => {
    expect(isAuthentic(`Bearer ${VALUE}`)).toBe(false);
    expect(createVerifier(["Bearer x"])("Bearer x")).toBe(0);
    expect(createVerifier(["Bearer x"])("x")).toBe(-1);
  });
});

describe("createVerifier() with another header", () => {
  it.each([
    undefined,
    "",
    " ",
    VALUE.slice(0, -1),
    VALUE.slice(1),
    `${VALUE}x`,
    `x${VALUE}`,
    VALUE + VALUE,
    `${VALUE}, ${VALUE}`,
    `${VALUE} `,
    ` ${VALUE}`,
    `${VALUE}\0`,
    VALUE.replace(" ", "  "),
    VALUE.toUpperCase(),
    VALUE.toLowerCase(),
    `${VALUE}previous`,
  ])("rejects the header %j", (authorization) => {
    expect(isAuthentic(authorization)).toBe(false);
  });

  it("rejects any text but the accepted ones", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isAuthentic(text)).toBe([VALUE, "previous"].includes(text));
      }),
    );
  });

  it("rejects every header if no value is configured", () => {
    for (const authorization of [undefined, "", VALUE]) expect(createVerifier([])(authorization)).toBe(-1);
  });
});
