import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Answer, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";

const unanswered = { answer_at: "", billsec: 0, duration: 20, record_url: "", hangup_reason: "USER_BUSY" };
const at = (minute: number) => `2026-11-20 09:${String(minute).padStart(2, "0")}:00`;
const wei = { callee: "+8613900020002", task_item_id: 72, extra: { 姓名: "Wei" } };
const deliveries = [
  callEndedEvent({ ...unanswered, session_id: "li-1", task_id: 501, end_at: at(1) }),
  callEndedEvent({ session_id: "li-2", task_id: 501, end_at: at(10) }),
  callEndedEvent({
    ...unanswered,
    ...wei,
    session_id: "wei-1",
    task_id: 501,
    end_at: at(20),
    hangup_reason: "line dead",
  }),
  callEndedEvent({ session_id: "other", task_id: 502, assistant_infos: [], end_at: at(30) }),
  callEndedEvent({ session_id: "inbound", task_id: 0, task_item_id: 0, direction: "inbound", end_at: at(40) }),
];

const VIEWERS = {
  admin: ["calls:read", "people:read", "admin"],
  reader: ["calls:read"],
  other: ["calls:read"],
  ofAssistant: ["calls:read"],
  none: ["tasks:create"],
};
const ACCESS = { other: { taskIds: ["502"] }, ofAssistant: { assistantIds: ["3"] } };

let sandbox: TestSandbox;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let gateway: TestGateway;
let head: string;

