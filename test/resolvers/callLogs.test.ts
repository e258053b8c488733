import { describe, expect, it } from "vitest";
import { callLogs, taskCallLogs, type CallLogFilter } from "../../src/resolvers/callLogs.ts";
import { callLog, task, world } from "./world.ts";

const rows = Array.from({ length: 25 }, (_, at) => callLog({ sessionId: `s-${at}` }));
const refused = (code: string) => expect.objectContaining({ code });
const sessions = ({ rows }: Awaited<ReturnType<typeof callLogs>>) => rows.map(({ sessionId }) => sessionId);

describe("callLogs", () => {
  it("requests the list by every part of the filter, with sorted ids without duplicates", async () => {
    const { context, asked } = world({ rows });
    const filter: CallLogFilter = {
      taskIds: ["9", "7", "9"],
      assistantIds: ["2", "1"],
      direction: "inbound",
      phone: " A068 ",
      kind: "privateTest",
      since: "2026-11-18T00:00:00.500Z",
      until: "2026-11-19T00:00:00.000Z",
    };
    const connection = await callLogs({ first: 10, filter }, context);
    expect(asked).toEqual([
      {
        taskIds: ["7", "9"],
        assistantIds: ["1", "2"],
        direction: "inbound",
        phone: "A068",
        kind: "privateTest",
        since: "2026-11-18T00:00:00.000Z",
        until: "2026-11-19T00:00:00.000Z",
        pageIndex: 1,
        pageSize: 10,
      },
    ]);
    expect(connection).toMatchObject({ since: asked[0]?.since, until: asked[0]?.until, totalCount: 25 });
  });

  it("requests the calls of today if there is no filter", async () => {
    const { context, asked } = world({ rows });
    for (const filter of [undefined, null, {}]) await callLogs({ first: 1, filter }, context);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ taskIds: [], assistantIds: [], since: "2026-11-19T16:00:00.000Z" });
  });

  it.each([{ taskIds: [] }, { assistantIds: [] }, { taskIds: ["1"], assistantIds: [] }])(
    "requests nothing for the empty list in %j",
    async (filter) => {
      const { context, asked } = world({ rows });
      const connection = await callLogs({ first: 10, filter }, context);
      expect(connection).toMatchObject({ rows: [], totalCount: 0, since: expect.any(String) });
      const { startCursor, endCursor, ...more } = connection.pageInfo;
      expect({ ...more, startCursor: startCursor(), endCursor: endCursor() }).toEqual({
        hasNextPage: false,
        hasPreviousPage: false,
        startCursor: null,
        endCursor: null,
      });
      expect(asked).toEqual([]);
    },
  );
});

describe("callLogs refuses, before any request,", () => {
  const eleven = Array.from({ length: 11 }, (_, at) => `${at + 1}`);
  const cases: [string, number, CallLogFilter, string][] = [
    ["first 0", 0, {}, "BAD_USER_INPUT"],
    ["first -1", -1, {}, "BAD_USER_INPUT"],
    ["first 101", 101, {}, "BAD_USER_INPUT"],
    ["11 tasks", 10, { taskIds: eleven }, "BAD_USER_INPUT"],
    ["101 ids", 10, { assistantIds: Array.from({ length: 101 }, () => "1") }, "QUERY_TOO_COMPLEX"],
    ["task 0", 10, { taskIds: ["0"] }, "BAD_USER_INPUT"],
    ["a path for an id", 10, { taskIds: ["1/../2"] }, "BAD_USER_INPUT"],
    ["a list for an id", 10, { assistantIds: ["1,2"] }, "BAD_USER_INPUT"],
    ["a query for a phone", 10, { phone: "1&taskId=2" }, "BAD_USER_INPUT"],
    ["a line break in a phone", 10, { phone: "1\r\n2" }, "BAD_USER_INPUT"],
    ["no phone", 10, { phone: "" }, "BAD_USER_INPUT"],
    [
      "an inverted range",
      10,
      { since: "2026-11-20T00:00:01.000Z", until: "2026-11-20T00:00:00.000Z" },
      "BAD_USER_INPUT",
    ],
  ];

  it.each(cases)("refuses %s before any request", async (_, first, filter, code) => {
    const { context, asked } = world({ rows });
    await expect(callLogs({ first, filter }, context)).rejects.toEqual(refused(code));
    expect(asked).toEqual([]);
  });

  it("accepts a repeated task beside ten others", async () => {
    const { context, asked } = world({ rows });
    await callLogs({ first: 100, filter: { taskIds: [...eleven.slice(0, 10), "1"] } }, context);
    expect(asked[0]?.taskIds).toHaveLength(10);
  });
});

