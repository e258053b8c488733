// What people met in other systems of alerts. Each case names its source.
import { describe, expect, it } from "vitest";
import { answerRate, ended, judging, minute, rulesOf } from "./judging.ts";

const missed = (at: number, own: object = {}) => ended(at, { answered: false, ...own });
const bad = (...minutes: number[]) => minutes.map((at) => missed(at));
const good = (...minutes: number[]) => minutes.map((at) => ended(at));

describe("An alert on the answer rate", () => {
  // https://github.com/prometheus/prometheus/issues/1372
  it("is raised again after it was resolved", async () => {
    const { alerts } = judging(await rulesOf(answerRate())).take(
      ...bad(0, 1, 2, 3),
      ...good(20, 21),
      ...bad(30, 31, 32),
    );
    expect(alerts.map(({ raisedAt, resolvedAt }) => [raisedAt, resolvedAt])).toEqual([
      [minute(3), minute(21)],
      [minute(32), null],
    ]);
  });

  // https://github.com/prometheus/alertmanager/issues/1063
  it("tells of each raise and each end, one after the other, where it comes and goes", async () => {
    const { alerts } = judging(await rulesOf(answerRate({ coolDownMinutes: 1 })))
      .take(...bad(0, 1, 2, 3))
      .take(...good(20, 21, 22, 23))
      .take(...bad(40, 41, 42, 43))
      .take(...good(60, 61, 62, 63));
    expect(alerts.map(({ told }) => told)).toEqual([
      ["RAISED", "RESOLVED"],
      ["RAISED", "RESOLVED"],
    ]);
  });

  // https://github.com/grafana/grafana/issues/37461, https://github.com/prometheus/alertmanager/issues/3048
  it("stays one alert while the rate goes up and down within the cool-down", async () => {
    const calls = Array.from({ length: 9 }, (_, at) => (Math.floor(at / 2) % 2 === 0 ? missed(4 + at) : ended(4 + at)));
    const { alerts } = judging(await rulesOf(answerRate({ coolDownMinutes: 30 }))).take(...bad(0, 1, 2, 3), ...calls);
    expect(alerts).toMatchObject([{ raisedAt: minute(3), resolvedAt: null, told: ["RAISED"] }]);
  });

  // https://github.com/prometheus/alertmanager/issues/204
  it("ends with the cool-down where the rate was good by then and no call follows", async () => {
    const running = judging(await rulesOf(answerRate())).take(...bad(0, 1, 2, 3), ...good(5, 6, 7));
    expect(running.look(13).alerts[0]?.resolvedAt).toBeNull();
    // Calls that ended before then may come for an hour.
    expect(running.look(74).alerts).toMatchObject([{ resolvedAt: minute(13), ending: "RECOVERED" }]);
  });

  // https://github.com/grafana/grafana/issues/105571
  it("does not end because calls fail to come", async () => {
    const running = judging(await rulesOf(answerRate({ window: { minutes: 10 } }))).take(...bad(0, 1, 2, 3));
    expect(running.look(10 * 60).alerts[0]?.resolvedAt).toBeNull();
  });

  // https://github.com/grafana/grafana/issues/26664
  it("ends after a day without a call, and says so", async () => {
    const day = 24 * 60;
    const running = judging(await rulesOf(answerRate()))
      .take(...bad(0, 1, 2, 3))
      .look(day + 64);
    expect(running.alerts).toMatchObject([
      { resolvedAt: minute(day + 3), ending: "NO_CALLS", told: ["RAISED", "RESOLVED"] },
    ]);
  });

  it("is not raised again by the first call after a silence, but by enough of them", async () => {
    const weekend = 3 * 24 * 60;
    const running = judging(await rulesOf(answerRate())).take(...bad(0, 1, 2, 3));
    running.look(weekend).take(...bad(weekend, weekend + 1, weekend + 2));
    expect(running.alerts).toMatchObject([{ ending: "NO_CALLS" }]);
    running.take(...bad(weekend + 3));
    expect(running.alerts).toMatchObject([{ ending: "NO_CALLS" }, { raisedAt: minute(weekend + 3), calls: 4 }]);
  });

  it("does not end by the clock while calls wait to be read", async () => {
    const running = judging(await rulesOf(answerRate())).take(...bad(0, 1, 2, 3), ...good(5, 6, 7));
    expect(running.look(300, 10).alerts[0]?.resolvedAt).toBeNull();
    expect(running.take(...bad(8, 9, 10)).look(300).alerts[0]?.resolvedAt).toBeNull();
  });

  // https://github.com/grafana/grafana/issues/38419
  it("is not resolved by a window with too few calls", async () => {
    const rule = answerRate({ window: { minutes: 5 }, coolDownMinutes: 1 });
    const { alerts } = judging(await rulesOf(rule)).take(...bad(0, 1, 2, 3), ...good(20, 21, 22));
    expect(alerts[0]?.resolvedAt).toBeNull();
  });

  // https://github.com/grafana/grafana/issues/6631
  it("is not raised by a window with too few calls", async () => {
    const { alerts } = judging(await rulesOf(answerRate({ window: { minutes: 5 } }))).take(
      ...bad(0, 1, 10, 11, 20, 21),
    );
    expect(alerts).toEqual([]);
  });

  // https://github.com/prometheus/prometheus/pull/14061
  it("takes a call that comes late at the place of its end, and not as the last one", async () => {
    const late = missed(-30, { receivedMinute: 5 });
    const { alerts } = judging(await rulesOf(answerRate())).take(...good(0, 1), ...bad(2), ended(3), late, late, late);
    expect(alerts).toEqual([]);
  });

  it("does not count a call that comes more than an hour late, or by an import", async () => {
    const late = [0, 1, 2, 3].map((at) => missed(at, { receivedMinute: at + 61 }));
    const imported = [0, 1, 2, 3].map((at) => missed(at, { source: "IMPORTED", receivedMinute: at }));
    const { alerts } = judging(await rulesOf(answerRate())).take(...late, ...imported);
    expect(alerts).toEqual([]);
  });

  it("is not stopped by a call that ends in the future", async () => {
    const ahead = ended(0, { endAt: "2062-01-01T00:00:00.000Z" });
    const rule = answerRate({ window: { minutes: 10 } });
    const { alerts } = judging(await rulesOf(rule)).take(ahead, ...bad(1, 2, 3, 4));
    expect(alerts).toMatchObject([{ calls: 4, raisedAt: minute(3) }]);
  });

  it("counts a call once, by its newest revision, and none of which the answer cannot be read", async () => {
    const calls = bad(0, 1, 2);
    const first = { ...calls[0], revision: 2, answerAt: minute(0) } as (typeof calls)[number];
    const unread = ended(3, { answerAt: null, billsec: null, unread: [{ field: "answerAt", text: "soon" }] });
    const rules = await rulesOf(answerRate({ below: 0.3 }));
    const { alerts } = judging(rules).take(...calls, first, first, unread, missed(4));
    expect(alerts).toMatchObject([{ calls: 4, value: 0.25 }]);
  });

  it("keeps its calls and its open alert where only its limit changes, and starts anew where it counts others", async () => {
    const running = judging(await rulesOf(answerRate())).take(...bad(0, 1), ...good(2));
    running.change(await rulesOf(answerRate({ below: 0.9 }))).take(ended(3));
    expect(running.alerts).toMatchObject([{ raisedAt: minute(3), calls: 4, resolvedAt: null }]);
    running.change(await rulesOf(answerRate({ of: "all" }))).look(20);
    expect(running.alerts).toMatchObject([{ resolvedAt: minute(20), ending: "RULE_CHANGED" }]);
  });

  // https://github.com/YelpArchive/elastalert/issues/2304
  it("takes a shorter cool-down at once, also while it is open", async () => {
    const running = judging(await rulesOf(answerRate({ coolDownMinutes: 1440 }))).take(
      ...bad(0, 1, 2, 3),
      ...good(20, 21),
    );
    expect(running.alerts[0]?.resolvedAt).toBeNull();
    running.change(await rulesOf(answerRate({ coolDownMinutes: 5 }))).take(ended(22));
    expect(running.alerts).toMatchObject([{ ending: "RECOVERED" }]);
  });

  // https://github.com/YelpArchive/elastalert/issues/2711
  it("is no news where the reader comes days later, but is kept; one that goes on is told", async () => {
    const days = 5 * 24 * 60;
    const rules = await rulesOf(answerRate());
    expect(judging(rules, { now: days }).take(...bad(0, 1, 2, 3), ...good(20, 21)).alerts).toMatchObject([
      { resolvedAt: minute(21), told: [] },
    ]);
    expect(judging(rules, { now: 1400 }).take(...bad(0, 1, 2, 3, 1399)).alerts).toMatchObject([
      { raisedAt: minute(3), told: ["RAISED"] },
    ]);
  });
});
