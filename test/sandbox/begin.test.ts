// The sandbox as people see it beside a gateway: its history begins on request, and events tell it.
import { describe, expect, it } from "vitest";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox, type Fields } from "./support.ts";

const HISTORY = { tasks: 20, calls: 400, days: 3, isLively: true };
const NOW = at("2026-11-20 15:00:00");
const ALL = "startTime=2026-11-01%2000:00:00&endTime=2026-11-30%2000:00:00";
const EVERYTHING = { after: 0, searchedFrom: 0 };

async function open() {
  const receiver = await openReceiver();
  const webhook = { url: receiver.url, authorization: "x" };
  const service = await openSandbox({ forPeople: true, history: HISTORY, webhook, now: () => NOW });
  const total = async () => (await service.list(`${ALL}&pageSize=1`)).total;
  const told = () => receiver.received.map(({ data }) => data);
  return {
    service,
    receiver,
    total,
    told,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
const ends = (calls: readonly Fields[]) => calls.map(({ end_at: end }) => at(String(end)));

describe("A sandbox for people", () => {
  it("is empty until it begins, and then tells each call of its history once, the oldest end first", async () => {
    await using opened = await open();
    expect(await opened.total()).toBe(0);
    await opened.service.sandbox.begin(EVERYTHING);
    const told = opened.told();
    expect(told.length).toBeGreaterThan(HISTORY.calls);
    expect(await opened.total()).toBe(told.length);
    expect(new Set(told.map(({ session_id: id }) => id)).size).toBe(told.length);
    // Some are on their way at the same time.
    const disorder = ends(told).map((end, index, all) => Math.max(...all.slice(0, index), end) - end);
    expect(disorder.filter((ms) => ms > 0).length).toBeLessThan(told.length / 2);
    expect(Math.max(...ends(told))).toBeGreaterThan(NOW - 60_000);
    expect(Math.max(...ends(told))).toBeLessThanOrEqual(NOW);
  });

  it("lists a call only when its event was answered", async () => {
    await using opened = await open();
    opened.receiver.answerWith((count) => (count > 50 ? 0 : 200));
    void opened.service.sandbox.begin(EVERYTHING);
    await until(() => opened.told().length > 60);
    expect(await opened.total()).toBeLessThanOrEqual(50);
  });

  it("lists at once what ended before the gateway searches the list, and tells it, too", async () => {
    await using opened = await open();
    opened.receiver.answerWith((count) => (count > 50 ? 0 : 200));
    const searchedFrom = NOW - 85 * 60_000;
    void opened.service.sandbox.begin({ after: 0, searchedFrom });
    await until(() => opened.told().length > 60);
    const { items, total } = await opened.service.list(`${ALL}&pageSize=100`);
    expect(total).toBeGreaterThan(HISTORY.calls / 2);
    expect(items.every(({ endAt }) => at(String(endAt)) < searchedFrom)).toBe(true);
  });

  it("tells what ended after an instant, lists what ended long before, and has nothing in between", async () => {
    await using opened = await open();
    const [after, searchedFrom] = [NOW - 20 * 60_000, NOW - 85 * 60_000];
    await opened.service.sandbox.begin({ after, searchedFrom });
    const told = opened.told();
    expect(told.length).toBeGreaterThan(20);
    expect(ends(told).every((end) => end > after)).toBe(true);
    const { items, total } = await opened.service.list(`${ALL}&pageSize=100`);
    expect(total).toBeGreaterThan(HISTORY.calls);
    const others = items.map(({ endAt }) => at(String(endAt))).filter((end) => end <= after);
    expect(others.filter((end) => end >= searchedFrom)).toEqual([]);
  });

  it("only lists its history where nothing is to be told", async () => {
    await using opened = await open();
    await opened.service.sandbox.begin(null);
    expect(opened.told()).toEqual([]);
    expect(await opened.total()).toBeGreaterThan(HISTORY.calls);
  });

  it("stops in the middle of it", async () => {
    const opened = await open();
    opened.receiver.answerWith(() => 0);
    const begun = opened.service.sandbox.begin(EVERYTHING);
    await until(() => opened.told().length > 0);
    await opened[Symbol.asyncDispose]();
    await begun;
    expect(opened.told().length).toBeLessThan(100);
  });

  it("has the same recording for equally long calls", async () => {
    await using opened = await open();
    const { control } = opened.service.sandbox;
    for (const talkTime of [7, 7, 8]) control.endCall({ talkTime });
    const urls = await until(
      () => opened.told().length === 3 && opened.told().map(({ record_url: url }) => String(url)),
    );
    const sounds = await Promise.all(urls.map(async (url) => (await fetch(url)).bytes()));
    expect(sounds[0]).toEqual(sounds[1]);
    expect(sounds[0]).not.toEqual(sounds[2]?.subarray(0, sounds[0]?.length));
  });
});
