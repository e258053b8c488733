import { describe, expect, it } from "vitest";
import { createRequester } from "../../src/upstream/requester.ts";
import { until } from "../support/until.ts";
import {
  callLogQuery,
  emptyPage,
  json,
  raw,
  serve,
  upstreamAt,
  wholeTask,
  type Answer,
  type Double,
} from "./service.ts";

interface Held {
  service: Double;
  /** Answers all pending requests. */
  answer(given?: Answer): void;
  closed: () => number;
}

/** A service that answers when the test says so. */
async function held(): Promise<Held> {
  let waiting: ((given: Answer) => void)[] = [];
  let closed = 0;
  const service = await serve((response, asked, request) => {
    response.on("close", () => (closed += response.writableFinished ? 0 : 1));
    waiting.push((given) => given(response, asked, request));
  });
  return {
    service,
    answer(given = json(emptyPage)) {
      for (const each of waiting) each(given);
      waiting = [];
    },
    closed: () => closed,
  };
}

const tasks: Answer = (response, asked, request) =>
  json(asked.target.includes("/tasks/") ? { ...wholeTask(), id: Number(asked.target.split("/").at(-1)) } : emptyPage)(
    response,
    asked,
    request,
  );

function leaver() {
  const caller = new AbortController();
  return { asker: createRequester({ signal: caller.signal }), leave: () => caller.abort(new Error("left")) };
}

describe("identical queries at the same time", () => {
  it("share one request, and each caller's usage shows whether it was its own", async () => {
    const { service, answer } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url);
    const askers = [createRequester(), createRequester(), createRequester()];
    const answers = Promise.all(askers.map((asker) => upstream.listCallLogs(callLogQuery(), asker)));
    await until(() => service.asked.length === 1);
    answer();
    expect((await answers).map(({ total }) => total)).toEqual([0, 0, 0]);
    expect(service.asked.length).toBe(1);
    expect(askers.map(({ usage: tally }) => [tally.requests, tally.shared])).toEqual([
      [1, 0],
      [0, 1],
      [0, 1],
    ]);
    expect(upstream.status()).toMatchObject({ requests: 1, shared: 2, cached: 0 });
  });

  it("share a result that no caller can change", async () => {
    await using service = await serve(json({ ...emptyPage, items: [{ assistant: [{ id: 1, vid: 2 }] }], total: 1 }));
    await using upstream = upstreamAt(service.url);
    const { rows } = await upstream.listCallLogs(callLogQuery());
    expect([rows, rows[0], rows[0]?.assistants, rows[0]?.assistants[0]].every(Object.isFrozen)).toBe(true);
  });

  it("share a failure, which later queries do not get", async () => {
    const { service, answer } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    const both = Promise.allSettled([upstream.getTask("1"), upstream.getTask("1")]);
    await until(() => service.asked.length === 1);
    answer(json({}, 403));
    expect(await both).toMatchObject([
      { reason: { code: "UPSTREAM_REJECTED" } },
      { reason: { code: "UPSTREAM_REJECTED" } },
    ]);
    const later = upstream.getTask("1");
    await until(() => service.asked.length === 2);
    answer(json({}, 404));
    expect(await later).toBeNull();
  });

  it("send another request for a caller that needs a fresh response", async () => {
    const { service, answer } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    const first = upstream.getTask("1");
    const fresh = upstream.getTask("1", createRequester({ fresh: true }));
    await until(() => service.asked.length === 2);
    answer(json({}, 404));
    expect(await Promise.all([first, fresh])).toEqual([null, null]);
  });
});

describe("a caller that leaves", () => {
  it("leaves the request running for the other callers", async () => {
    const { service, answer, closed } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url);
    const [one, two] = [leaver(), leaver()];
    const first = upstream.getTask("1", one.asker);
    const second = upstream.getTask("1", two.asker);
    await until(() => service.asked.length === 1);
    one.leave();
    await expect(first).rejects.toThrow("left");
    answer(json({}, 404));
    expect(await second).toBeNull();
    expect(closed()).toBe(0);
  });

  it("ends the request if it was the last one, and a later query sends a new one", async () => {
    const { service, answer, closed } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url);
    const [one, two] = [leaver(), leaver()];
    const both = Promise.allSettled([upstream.getTask("1", one.asker), upstream.getTask("1", two.asker)]);
    await until(() => service.asked.length === 1);
    one.leave();
    two.leave();
    const later = upstream.getTask("1");
    await both;
    await until(() => closed() === 1 && service.asked.length === 2);
    answer(json({}, 404));
    expect(await later).toBeNull();
    expect(upstream.status().state).toBe("HEALTHY");
  });
});

