import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeText } from "../support/encodeText.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway, type TestGateway } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { openSse } from "../support/streams.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway(NO_SERVICE, { EVENT_NAMES: "call_ended, CallEnd" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

const NO_END = { answer_at: "", end_at: "", duration: 0, billsec: 0, hangup_side: "", hangup_reason: "" };
const called = (event_name: string, data: object) => ({ ...callEndedEvent({ ...data }), event_name });

async function run(...args: string[]) {
  await using program = startProgram([CLI, "quarantine", ...args, "--url", gateway.url], {});
  const code = await program.exited;
  return { code, lines: program.output.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("An event that does not end a call", () => {
  it("is not told to a subscriber, who gets the end of its call as the first event", async () => {
    const query = "subscription { callEnded { sessionId revision endAt } }";
    await using stream = await openSse<{ callEnded: object }>(gateway.url, { query });
    for (const event of [
      called("call_started", { session_id: "a", ...NO_END }),
      called("call_analyzed", { session_id: "a" }),
    ])
      expect(await (await gateway.deliver(event)).text()).toBe("{}");
    await gateway.deliver(called("call_ended", { session_id: "a" }));
    expect(await stream.next()).toEqual({
      data: { callEnded: { sessionId: "a", revision: 1, endAt: expect.stringMatching(/^2026-11-20T/) } },
    });
    const { data } = await gateway.ask("{ callStats { calls } callEndedEvents(first: 9) { nodes { eventName } } }");
    expect(data).toEqual({ callStats: { calls: 1 }, callEndedEvents: { nodes: [{ eventName: "call_ended" }] } });
  });

  it("is shown to administrators with its name, its reason and its body", async () => {
    const { data } = await gateway.ask(
      "{ gateway { quarantined notEnded eventNames { name isEnd firstReceivedAt } } quarantinedDeliveries { nodes { id } } }",
    );
    const names = [
      ["call_started", false],
      ["call_analyzed", false],
      ["call_ended", true],
    ].map(([name, isEnd]) => ({ name, isEnd, firstReceivedAt: expect.any(String) as string }));
    expect(data).toMatchObject({ gateway: { quarantined: 0, notEnded: 2 }, quarantinedDeliveries: { nodes: [] } });
    expect(data).toMatchObject({ gateway: { eventNames: expect.arrayContaining(names) } });
    const { code, lines } = await run("--not-ended");
    expect([code, ...lines.map(({ reason }) => reason)]).toEqual([
      0,
      "EVENT_NAMES does not have the event's name.",
      "EVENT_NAMES does not have the event's name.",
    ]);
    expect(lines[1]?.["body"]).toContain("call_started");
    const again = await run("--not-ended", "--reprocess", "all");
    // Their call has ended meanwhile, and they add nothing to it.
    expect([again.code, again.lines.map(({ isRead }) => isRead)]).toEqual([1, [false, false]]);
    expect((await run("--not-ended", "--discard", "all")).code).toBe(0);
    expect((await run("--not-ended")).lines).toEqual([]);
  });
});

describe("A webhook in another charset", () => {
  const event = (session_id: string) => JSON.stringify(callEndedEvent({ session_id, extra: { 姓名: "张三" } }));
  const post = (session_id: string, contentType: string) =>
    fetch(`${gateway.url}/calllog`, {
      method: "POST",
      headers: { authorization: WEBHOOK_AUTHORIZATION, "content-type": contentType },
      body: new Uint8Array(encodeText(event(session_id), "gbk")),
    });
  const nameOf = async (sessionId: string) => {
    const query = "query($sessionId: ID!) { callEnded(sessionId: $sessionId) { extra } }";
    return (await gateway.ask<{ callEnded: { extra: object } | null }>(query, { sessionId })).data?.callEnded?.extra;
  };

  it("is read where its head declares it, and else once an administrator names it", async () => {
    expect((await post("declared", "application/json; charset=GB2312")).status).toBe(200);
    expect(await nameOf("declared")).toEqual({ 姓名: "张三" });
    expect((await post("hidden", "application/json;charset=utf8")).status).toBe(200);
    expect(await nameOf("hidden")).toBeUndefined();
    expect((await run()).lines).toMatchObject([{ reason: "The body is not JSON.", charset: "utf8" }]);
    expect((await run("--reprocess", "all")).code).toBe(1);
    expect((await run("--reprocess", "all", "--charset", "klingon")).code).not.toBe(0);
    expect((await run("--charset", "gbk")).code).not.toBe(0);
    expect(await run("--reprocess", "all", "--charset", "GBK")).toMatchObject({ code: 0, lines: [{ isRead: true }] });
    expect(await nameOf("hidden")).toEqual({ 姓名: "张三" });
  });
});
