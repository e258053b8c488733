import { expect, it } from "vitest";
import { noEventObserver, observeCommits } from "../../src/events/eventObserver.ts";
import { createMetricRegistry } from "../../src/server/metrics/instruments.ts";
import { createObservers } from "../../src/server/metrics/observers.ts";
import { noServerObserver, observeOperations, type ServerObserver } from "../../src/server/serverObserver.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { tempStore } from "../store/tempStore.ts";

it("A pipeline that nobody observes is used as it is", () => {
  const own = pipeline();
  expect(observeOperations(own, noServerObserver, "http")).toBe(own);
});

it("A log whose commits nobody observes is used as it is", async () => {
  const { events } = await tempStore();
  expect(observeCommits(events, noEventObserver)).toBe(events);
});

it.each([
  ["http", "http"],
  ["websocket", "websocket"],
  ["callback", "callback"],
] as const)("An operation over %s is reported once, by its first error or as OK", async (transport, label) => {
  const reported: string[] = [];
  const observer: ServerObserver = {
    ...noServerObserver,
    operationRefused: (...refused) => void reported.push(refused.join(" ")),
    operationEnded: (by, kind, code, milliseconds) => {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      reported.push(`${by} ${kind} ${code}`);
    },
  };
  const { prepare, grantOf } = pipeline();
  const observed = observeOperations({ prepare }, observer, transport);
  for (const query of ["{ viewer { nothing } }", "{ viewer { name } }"]) {
    const operation = observed.prepare({ query }, grantOf());
    if ("run" in operation) await operation.run(null);
  }
  expect(reported).toEqual([`${label} GRAPHQL_VALIDATION_FAILED`, `${label} query OK`]);
});

it.each<[keyof ServerObserver, (observer: ServerObserver) => void, string]>([
  [
    "operationRefused",
    (observer) => observer.operationRefused("websocket", "RATE_LIMITED"),
    'switchboard_operations_total{transport="websocket",kind="refused",code="RATE_LIMITED"} 1',
  ],
  [
    "operationEnded",
    (observer) => observer.operationEnded("sse", "subscription", "OK", 3),
    'switchboard_operations_total{transport="sse",kind="subscription",code="OK"} 1',
  ],
  [
    "queryUnchanged",
    (observer) => observer.queryUnchanged(),
    'switchboard_operations_total{transport="http",kind="query",code="NOT_MODIFIED"} 1',
  ],
  ["webhookAuthorized", (observer) => observer.webhookAuthorized("none"), 'webhook_auth_total{secret="none"} 1'],
  [
    "webhookAnswered",
    (observer) => observer.webhookAnswered("failed", 3),
    'switchboard_webhooks_total{outcome="failed"} 1',
  ],
  [
    "webhookMisdirected",
    (observer) => observer.webhookMisdirected(),
    'switchboard_webhooks_total{outcome="misdirected"} 1',
  ],
  [
    "rejected",
    (observer) => observer.rejected("connection", "flood"),
    'switchboard_not_served_total{place="connection",status="flood"} 1',
  ],
])("The metrics count each call of %s once", async (_, report, line) => {
  const { registry, instruments } = await createMetricRegistry();
  report(createObservers(instruments, new Set(), new Map()).server);
  expect((await registry.metrics()).split("\n")).toContain(line);
});
