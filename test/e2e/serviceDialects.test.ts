import { beforeAll, describe, expect, it } from "vitest";
import { startBoth } from "../support/startBoth.ts";

const ID = "9007199254740993123";

const { sandbox, gateway } = await startBoth();
beforeAll(async () => {
  const assistant = [{ id: ID, vid: ID }];
  const call = { taskId: ID, assistant, startAt: "2026-01-15 12:00:00" };
  await sandbox.control("POST", "seed", {
    tasks: [{ id: ID, createdAt: "2026-01-15 11:00:00" }],
    calls: [
      { ...call, sessionId: "unanswered", answerAt: null, endAt: "2026-01-15 12:00:30" },
      { ...call, sessionId: "nobody", startAt: "2026-01-15 11:59:00", answerAt: null, endAt: null, assistant: [] },
    ],
  });
});

/** Makes every query different, so that no cached response is used. */
async function ask(first: number) {
  const query = `query($id: ID!, $first: Int!) { task(taskId: $id) { taskId createdAt callLogs(first: $first, filter: {
    since: "2026-01-15T00:00:00+08:00", until: "2026-01-15T23:00:00+08:00" }) { totalCount nodes {
      sessionId startAt answerAt endAt answered taskId assistants { assistantId versionId } unread { field } } } } }`;
  const { data, errors } = await gateway.ask(query, { id: ID, first });
  expect(errors).toBeUndefined();
  return data;
}

const unanswered = {
  sessionId: "unanswered",
  startAt: "2026-01-15T04:00:00.000Z",
  answerAt: null,
  endAt: "2026-01-15T04:00:30.000Z",
  answered: false,
  taskId: ID,
  assistants: [{ assistantId: ID, versionId: ID }],
  unread: [],
};
const nobody = {
  ...unanswered,
  sessionId: "nobody",
  startAt: "2026-01-15T03:59:00.000Z",
  endAt: null,
  assistants: [],
};

describe("the graph is the same for a service with the quirks", () => {
  let first = 10;
  const times = ["wall", "rfc3339", "epochS", "epochMs"];
  const missing = [
    { missingTimes: "absent" },
    { missingTimes: "null" },
    { missingTimes: "empty", goNulls: true },
    { zeroTimes: true, maxPageSize: 1, pageSizeTold: "used", extraFields: true },
  ];
  const cases = times.flatMap((callLogTimes) =>
    missing.map((none) => ({ callLogTimes, taskTimes: callLogTimes, ...none })),
  );

  it.each(cases)("the graph is the same with the quirks %j", async (quirks) => {
    await sandbox.control("DELETE", "quirks");
    await sandbox.control("PATCH", "quirks", quirks);
    first += 1;
    const data = await ask(first);
    expect(data).toEqual({
      task: {
        taskId: ID,
        createdAt: "2026-01-15T03:00:00.000Z",
        callLogs: { totalCount: 2, nodes: [unanswered, nobody] },
      },
    });
  });
});