beforeAll(async () => {
  sandbox = await startSandbox();
  const tasks = [501, 502].map((id) => ({ id, name: "Reminders", createdAt: "2026-11-20 08:00:00" }));
  await sandbox.control("POST", "seed", { tasks });
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, VIEWERS, ACCESS);
  gateway = await startGateway(sandbox, { API_KEYS_FILE: keys, HANGUP_OUTCOMES: "Line dead=FAILED" });
  for (const event of deliveries) expect((await gateway.deliver(event)).status).toBe(200);
  const { data } = await ask<{ callEndedEvents: { headCursor: string } }>(
    "{ callEndedEvents(first: 1) { headCursor } }",
  );
  head = data?.callEndedEvents.headCursor ?? "";
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const ask = <T = Record<string, unknown>>(
  query: string,
  variables: object = {},
  viewer = "admin",
): Promise<Answer<T>> => gateway.ask<T>(query, variables, { authorization: bearer(viewer) });

const RECIPIENTS = `query($taskId: ID!, $filter: RecipientFilter, $first: Int! = 10, $after: String, $waitFor: String, $people: Boolean!) {
  task(taskId: $taskId) { recipients(filter: $filter, first: $first, after: $after, waitFor: $waitFor) {
    nodes { outcome attempts talkTime firstCallAt lastCallAt lastReason phone extra @include(if: $people)
      lastCall { sessionId attempt } calls(first: 5) { sessionId } }
    pageInfo { hasNextPage endCursor } upTo } } }`;

interface Task {
  task: { recipients: { nodes: Record<string, unknown>[]; pageInfo: { endCursor: string }; upTo: string } };
}

const recipients = (own: object = {}, viewer = "admin") =>
  ask<Task>(RECIPIENTS, { taskId: "501", waitFor: head, people: viewer === "admin", ...own }, viewer);

const LI = {
  outcome: "REACHED",
  attempts: 2,
  talkTime: 55,
  firstCallAt: "2026-11-20T01:01:00.000Z",
  lastCallAt: "2026-11-20T01:10:00.000Z",
  lastReason: "NORMAL_CLEARING",
  phone: "+8613800010001",
  extra: { 姓名: "Li" },
  lastCall: { sessionId: "li-2", attempt: 2 },
  calls: [{ sessionId: "li-2" }, { sessionId: "li-1" }],
};
const WEI = {
  outcome: "FAILED",
  attempts: 1,
  talkTime: 0,
  firstCallAt: "2026-11-20T01:20:00.000Z",
  lastCallAt: "2026-11-20T01:20:00.000Z",
  lastReason: "line dead",
  phone: "+8613900020002",
  extra: { 姓名: "Wei" },
  lastCall: { sessionId: "wei-1", attempt: 1 },
  calls: [{ sessionId: "wei-1" }],
};

describe("Task.recipients", () => {
  it("lists the people whom the task called, with an operator's outcome, up to the cursor that was asked for", async () => {
    const { data, errors } = await recipients();
    expect(errors).toBeUndefined();
    expect(data?.task.recipients.nodes).toEqual([LI, WEI]);
    expect((data?.task.recipients.upTo ?? "") >= head).toBe(true);
  });

  it("takes a filter, one outcome or several, and pages", async () => {
    const found = async (filter: object) => (await recipients({ filter })).data?.task.recipients.nodes;
    expect(await found({ outcome: "REACHED" })).toEqual([LI]);
    expect(await found({ outcome: ["FAILED", "BUSY"], maxAttempts: 1 })).toEqual([WEI]);
    expect(await found({ reasons: ["line dead", null] })).toEqual([WEI]);
    expect(await found({ minTalkTime: 1, minAttempts: 2, since: "2026-11-20T01:10:00Z" })).toEqual([LI]);
    const first = (await recipients({ first: 1 })).data?.task.recipients;
    expect(first?.nodes).toEqual([LI]);
    const rest = await recipients({ first: 1, after: first?.pageInfo.endCursor });
    expect(rest.data?.task.recipients).toMatchObject({ nodes: [WEI], pageInfo: { hasNextPage: false } });
    const otherList = await recipients({ taskId: "502", after: first?.pageInfo.endCursor });
    expect(otherList.errors?.[0]?.extensions["code"]).toBe("CURSOR_INVALID");
  });

  it("refuses arguments that contradict each other, and a cursor of no log", async () => {
    const code = async (own: object) => (await recipients(own)).errors?.[0]?.extensions["code"];
    expect(await code({ filter: { minAttempts: 3, maxAttempts: 2 } })).toBe("BAD_USER_INPUT");
    expect(await code({ filter: { since: "2026-11-21T00:00:00Z", until: "2026-11-20T00:00:00Z" } })).toBe(
      "BAD_USER_INPUT",
    );
    expect(await code({ first: 101 })).toBe("BAD_USER_INPUT");
    expect(await code({ waitFor: "canary" })).toBe("CURSOR_INVALID");
  });

  it("masks numbers without people:read, and refuses variables", async () => {
    const { data } = await recipients({}, "reader");
    expect(data?.task.recipients.nodes[0]).toMatchObject({ phone: "+8613****0001", outcome: "REACHED" });
    const refused = await recipients({ people: true }, "reader");
    expect(refused.errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    const without = await recipients({}, "none");
    expect(without.errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
  });

  it("shows a viewer with access to some tasks those alone, and refuses one who sees calls by assistants", async () => {
    expect((await recipients({}, "other")).data).toEqual({ task: null });
    const own = await recipients({ taskId: "502" }, "other");
    expect(own.errors).toBeUndefined();
    expect(own.data?.task.recipients.nodes).toMatchObject([{ calls: [{ sessionId: "other" }], attempts: 1 }]);
    const event = '{ callEnded(sessionId: "li-1") { attempt } }';
    expect((await ask(event, {}, "ofAssistant")).errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    expect((await ask(event, {}, "other")).data).toEqual({ callEnded: null });
  });
});

describe("Task.recipientCounts", () => {
  it("counts the people by outcome, and those not called yet by the service's total", async () => {
    const { data, errors } = await ask(
      `query($head: String) { task(taskId: 501) { total recipientCounts(waitFor: $head) {
        recipients attempts talkTime notCalled byOutcome { outcome recipients attempts talkTime } } } }`,
      { head },
    );
    expect(errors).toBeUndefined();
    const { total, recipientCounts } = (data as { task: { total: number; recipientCounts: object } }).task;
    expect(recipientCounts).toEqual({
      recipients: 2,
      attempts: 3,
      talkTime: 55,
      notCalled: total < 2 ? null : total - 2,
      byOutcome: [
        { outcome: "FAILED", recipients: 1, attempts: 1, talkTime: 0 },
        { outcome: "REACHED", recipients: 1, attempts: 2, talkTime: 55 },
      ],
    });
  });
});

describe("CallEnded.recipient", () => {
  it("is the person of a call, and null for an inbound one", async () => {
    const { data } = await ask(`{ li: callEnded(sessionId: "li-1") { attempt recipient { attempts outcome } }
      inbound: callEnded(sessionId: "inbound") { attempt recipient { attempts } } }`);
    expect(data).toEqual({
      li: { attempt: 1, recipient: { attempts: 2, outcome: "REACHED" } },
      inbound: { attempt: null, recipient: null },
    });
  });

  it("shows a live event with the call that it tells of", async () => {
    const query = "subscription { callEnded { sessionId attempt recipient { attempts outcome } } }";
    await using stream = await openSse<object>(gateway.url, { query }, { authorization: bearer("admin") });
    const live = callEndedEvent({ ...wei, session_id: "wei-live", task_id: 502, end_at: at(50) });
    await gateway.deliver(live);
    expect(await stream.next()).toMatchObject({
      data: { callEnded: { sessionId: "wei-live", attempt: 1, recipient: { attempts: 1, outcome: "REACHED" } } },
    });
  });
});

describe("Query.projections", () => {
  it("shows the builds to an admin alone, who makes one anew", async () => {
    const query = "{ projections { name build version state cursor behind } }";
    const { data } = await ask<{ projections: Record<string, unknown>[] }>(query);
    expect(data?.projections).toMatchObject([{ name: "recipients", build: 1, state: "LIVE" }]);
    const rebuild = 'mutation { rebuildProjection(name: "recipients") { build state } }';
    expect((await ask(rebuild, {}, "reader")).errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    expect((await ask(rebuild)).data).toEqual({
      rebuildProjection: [
        { build: 1, state: "LIVE" },
        { build: 2, state: "BUILDING" },
      ],
    });
    await until(async () => {
      const now = (await ask<{ projections: { build: number; state: string }[] }>(query)).data?.projections ?? [];
      return now.length === 1 && now[0]?.build === 2 && now[0].state === "LIVE";
    });
    expect((await recipients()).data?.task.recipients.nodes).toEqual([LI, WEI]);
    const unknown = await ask('mutation { rebuildProjection(name: "canary") { build } }');
    expect(unknown.errors?.[0]?.extensions["code"]).toBe("BAD_USER_INPUT");
  });
});
