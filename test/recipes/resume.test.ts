import { describe, expect, it } from "vitest";
import { subscribeThroughCuts } from "../support/resume.ts";
import { subscriptions } from "./subscriptions.ts";

const clients = ["graphql-ws", "graphql-sse", "@apollo/client", "urql", "relay-runtime"] as const;

// Together, because clients wait before they connect again.
describe.concurrent("A recipe for a stock client, through 30 cuts and 2 restarts,", () => {
  it.each(clients)("receives each of 500 events once and in order: %s", async (client) => {
    const plan = { cuts: 30, restarts: 2, events: 500, seed: 1 };
    const subscribe = subscriptions[client];
    const { stored, received, cuts, endings } = await subscribeThroughCuts(subscribe, plan);
    expect(stored).toHaveLength(plan.events);
    expect(received).toEqual(stored);
    expect(endings).toEqual(["SIGTERM", "SIGKILL"]);
    expect(cuts.streams).toBeGreaterThanOrEqual(plan.cuts);
    expect(cuts.atByte).toBeGreaterThan(0);
  });
});
