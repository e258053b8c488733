import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Opened, Page } from "./support.ts";
import { at, openSandbox } from "./support.ts";

let service: Opened;
const NOON = "2026-11-20 12:00:00";
const WIDE = "startTime=2026-01-01%2000:00:00&endTime=2026-12-31%2023:59:59";
const names = (page: Page) => page.items.map((item) => item.sessionId);

beforeAll(async () => {
  service = await openSandbox({ now: () => at(NOON) });
  const call = (sessionId: string, startAt: string, more: object = {}) => ({ sessionId, startAt, ...more });
  service.sandbox.control.seed({
    tasks: [{ id: 1 }, { id: 2, assistantId: 12 }],
    calls: [
      call("yesterday", "2026-11-19 23:59:59", { taskId: 1 }),
      call("first", "2026-11-20 00:00:00", { taskId: 1, callee: "10000000001" }),
      call("second", "2026-11-20 09:30:00", { taskId: 2, callee: "10000000002", caller: "A060" }),
      call("third", "2026-11-20 10:00:00", { caller: "10000000001" }),
      call("debug", "2026-11-20 11:00:00", { kind: "privateTest", direction: "outbound" }),
      call("last", "2026-11-20 23:59:59", { taskId: 1 }),
      call("tomorrow", "2026-11-21 00:00:00", { taskId: 2 }),
    ],
  });
});
afterAll(() => service[Symbol.asyncDispose]());

describe("the list by default", () => {
  it("shows today in the service's zone, both ends included", async () => {
    const page = await service.list();
    expect(names(page)).toEqual(["last", "debug", "third", "second", "first"]);
    expect(page).toMatchObject({ total: 5, pageIndex: 1, pageSize: 10 });
  });

  it("uses the start or end of today if the query has only the other end", async () => {
    expect(names(await service.list("endTime=2026-11-20%2009:30:00"))).toEqual(["second", "first"]);
    expect(names(await service.list("startTime=2026-11-20%2011:00:00"))).toEqual(["last", "debug"]);
  });

  it("is empty for an end before the default start", async () => {
    expect(await service.list("endTime=2026-11-01%2000:00:00")).toEqual({
      items: [],
      total: 0,
      pageIndex: 1,
      pageSize: 10,
    });
  });
});

describe("the list with a filter", () => {
  it.each([
    ["taskId=1", ["last", "first"]],
    ["taskId=1,2", ["last", "second", "first"]],
    ["taskId=7", []],
    ["direction=inbound", ["third"]],
    ["direction=outbound", ["last", "debug", "second", "first"]],
    ["phone=10000000001", ["third", "first"]],
    ["phone=A060&taskId=2", ["second"]],
    ["phone=1000000000", []],
    ["description=privateTest", ["debug"]],
    ["description=phone", ["last", "third", "second", "first"]],
    ["assistantIds=12", ["second"]],
    ["assistantIds=11&direction=outbound&description=phone", ["last", "first"]],
    ["startTime=2026-11-19%2023:59:59&endTime=2026-11-20%2000:00:00", ["first", "yesterday"]],
    ["startTime=2026-11-20+10:00:00&endTime=2026-11-20+10:00:00", ["third"]],
  ])("is filtered by %s", async (query, expected) => {
    const page = await service.list(query);
    expect(names(page)).toEqual(expected);
    expect(page.total).toBe(expected.length);
  });

  it.each([
    "assistantIds=11,12",
    "assistantIds=11&assistantIds=12",
    "assistantIds[]=11&assistantIds[]=12",
    "assistantIds%5B%5D=11,12",
  ])("is filtered by assistants, encoded as %s", async (query) => expect((await service.list(query)).total).toBe(5));
});

describe("paging", () => {
  it("returns every call once over all pages", async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((index) => service.list(`${WIDE}&pageSize=2&pageIndex=${index}`)));
    expect(pages.flatMap(names)).toEqual(["tomorrow", "last", "debug", "third", "second", "first", "yesterday"]);
    expect(pages.map(({ total, pageIndex, pageSize }) => [total, pageIndex, pageSize])).toEqual([
      [7, 1, 2],
      [7, 2, 2],
      [7, 3, 2],
      [7, 4, 2],
    ]);
  });

  it("returns an empty page after the last", async () => {
    expect(await service.list("pageIndex=9")).toEqual({ items: [], total: 5, pageIndex: 9, pageSize: 10 });
  });

  it("returns a hundred calls at most", async () => {
    expect((await service.list("pageSize=100")).pageSize).toBe(100);
  });
});

describe("today in the zone of the service", () => {
  it("has 25 hours when summer time ends", async () => {
    const zone = "Europe/Berlin";
    await using berlin = await openSandbox({ timeZone: zone, now: () => at("2026-10-25 12:00:00", zone) });
    const day = at("2026-10-25 00:00:00", zone);
    berlin.sandbox.control.seed({
      calls: [{ startAt: day }, { startAt: day + 25 * 3_600_000 - 1 }, { startAt: day + 25 * 3_600_000 }],
    });
    expect((await berlin.list()).total).toBe(2);
  });
});
