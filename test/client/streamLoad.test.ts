import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cuttingProxy } from "../support/network/cuttingProxy.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { clientOf, endCalls, sessionIds, started, take } from "./clients.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ url: "http://127.0.0.1:9" });
});
afterAll(() => gateway[Symbol.asyncDispose]());

describe("A consumer that does not read", () => {
  it("is not sent the whole log: the subscription pauses, and goes on behind the last item", async () => {
    await using client = clientOf(gateway);
    const first = await started(client, client.callEnded());
    const ids = sessionIds("slow", 0, 1300);
    await Promise.all(
      Array.from({ length: 13 }, (_, part) => endCalls(gateway, ids.slice(part * 100, part * 100 + 100))),
    );
    const [after, ...rest] = (await take(first, 1300)).map((item) => item.cursor);
    await first.return?.();

    const sent: string[] = [];
    class Recording extends WebSocket {
      override send(data: string): void {
        sent.push((JSON.parse(data) as { type: string }).type);
        super.send(data);
      }
    }
    await using recorded = clientOf(gateway, { webSocketImpl: Recording });
    const items = recorded.callEnded({ after });
    await items.next();
    await until(() => sent.includes("complete"));
    expect(sent.filter((type) => type === "subscribe")).toHaveLength(1);
    expect([rest[0], ...(await take(items, 1298)).map((item) => item.cursor)]).toEqual(rest);
    expect(sent.filter((type) => type === "subscribe").length).toBeGreaterThan(1);
  });
});

describe("A client with more streams than a socket takes", () => {
  it("opens another socket, and every stream gets every call", async () => {
    await using proxy = await cuttingProxy(gateway.url);
    await using client = clientOf(proxy);
    const live = new Set<number>();
    const streams = Array.from({ length: 120 }, (_, index) =>
      client.callEnded({ fields: "sessionId", onState: ({ name }) => name === "live" && live.add(index) }),
    );
    const items = streams.map((stream) => stream.next());
    await until(() => live.size === streams.length);
    expect(proxy.upgrades).toBe(2);
    await endCalls(gateway, ["for-all"]);
    for (const { value } of await Promise.all(items)) expect(value).toMatchObject({ call: { sessionId: "for-all" } });
  });
});