describe("pages of calls have no gap and no repeat", () => {
  it.each([1, 7, 10, 25, 100])("reads pages of %i calls without gap or repeat", async (first) => {
    const { context } = world({ rows });
    const seen: (string | null)[] = [];
    let after: string | null = null;
    for (;;) {
      const connection: Awaited<ReturnType<typeof callLogs>> = await callLogs({ first, after }, context);
      const { pageInfo, rows: page, cursorAt } = connection;
      expect(pageInfo.hasPreviousPage).toBe(seen.length > 0);
      seen.push(...sessions(connection));
      expect(pageInfo.hasNextPage).toBe(seen.length < rows.length);
      expect([pageInfo.startCursor(), pageInfo.endCursor()]).toEqual([cursorAt(0), cursorAt(page.length - 1)]);
      after = pageInfo.endCursor();
      if (!pageInfo.hasNextPage) break;
    }
    expect(seen).toEqual(rows.map(({ sessionId }) => sessionId));
  });

  it("continues after any edge, with another page size", async () => {
    const { context } = world({ rows });
    const { cursorAt } = await callLogs({ first: 10 }, context);
    expect(sessions(await callLogs({ first: 3, after: cursorAt(4) }, context))).toEqual(["s-5", "s-6", "s-7"]);
  });

  it("continues in the range of the first page, also on the next day", async () => {
    const first = await callLogs({ first: 10 }, world({ rows }).context);
    const { context, asked } = world({ rows, now: "2026-11-21T09:30:00.000Z" });
    const second = await callLogs({ first: 10, after: first.pageInfo.endCursor() }, context);
    expect([second.since, second.until]).toEqual([first.since, first.until]);
    expect(asked[0]).toMatchObject({ since: first.since, until: first.until });
    expect(sessions(second)[0]).toBe("s-10");
  });

  it("gives an empty page after the end of the list", async () => {
    const { context } = world({ rows: rows.slice(0, 10) });
    const { pageInfo } = await callLogs({ first: 10 }, context);
    const shorter = world({ rows: rows.slice(0, 3) }).context;
    const page = await callLogs({ first: 10, after: pageInfo.endCursor() }, shorter);
    expect(page).toMatchObject({ rows: [], totalCount: 3, pageInfo: { hasNextPage: false, hasPreviousPage: true } });
  });
});

describe("a cursor of a list of calls", () => {
  const filter: CallLogFilter = { taskIds: ["7", "8"], since: "2026-11-18T00:00:00.000Z" };
  const others: [string, CallLogFilter | null][] = [
    ["no filter", null],
    ["another task", { ...filter, taskIds: ["7"] }],
    ["another range", { ...filter, since: "2026-11-18T00:00:01.000Z" }],
    ["an end", { ...filter, until: "2026-11-20T15:59:59.000Z" }],
    ["a direction", { ...filter, direction: "inbound" }],
    ["a phone", { ...filter, phone: "1" }],
    ["a kind", { ...filter, kind: "phone" }],
    ["an assistant", { ...filter, assistantIds: ["1"] }],
  ];

  it.each(others)("is refused with %s", async (_, other) => {
    const { context, asked } = world({ rows });
    const after = (await callLogs({ first: 1, filter }, context)).pageInfo.endCursor();
    await expect(callLogs({ first: 1, after, filter: other }, context)).rejects.toEqual(refused("CURSOR_INVALID"));
    expect(asked).toHaveLength(1);
  });

  it("is valid with reordered ids, and with null for a missing argument", async () => {
    const { context } = world({ rows });
    const after = (await callLogs({ first: 1, filter }, context)).pageInfo.endCursor();
    const same = { ...filter, taskIds: ["8", "7", "7"], direction: null, until: null };
    expect(sessions(await callLogs({ first: 1, after, filter: same }, context))).toEqual(["s-1"]);
  });

  it.each(["", "x", "0000000001AAAAAAAAAAAAAAAA"])("is not %j", async (after) => {
    const { context } = world({ rows });
    await expect(callLogs({ first: 1, after }, context)).rejects.toEqual(refused("CURSOR_INVALID"));
  });

  it("is refused if it was changed or made for another purpose", async () => {
    const { context } = world({ rows });
    const after = (await callLogs({ first: 1 }, context)).pageInfo.endCursor() ?? "";
    for (const forged of [
      context.signer.sign("event", "0000000001"),
      after.slice(1),
      `A${after.slice(1)}`,
      `${after}=`,
    ]) {
      await expect(callLogs({ first: 1, after: forged }, context)).rejects.toEqual(refused("CURSOR_INVALID"));
    }
  });

  it("is refused by a task's own list", async () => {
    const { context } = world({ rows });
    const after = (await taskCallLogs(task(), { first: 1 }, context)).pageInfo.endCursor();
    const list = callLogs({ first: 1, after, filter: { taskIds: ["7"] } }, context);
    await expect(list).rejects.toEqual(refused("CURSOR_INVALID"));
    const other = taskCallLogs(task({ taskId: "8" }), { first: 1, after }, context);
    await expect(other).rejects.toEqual(refused("CURSOR_INVALID"));
    expect(sessions(await taskCallLogs(task(), { first: 1, after }, context))).toEqual(["s-1"]);
  });
});

describe("a task's calls", () => {
  it("are requested by its id, over its whole life", async () => {
    const { context, asked } = world({ rows });
    await taskCallLogs(task(), { first: 10, filter: { direction: "inbound" } }, context);
    expect(asked[0]).toMatchObject({
      taskIds: ["7"],
      direction: "inbound",
      since: "2026-11-18T16:00:00.000Z",
      until: "2026-11-20T15:59:59.000Z",
    });
  });

  it("are requested from the year 2000 if its creation time is unknown", async () => {
    const { context, asked } = world({ rows });
    await taskCallLogs(task({ createdAt: null }), { first: 10 }, context);
    expect(asked[0]?.since).toBe("1999-12-31T16:00:00.000Z");
  });
});
