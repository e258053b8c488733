import { describe, expect, it } from "vitest";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import { MAX_ATTEMPT } from "../../src/store/projections/recipientStore.ts";
import type { CallEndedData, EventSource } from "../../src/events/callEndedEvent.ts";
import { callEnded } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { recipientsIn, settled, startGateway, type Gateway } from "./projecting.ts";

type Call = Partial<CallEndedData> & { sessionId: string; source?: EventSource };

const unanswered = { answerAt: null, billsec: 0, hangupReason: "no answer" } as const;
const at = (minute: number) => `2026-11-20T09:${String(minute).padStart(2, "0")}:00.000Z`;

async function add(gateway: Gateway, ...calls: Call[]): Promise<void> {
  for (const { source = "WEBHOOK", ...call } of calls) await gateway.log.append(callEnded(call), source);
  await settled(gateway);
}

describe.each(databases)("Recipients of a task on %s", (_, { create }) => {
  const opened = async () => startGateway(await tempStore((await create()).url));

  it("are people with their attempts, outcome and talk time, and one who was reached once stays reached", async () => {
    const gateway = await opened();
    await add(
      gateway,
      { sessionId: "a1", ...unanswered, endAt: at(1) },
      { sessionId: "a2", billsec: 20, endAt: at(2) },
      { sessionId: "a3", ...unanswered, hangupReason: "USER_BUSY", endAt: at(3) },
      { sessionId: "b1", callee: "13900020002", taskItemId: "71", ...unanswered, hangupReason: "busy", endAt: at(4) },
    );
    expect(await recipientsIn(gateway.store)).toEqual([
      {
        taskId: "7",
        outcome: "REACHED",
        attempts: 3,
        talkTime: 20,
        firstAt: at(1),
        lastAt: at(3),
        lastReason: "USER_BUSY",
        calls: ["a3", "a2", "a1"],
      },
      {
        taskId: "7",
        outcome: "BUSY",
        attempts: 1,
        talkTime: 0,
        firstAt: at(4),
        lastAt: at(4),
        lastReason: "busy",
        calls: ["b1"],
      },
    ]);
  });

  it("are one person with and without the service's ID of the number, in every writing of it", async () => {
    const gateway = await opened();
    await add(
      gateway,
      { sessionId: "a", taskItemId: "70", callee: "13800010001", endAt: at(1) },
      { sessionId: "b", taskItemId: null, callee: "+86 138 0001 0001", endAt: at(2), source: "RECONCILED" },
      { sessionId: "c", taskItemId: "72", callee: "021-12345678", endAt: at(3) },
      { sessionId: "d", taskItemId: "72", callee: "13900020002", endAt: at(4) },
    );
    expect((await recipientsIn(gateway.store)).map(({ calls }) => calls)).toEqual([
      ["b", "a"],
      ["d", "c"],
    ]);
  });

  it("stay apart in two countries, until a number without its country joins them, and when that is erased", async () => {
    const gateway = await opened();
    const [american, british] = ["+1 4155550101", "+44 4155550101"];
    await add(
      gateway,
      { sessionId: "us", taskItemId: null, callee: american, endAt: at(1) },
      { sessionId: "uk", taskItemId: null, callee: british, endAt: at(2) },
    );
    expect((await recipientsIn(gateway.store)).map(({ calls }) => calls)).toEqual([["us"], ["uk"]]);
    await add(gateway, { sessionId: "open", taskItemId: null, callee: "4155550101", endAt: at(3) });
    expect((await recipientsIn(gateway.store)).map(({ calls }) => calls)).toEqual([["open", "uk", "us"]]);
    const match = {
      number: "",
      event: (data: string) => data.includes('"open"'),
      delivery: () => false,
      text: () => false,
    };
    const by = { actor: "ops", at: at(9) };
    await gateway.store.eraser.erase({ ...match, inputLine: () => false }, async () => undefined, by);
    expect((await recipientsIn(gateway.store)).map(({ calls }) => calls)).toEqual([["us"], ["uk"]]);
  });

  it("count a call whose person is not known alone, and no inbound call and none without a task", async () => {
    const gateway = await opened();
    await add(
      gateway,
      { sessionId: "hidden", taskItemId: null, callee: "138****0001", endAt: at(1) },
      { sessionId: "none", taskItemId: null, callee: null, endAt: at(2) },
      { sessionId: "inbound", direction: "inbound", endAt: at(3) },
      { sessionId: "without", taskId: null, endAt: at(4) },
    );
    expect((await recipientsIn(gateway.store)).map(({ calls }) => calls)).toEqual([["hidden"], ["none"]]);
  });

  it("follow a revision to another task, number and outcome", async () => {
    const gateway = await opened();
    await add(gateway, {
      sessionId: "a",
      ...unanswered,
      taskId: null,
      taskItemId: null,
      callee: null,
      source: "RECONCILED",
    });
    expect(await recipientsIn(gateway.store)).toEqual([]);
    await add(gateway, { sessionId: "a", ...unanswered, taskId: "8", taskItemId: null });
    expect(await recipientsIn(gateway.store)).toMatchObject([{ taskId: "8", outcome: "NO_ANSWER", attempts: 1 }]);
    await add(gateway, { sessionId: "a", taskId: "8", taskItemId: "70", answerAt: at(1), billsec: 30 });
    expect(await recipientsIn(gateway.store)).toMatchObject([{ taskId: "8", outcome: "REACHED", talkTime: 30 }]);
  });

  it("number the calls to a person up to a thousand, and keep its name where another call changes", async () => {
    const gateway = await opened();
    const { recipients } = gateway.store;
    const call = (number: number): Call => ({
      sessionId: `call ${String(number).padStart(4, "0")}`,
      taskItemId: "1",
      callee: "13800010001",
      endAt: at(30),
      ...unanswered,
    });
    const calls = Array.from({ length: MAX_ATTEMPT + 1 }, (_, number) => callEnded(call(number)));
    await Promise.all(calls.map((each) => gateway.log.append(each, "WEBHOOK")));
    await settled(gateway);
    const found = await recipients.ofCalls(["call 0000", "call 0999", "call 1000"]);
    expect([...found.values()].map(({ attempt }) => attempt)).toEqual([1, 1000, null]);
    const name = found.get("call 0000")?.recipient;
    await add(gateway, { ...call(500), recordUrl: "https://files.example/1", hangupReason: "busy" });
    const after = await recipients.ofCalls(["call 0000"]);
    expect(after.get("call 0000")).toMatchObject({ recipient: name, attempts: 1001 });
  });

  it("are found by filters, in pages, and by their calls", async () => {
    const gateway = await opened();
    const { recipients } = gateway.store;
    await add(
      gateway,
      ...[1, 2, 3, 4].map((each) => ({
        sessionId: `first ${each}`,
        taskItemId: String(each),
        callee: `1380001000${each}`,
        endAt: at(each),
        ...(each < 3 ? unanswered : {}),
        ...(each === 2 ? { hangupReason: null } : {}),
      })),
      {
        sessionId: "again",
        taskItemId: "1",
        callee: "13800010001",
        endAt: at(30),
        ...unanswered,
        hangupReason: "busy",
      },
    );
    const owner = () => createQueryOwner("test");
    const found = async (filter: object) =>
      (await recipients.page(owner(), { taskId: "7", filter, after: null, limit: 9 })).found.map(({ lastSession }) =>
        lastSession === "again" ? "first 1" : lastSession,
      );
    expect(await found({ outcomes: ["REACHED"] })).toEqual(["first 3", "first 4"]);
    expect(await found({ outcomes: [] })).toEqual([]);
    expect(await found({ reasons: ["busy"] })).toEqual(["first 1"]);
    expect(await found({ reasons: [null] })).toEqual(["first 2"]);
    expect(await found({ reasons: [null, "normal"] })).toEqual(["first 2", "first 3", "first 4"]);
    expect(await found({ minAttempts: 2 })).toEqual(["first 1"]);
    expect(await found({ maxAttempts: 1, minTalkTime: 50 })).toEqual(["first 3", "first 4"]);
    expect(await found({ since: at(4) })).toEqual(["first 1", "first 4"]);
    expect(await found({ until: at(4) })).toEqual(["first 2", "first 3"]);
    const two = await recipients.page(owner(), { taskId: "7", filter: {}, after: null, limit: 2 });
    const after = two.found[1]?.recipient ?? null;
    const rest = await recipients.page(owner(), { taskId: "7", filter: {}, after, limit: 1 });
    expect(rest.found.map(({ lastSession }) => lastSession)).toEqual(["first 3"]);
    const counts = await recipients.counts(owner(), "7");
    expect(counts.found.toSorted((a, b) => (a.outcome < b.outcome ? -1 : 1))).toEqual([
      { outcome: "BUSY", recipients: 1, attempts: 2, talkTime: 0 },
      { outcome: "OTHER", recipients: 1, attempts: 1, talkTime: 0 },
      { outcome: "REACHED", recipients: 2, attempts: 2, talkTime: 100 },
    ]);
    const ofCalls = await recipients.ofCalls(["again", "first 1", "unknown"]);
    expect(ofCalls.size).toBe(2);
    expect(ofCalls.get("again")).toMatchObject({ attempt: 2, lastSession: "again" });
    expect(ofCalls.get("first 1")).toMatchObject({ attempt: 1, lastSession: "again" });
  });
});
