// What the console says of the facts that it knows, without a page.
import { expect, it } from "vitest";
import { countWithoutWebhook, type Facts } from "../../console/src/state/factsStore.ts";
import { judge, type StateLine, type Subject } from "../../console/src/state/judge.ts";

type Gateway = NonNullable<Facts["gateway"]>;

const at = "2026-11-26T10:00:00.000Z";
const webhooks: Gateway["webhooks"] = {
  lastAcceptedAt: at,
  acceptedLastMinute: 1,
  refusedLastMinute: 0,
  unreadableInARow: 0,
  refused: null,
};
const gateway: Gateway = {
  upstream: "HEALTHY",
  serviceFailingSince: null,
  tokenRefused: false,
  timesAheadMinutes: 0,
  webhooks,
};
const well: Facts = {
  answeredAt: 0,
  awaySince: null,
  gateway,
  withoutWebhook: { calls: 0, of: 10 },
  isStoreAway: false,
  serviceFailedSince: null,
};
const judged = (facts: Partial<Facts>) =>
  judge({ facts: { ...well, ...facts }, connection: { name: "live" }, isOnline: true, isAdmin: true });
const lineOf = (subject: Subject, facts: Partial<Facts>) =>
  judged(facts).lines.find((line) => line.subject === subject) as StateLine;
const refused = (reasons: Record<string, number>): Gateway["webhooks"] => {
  const counts = Object.entries(reasons) as [never, number][];
  const count = counts.reduce((sum, [, each]) => sum + each, 0);
  return {
    ...webhooks,
    refused: { since: at, count, reasons: counts.map(([reason, each]) => ({ reason, count: each })) },
  };
};

it("all is well where nothing is known to be wrong", () => {
  expect(judged({}).worst).toBeNull();
});

it("a refused token is told although requests of the page failed before", () => {
  const facts = { serviceFailedSince: 1, gateway: { ...gateway, tokenRefused: true } };
  expect(lineOf("service", facts).judgement).toEqual({ is: "tokenRefused" });
  expect(lineOf("service", { serviceFailedSince: 1 }).judgement).toEqual({ is: "serviceAway", since: 1 });
});

it("the most frequent reason of refused webhooks is told, whichever came last", () => {
  const facts = { gateway: { ...gateway, webhooks: refused({ WRONG_HEADER: 1000, MISSING_HEADER: 1 }) } };
  expect(lineOf("webhooks", facts)).toMatchObject({ tone: "bad", judgement: { reason: "WRONG_HEADER", count: 1001 } });
});

it("a stray request to the address of webhooks is a warning, and more where calls come without a webhook", () => {
  const facts = { gateway: { ...gateway, webhooks: refused({ MISSING_HEADER: 1 }) } };
  expect(lineOf("webhooks", facts).tone).toBe("warning");
  expect(lineOf("webhooks", { ...facts, withoutWebhook: { calls: 1, of: 4 } }).tone).toBe("bad");
});

it("webhooks that come and cannot be read in a row are a fault", () => {
  const unread = (unreadableInARow: number) => ({
    gateway: { ...gateway, webhooks: { ...webhooks, unreadableInARow } },
  });
  expect(lineOf("webhooks", unread(2)).tone).toBe("good");
  expect(lineOf("webhooks", unread(3))).toMatchObject({ tone: "bad", judgement: { is: "webhooksUnread", count: 3 } });
});

it("calls without a webhook are told from the first three calls on", () => {
  const told = (calls: number, of: number) => lineOf("webhooks", { withoutWebhook: { calls, of } }).judgement;
  expect(told(3, 3)).toEqual({ is: "withoutWebhook", calls: 3, of: 3 });
  expect(told(2, 10)).toMatchObject({ is: "webhooksArrive" });
});

it.each([
  ["WWRRRRRRRR", [0, 2], "calls before the first webhook, such as those of before the first start, are left out"],
  ["RRRWWWRRRR", [3, 6], "webhooks stopped"],
  ["WRWRWRWRRR", [3, 7], "some webhooks are lost"],
  ["RRRRRRRRRR", [10, 10], "no webhook came at all"],
  ["", [0, 0], "there is no call yet"],
])("of the newest calls %s, %j came without a webhook: %s", (letters, [calls, of]) => {
  const sources = Array.from(letters, (letter) => (letter === "W" ? "WEBHOOK" : "RECONCILED"));
  expect(countWithoutWebhook(sources)).toEqual({ calls, of });
});
