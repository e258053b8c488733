// Destinations whose filter leaves out what happens. Elsewhere a reader that hands on nothing keeps its old place, until the log drops what is there:
// https://github.com/debezium/debezium/pull/581, https://github.com/Popsink/debezium-connector-ibmi/issues/36
import { describe, expect, it } from "vitest";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { noDestinationObserver } from "../../src/destinations/observer.ts";
import { callEnded, logOver, signer } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { deliver } from "./world.ts";

describe.each(databases)("A destination on %s whose filter leaves out each call", (_, { create }) => {
  it("follows the log to its end, and misses nothing that the log drops meanwhile", async () => {
    const store = await tempStore((await create()).url);
    const gateway = { store, events: await logOver(store.events, { checkpointMs: 5 }) };
    const { parse } = createEventCursors(signer);
    const positionOf = (cursor: string | null | undefined) => (cursor ? parse(cursor) : 0);
    const lost: string[] = [];
    const observer = { ...noDestinationObserver, lost: (name: string) => void lost.push(name) };
    const deps = { observer };
    const own = { filter: { taskIds: ["7"] } };
    const append = (sessionId: string, taskId: string) =>
      gateway.events.append(callEnded({ sessionId, taskId }), "WEBHOOK");
    const first = deliver(gateway, { own, deps });
    for (const sessionId of ["a", "b", "c"]) await append(sessionId, "9");
    const head = parse(gateway.events.markHead()());
    await until(async () => positionOf((await store.destinations.read("crm"))?.cursor) >= head);
    await first.stop();
    await gateway.store.events.purge("2999-01-01T00:00:00.000Z", 1000);
    const second = deliver(gateway, { own, deps });
    await append("wanted", "7");
    await until(() => second.taken.length === 1);
    expect([first.attempts, second.attempts, lost]).toEqual([[], ["wanted"], []]);
  });
});
