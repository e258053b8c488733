import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
  await sandbox.control("POST", "seed", { tasks: [{ id: 501, name: "Reminders", createdAt: "2026-11-20 08:00:00" }] });
});
afterAll(() => sandbox[Symbol.asyncDispose]());
beforeEach(() => sandbox.forget());

const unanswered = { answer_at: "", billsec: 0, duration: 20, record_url: "" };
const answered = callEndedEvent({ session_id: "answered", task_id: 501, callee: "+8613800010001" });
const busy = callEndedEvent({ ...unanswered, session_id: "busy", task_id: 501, callee: "+8613800010002" });
const deliveries = [
  callEndedEvent({ ...unanswered, session_id: "no answer", task_id: 501, end_at: "2026-11-20 09:29:59" }),
  answered,
  { ...busy, event_data: { ...busy.event_data, hangup_reason: "USER_BUSY", hangup_side: "network" } },
  callEndedEvent({ session_id: "other task", task_id: 502, end_at: "2026-11-20 10:00:00", assistant_infos: [] }),
  callEndedEvent({ session_id: "inbound", task_id: 0, direction: "inbound", end_at: "2026-11-21 00:00:00" }),
];

/** The deliveries with repeats, and a second one with more content: the busy number was reached after all. */
const repeated = [
  ...deliveries,
  answered,
  answered,
  { ...busy, event_data: { ...busy.event_data, answer_at: "2026-11-20 09:30:30", billsec: 30, duration: 50 } },
  ...deliveries,
];

const STATS = `query($filter: CallEndedFilter, $bucket: TimeBucket! = HOUR, $timeZone: String) { callStats(filter: $filter) {
  since calls answered numbersCalled numbersReached totalDuration totalBillsec
  byHangupReason { reason calls answered } byHangupSide { side calls }
  byTask { taskId task { name } calls answered } byAssistant { assistantId calls answered }
  timeline(bucket: $bucket, timeZone: $timeZone) { start calls answered } } }`;

type Stats = { callStats: Record<string, unknown> | null };

const stores: [string, () => Promise<AsyncDisposable & { url: string }>][] = [
  ["SQLite", async () => temporaryDirectory().then((made) => Object.assign(made, { url: made.database }))],
  ["PostgreSQL", () => takeMigratedDatabase()],
];

describe.each(stores)("callStats counts each call once, by its newest revision (%s)", (_, makeStore) => {
  let gateway: TestGateway;
  let store: AsyncDisposable & { url: string };
  beforeAll(async () => {
    store = await makeStore();
    gateway = await startGateway(sandbox, { DATABASE_URL: store.url });
    for (const event of repeated) expect((await gateway.deliver(event)).status).toBe(200);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });

  async function stats(variables: object = {}): Promise<Record<string, unknown> | null> {
    const { data, errors } = await gateway.ask<Stats>(STATS, variables);
    expect(errors).toBeUndefined();
    return data?.callStats ?? null;
  }

  it("counts a call once over repeated and revised deliveries", async () => {
    expect(await stats()).toEqual({
      since: "2026-11-20T01:29:59.000Z",
      calls: 5,
      answered: 4,
      numbersCalled: 3,
      numbersReached: 3,
      totalDuration: 60 + 20 + 50 + 60 + 60,
      totalBillsec: 55 + 30 + 55 + 55,
      byHangupReason: [{ reason: "NORMAL_CLEARING", calls: 5, answered: 4 }],
      byHangupSide: [{ side: "CALLEE", calls: 5 }],
      byTask: [
        { taskId: "501", task: { name: "Reminders" }, calls: 3, answered: 2 },
        { taskId: "502", task: null, calls: 1, answered: 1 },
        { taskId: null, task: null, calls: 1, answered: 1 },
      ],
      byAssistant: [{ assistantId: "3", calls: 4, answered: 3 }],
      timeline: [
        { start: "2026-11-20T01:00:00.000Z", calls: 3, answered: 2 },
        { start: "2026-11-20T02:00:00.000Z", calls: 1, answered: 1 },
        { start: "2026-11-20T16:00:00.000Z", calls: 1, answered: 1 },
      ],
    });
    expect((await sandbox.requests()).map(({ path }) => path).sort()).toEqual([
      "/openapi/tasks/501",
      "/openapi/tasks/502",
    ]);
  });

  it("compares a filter with the newest revision of a call only", async () => {
    expect(await stats({ filter: { answered: false } })).toMatchObject({
      calls: 1,
      numbersCalled: 1,
      numbersReached: 0,
    });
    expect(await stats({ filter: { taskIds: ["502"], since: "2026-11-20T02:00:00Z" } })).toMatchObject({ calls: 1 });
    expect(await stats({ filter: { until: "2026-11-20T01:31:00Z" } })).toMatchObject({ calls: 1, answered: 0 });
    expect(await stats({ filter: { taskIds: [] } })).toMatchObject({ since: null, calls: 0, byTask: [], timeline: [] });
  });

  it("counts calls in the days of any time zone", async () => {
    const timeline = async (timeZone?: string) => (await stats({ bucket: "DAY", timeZone }))?.["timeline"];
    const shanghai = [
      { start: "2026-11-19T16:00:00.000Z", calls: 4, answered: 3 },
      { start: "2026-11-20T16:00:00.000Z", calls: 1, answered: 1 },
    ];
    expect(await timeline()).toEqual(shanghai);
    expect(await timeline("Asia/Shanghai")).toEqual(shanghai);
    expect(await timeline("UTC")).toEqual([{ start: "2026-11-20T00:00:00.000Z", calls: 5, answered: 4 }]);
  });

  it("counts the calls of one task by Task.callStats", async () => {
    const query = `{ task(taskId: "501") { callStats { calls answered numbersCalled numbersReached
      byTask(first: 1) { taskId calls } } } }`;
    expect((await gateway.ask(query)).data).toEqual({
      task: {
        callStats: {
          calls: 3,
          answered: 2,
          numbersCalled: 2,
          numbersReached: 2,
          byTask: [{ taskId: "501", calls: 3 }],
        },
      },
    });
  });

  it.each([
    ["an unknown zone", `timeline(timeZone: "Asia/Nowhere") { calls }`],
    ["an offset, which is no zone", `timeline(timeZone: "+08:00") { calls }`],
    ["first: 0", "byTask(first: 0) { calls }"],
    ["first: 101", "byHangupReason(first: 101) { calls }"],
  ])("refuses %s, and counts nothing", async (_name, field) => {
    const { data, errors } = await gateway.ask(`{ serviceTimeZone callStats { calls ${field} } }`);
    expect(errors?.map(({ extensions }) => extensions["code"])).toEqual(["BAD_USER_INPUT"]);
    expect(data).toEqual({ serviceTimeZone: "Asia/Shanghai", callStats: null });
  });
});