describe("a caller that cannot pay", () => {
  const broke = () => createRequester({ payRateLimit: () => Promise.reject(new Error("no more requests")) });

  it("fails with its own error, and nothing is sent", async () => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url);
    await expect(upstream.getTask("1", broke())).rejects.toThrow("no more requests");
    expect(service.asked).toEqual([]);
    expect(upstream.status().state).toBe("HEALTHY");
  });

  it.each([
    ["at once", () => undefined],
    ["a moment later", () => Promise.resolve()],
  ])("leaves the next caller to pay %s for the request and each retry", async (_, payment) => {
    let payments = 0;
    await using service = await serve(json({}, 503));
    await using upstream = upstreamAt(service.url);
    const rich = createRequester({
      payRateLimit() {
        payments += 1;
        return payment();
      },
    });
    const [first, second] = await Promise.allSettled([upstream.getTask("1", broke()), upstream.getTask("1", rich)]);
    expect([first, second]).toMatchObject([
      { reason: { message: "no more requests" } },
      { reason: { code: "UPSTREAM_UNAVAILABLE" } },
    ]);
    expect([payments, rich.usage.requests, service.asked.length]).toEqual([3, 3, 3]);
  });
});

describe("a cached response", () => {
  it("costs nothing", async () => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    await upstream.getTask("1");
    const asker = createRequester({ payRateLimit: () => Promise.reject(new Error("payments")) });
    expect(await upstream.getTask("1", asker)).toMatchObject({ taskId: "1" });
    expect(asker.usage).toMatchObject({ requests: 0, shared: 0, cached: 1 });
    expect(service.asked.length).toBe(1);
  });

  it("expires, and is never used with a lifetime of 0", async () => {
    let now = 0;
    const clock = { now: () => now, random: () => 0 };
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url, { cacheMs: 1000, clock });
    for (now of [0, 999, 1000, 1999, 2001]) await upstream.getTask("1");
    expect(service.asked.length).toBe(3);
    await using other = upstreamAt(service.url, { cacheMs: 0, clock });
    await other.getTask("1");
    await other.getTask("1");
    expect(service.asked.length).toBe(5);
  });

  it("is not made of an unreadable response", async () => {
    await using service = await serve(raw("{}"));
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    for (const _ of [1, 2]) {
      await expect(upstream.listCallLogs(callLogQuery())).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
    }
    expect(service.asked.length).toBe(2);
  });
});

describe("invalidation", () => {
  const lists = [callLogQuery(), callLogQuery({ taskIds: ["1", "2"] }), callLogQuery({ taskIds: ["2"] })];

  it.each([
    ["1", ["/tasks/1", "no task", "1,2"]],
    ["2", ["/tasks/2", "no task", "1,2", "2"]],
    ["3", ["no task"]],
    [null, ["no task"]],
  ])("by an event of task %s drops the task, lists that name it and lists that name no task", async (taskId, ended) => {
    await using service = await serve(tasks);
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    const askAll = () =>
      Promise.all([
        ...["1", "2"].map((id) => upstream.getTask(id)),
        ...lists.map((query) => upstream.listCallLogs(query)),
      ]);
    await askAll();
    service.asked.length = 0;
    upstream.invalidate(taskId);
    await askAll();
    const again = service.asked.map(
      ({ target }) => /\/tasks\/\d/.exec(target)?.[0] ?? /taskId=([\d,]+)/.exec(target)?.[1] ?? "no task",
    );
    expect(again.toSorted()).toEqual(ended.toSorted());
  });

  it("keeps requests in flight from being shared or cached, but not from answering their callers", async () => {
    const { service, answer } = await held();
    await using _ = service;
    await using upstream = upstreamAt(service.url, { cacheMs: 60_000 });
    const before = upstream.listCallLogs(callLogQuery());
    await until(() => service.asked.length === 1);
    upstream.invalidate("7");
    const after = upstream.listCallLogs(callLogQuery());
    await until(() => service.asked.length === 2);
    answer();
    await Promise.all([before, after]);
    await upstream.listCallLogs(callLogQuery());
    expect(service.asked.length).toBe(2);
  });
});
