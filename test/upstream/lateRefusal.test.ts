// An error response counts as soon as its head arrives. Its body may end or be cut during the retry, and must not affect it.
import { describe, expect, it } from "vitest";
import { createRequester } from "../../src/upstream/requester.ts";
import { until } from "../support/until.ts";
import { callLogQuery, serve, upstreamAt } from "./service.ts";

type Bodies = (end: () => void) => void;

/** The first attempt gets an error response, whose body `body` ends; the second attempt is never answered. */
async function refusesThenHangs(body: Bodies) {
  const refusal = Promise.withResolvers<void>();
  let attempts = 0;
  const service = await serve((response) => {
    attempts += 1;
    if (attempts > 1) return;
    response.once("close", refusal.resolve).writeHead(503, { "content-length": 4 }).write("oo");
    body(() => response.end("ps"));
  });
  return { ...service, refusalIsOver: refusal.promise };
}

// Together, because each waits for a deadline.
describe.concurrent.each<[string, Bodies]>([
  ["ends during the second attempt", (end) => void setTimeout(end, 250)],
  ["ends in the pause before the second attempt", (end) => void setTimeout(end, 20)],
  ["never ends", () => undefined],
])("a request whose first error response %s", (_name, body) => {
  it("ends at its deadline and frees its slot", async () => {
    await using service = await refusesThenHangs(body);
    await using upstream = upstreamAt(service.url, { timeoutMs: 6000 });
    await expect(upstream.listCallLogs(callLogQuery())).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
    expect(service.asked).toHaveLength(2);
    await until(() => upstream.status().underWay === 0);
  });

  it("ends when its last caller leaves", async () => {
    await using service = await refusesThenHangs(body);
    await using upstream = upstreamAt(service.url, { timeoutMs: 60_000 });
    const caller = new AbortController();
    const request = upstream.listCallLogs(callLogQuery(), createRequester({ signal: caller.signal }));
    const left = expect(request).rejects.toThrow("left");
    await until(() => service.asked.length === 2);
    await service.refusalIsOver;
    caller.abort(new Error("left"));
    await left;
    await until(() => upstream.status().underWay === 0);
  });
});
