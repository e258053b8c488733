import { describe, expect, it } from "vitest";
import { createLoaders } from "../../src/loaders/loaders.ts";
import { createRequester } from "../../src/upstream/requester.ts";
import {
  callLogQuery,
  emptyPage,
  isProbe,
  json,
  listChecks,
  raw,
  serve,
  upstreamAt,
  wholeTask,
  type Answer,
} from "../upstream/service.ts";

/** Returns each task, rejects task 403 and does not know task 404. */
const tasks: Answer = (response, asked, request) => {
  const id = asked.target.split("/").at(-1) ?? "";
  const answer = ["403", "404"].includes(id) ? raw("", Number(id)) : json({ ...wholeTask(), id: Number(id) });
  answer(response, asked, request);
};

const page = json({ ...emptyPage, total: 3 });

describe("the task loader", () => {
  it("sends one request for many loads of one task", async () => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url);
    const { task } = createLoaders(upstream, listChecks());
    const loaded = await Promise.all(["1", "2", "1", "404", "2", "404"].map((id) => task.load(id)));
    expect(loaded.map((task) => task?.taskId)).toEqual(["1", "2", "1", undefined, "2", undefined]);
    await task.load("1");
    expect(service.asked.map(({ target }) => target).toSorted()).toEqual([
      "/openapi/tasks/1",
      "/openapi/tasks/2",
      "/openapi/tasks/404",
    ]);
  });

  it("shares no task with another set of loaders", async () => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url);
    await createLoaders(upstream, listChecks()).task.load("1");
    await createLoaders(upstream, listChecks()).task.load("1");
    expect(service.asked.length).toBe(2);
  });
});

describe("an error of a loader", () => {
  it("rejects each load of its key, after a single request", async () => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url);
    const { task } = createLoaders(upstream, listChecks());
    const results = await Promise.allSettled([task.load("1"), task.load("403"), task.load("2"), task.load("403")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected"]);
    await expect(task.load("403")).rejects.toMatchObject({ code: "UPSTREAM_REJECTED" });
    expect(service.asked.length).toBe(3);
  });

  it("rejects its key alone if the key is invalid and nothing is sent", async () => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url);
    const { task } = createLoaders(upstream, listChecks());
    const results = await Promise.allSettled([task.load("1/../2"), task.load("1")]);
    expect(results).toMatchObject([{ reason: expect.any(TypeError) }, { value: { taskId: "1" } }]);
    expect(service.asked.length).toBe(1);
  });

  it("does not come from a slow key: other keys do not wait for it", async () => {
    const slow = Promise.withResolvers<() => void>();
    await using service = await serve((response, asked, request) => {
      if (asked.target.endsWith("/1")) return slow.resolve(() => tasks(response, asked, request));
      tasks(response, asked, request);
    });
    await using upstream = upstreamAt(service.url);
    const { task } = createLoaders(upstream, listChecks());
    const [first, second] = [task.load("1"), task.load("2")];
    expect(await second).toMatchObject({ taskId: "2" });
    (await slow.promise)();
    expect(await first).toMatchObject({ taskId: "1" });
  });
});

describe("the call log loader", () => {
  it("shares a page between queries that differ in the order of ids only", async () => {
    const items = [1, 2, 2].map((taskId, at) => ({ taskId, assistant: [{ id: 3 + (at % 2), vid: 1 }] }));
    const list = json({ ...emptyPage, items, total: 3 });
    await using service = await serve((...asking) => (isProbe(asking[1]) ? page : list)(...asking));
    await using upstream = upstreamAt(service.url);
    const { callLogs } = createLoaders(upstream, listChecks());
    const one = callLogQuery({ taskIds: ["1", "2"], assistantIds: ["4", "3"] });
    const same = callLogQuery({ assistantIds: ["3", "4", "3"], taskIds: ["2", "1"] });
    const pages = await Promise.all([callLogs.load(one), callLogs.load(same), callLogs.load({ ...one })]);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3]);
    expect(service.asked.filter((asked) => !isProbe(asked)).length).toBe(1);
  });

  it.each([
    { taskIds: ["1"] },
    { taskIds: ["12"] },
    { assistantIds: ["1"] },
    { since: "2026-11-19T15:00:00.000Z" },
    { until: "2026-11-20T15:00:00.000Z" },
    { direction: "inbound" as const },
    { phone: "1" },
    { kind: "phone" as const },
    { pageIndex: 2 },
    { pageSize: 11 },
  ])("sends a request of its own for a query with %j", async (changes) => {
    await using service = await serve(page);
    await using upstream = upstreamAt(service.url);
    const { callLogs } = createLoaders(upstream, listChecks());
    await Promise.all([callLogs.load(callLogQuery()), callLogs.load(callLogQuery(changes))]);
    expect(service.asked.length).toBe(2);
  });
});

describe("a page with more rows than its total", () => {
  it.each([0, 1])("is an error for the total %i", async (total) => {
    const rows = [{ assistant: [] }, { assistant: [] }];
    await using service = await serve(json({ ...emptyPage, items: rows, total }));
    await using upstream = upstreamAt(service.url);
    const { callLogs, taskCallLogs } = createLoaders(upstream, listChecks());
    const refused = { code: "UPSTREAM_CONTRACT" };
    await expect(callLogs.load(callLogQuery())).rejects.toMatchObject(refused);
    const { pageIndex: _index, pageSize: _size, ...filter } = callLogQuery();
    const keys = ["1", "2"].map((taskId) => {
      return { taskId, createdAt: filter.since, filter: { ...filter, taskIds: [taskId] }, first: 10, args: "" };
    });
    for (const loaded of keys.map((key) => taskCallLogs.load(key))) await expect(loaded).rejects.toMatchObject(refused);
  });
});

describe("a page that was counted before its newest call was added", () => {
  it("is loaded again if it is a later page whose rows reach beyond the total", async () => {
    const rows = Array.from({ length: 9 }, () => ({ assistant: [] }));
    let asked = 0;
    await using service = await serve((...asking) => {
      asked += 1;
      json({ items: rows, total: asked === 1 ? 18 : 19, pageIndex: 2, pageSize: 10 })(...asking);
    });
    await using upstream = upstreamAt(service.url);
    const { callLogs } = createLoaders(upstream, listChecks());
    expect(await callLogs.load(callLogQuery({ pageIndex: 2 }))).toMatchObject({ total: 19 });
    expect(asked).toBe(2);
  });

  it("is loaded again once, and is complete then", async () => {
    const rows = [{ assistant: [] }, { assistant: [] }];
    let asked = 0;
    await using service = await serve((...asking) => {
      asked += 1;
      json({ ...emptyPage, items: rows, total: asked === 1 ? 1 : 2 })(...asking);
    });
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    const { callLogs } = createLoaders(upstream, listChecks());
    expect(await callLogs.load(callLogQuery())).toMatchObject({ total: 2 });
    expect(asked).toBe(2);
  });
});

describe("the loaders of an aborted request", () => {
  it("reject their loads and send nothing more", async () => {
    const caller = new AbortController();
    const closed = Promise.withResolvers<void>();
    await using service = await serve((response) => {
      response.on("close", () => closed.resolve());
      caller.abort("the client left");
    });
    await using upstream = upstreamAt(service.url);
    const { task } = createLoaders(upstream, listChecks(), createRequester({ signal: caller.signal }));
    await expect(task.load("1")).rejects.toBe("the client left");
    await closed.promise;
    await expect(task.load("2")).rejects.toBe("the client left");
    expect(service.asked.length).toBe(1);
  });
});
