import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { lastingGrant } from "../../../src/auth/grant.ts";
import type { Scope } from "../../../src/auth/scopes.ts";
import type { EventLog } from "../../../src/events/eventLog.ts";
import { createConnectionQuota } from "../../../src/server/connections/connectionQuota.ts";
import { callEnded, headOf, names, tempLog } from "../../events/callEnded.ts";
import { until } from "../../support/until.ts";
import { pipeline } from "../pipeline.ts";
import { routeOf } from "../../server/route.ts";
import { serve } from "../../server/serve.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

const QUERY = "subscription($after: String) { callEnded(after: $after) { sessionId callee hangupReason } }";
const LARGE = "語".repeat(30_000);

/** A route that takes the credentials as the names of scopes. */
async function open() {
  const events = await tempLog();
  const made = pipeline({ own: { events } });
  const route = routeOf({
    pipeline: made,
    fastPath: true,
    admit: async (scopes = "") =>
      lastingGrant({ name: "web", scopes: new Set(scopes.split(" ") as Scope[]), ...unrestricted }),
    connectionQuota: createConnectionQuota(),
  });
  const server = await serve((request, response) => void route(request, response, {}));
  onTestFinished(() => server[Symbol.asyncDispose]());

  async function listen(scopes: string, after: string, accept = "text/event-stream") {
    const request = ask(`${server.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept, authorization: scopes },
    });
    request.on("error", () => undefined).end(JSON.stringify({ query: QUERY, variables: { after } }));
    onTestFinished(() => void request.destroy());
    const [response] = (await once(request, "response")) as [IncomingMessage];
    let text = "";
    response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    const blocks = () => text.split("\n\n").slice(0, -1);
    const received = () =>
      blocks()
        .flatMap((block) => /^event: next\nid: .+\ndata: (.+)$/.exec(block)?.[1] ?? [])
        .map((data) => JSON.parse(data).data.callEnded as Record<string, string>);
    return { request, response, blocks, received };
  }
  return { events, made, listen };
}

const append = (events: EventLog, sessionId: string, hangupReason = "normal") =>
  events.append(callEnded({ sessionId, hangupReason }), "WEBHOOK");

describe("clients of server-sent events", () => {
  it("share one execution for each event if their request and scopes are the same", async () => {
    const { events, made, listen } = await open();
    const start = await headOf(events);
    const kinds = ["calls:read", "calls:read", "calls:read people:read"];
    const readers = await Promise.all(kinds.map((scopes) => listen(scopes, start)));
    await append(events, "first");
    await until(() => readers.every(({ received }) => received().length === 1));
    const before = made.contexts.length;
    await append(events, "second", LARGE);
    await until(() => readers.every(({ received }) => received().length === 2));
    expect(made.contexts.length).toBe(before + 2);
    expect(readers.map(({ received }) => received()[1]?.["callee"])).toEqual([
      "138****0001",
      "138****0001",
      "13800010001",
    ]);
    for (const { blocks, received } of readers) {
      expect(received().map(({ sessionId }) => sessionId)).toEqual(["first", "second"]);
      expect(blocks()[0]).toBe(":");
    }
  });

  it("share one execution, too, if they accept other types beside server-sent events", async () => {
    const { events, made, listen } = await open();
    const start = await headOf(events);
    const accepts = ["text/event-stream", "application/json, text/event-stream, multipart/mixed"];
    const readers = await Promise.all(accepts.map((accept) => listen("calls:read", start, accept)));
    await append(events, "first");
    await until(() => readers.every(({ received }) => received().length === 1));
    const before = made.contexts.length;
    await append(events, "second");
    await until(() => readers.every(({ received }) => received().length === 2));
    expect(made.contexts.length).toBe(before + 1);
  });

  it("miss nothing after they did not read, and delay nobody meanwhile", async () => {
    const { events, listen } = await open();
    const start = await headOf(events);
    const [slow, quick] = [await listen("calls:read", start), await listen("calls:read", start)];
    await append(events, "first");
    await until(() => slow.received().length === 1 && quick.received().length === 1);
    slow.response.pause();
    const ids = names(0, 100);
    for (const id of ids) await append(events, id, LARGE);
    await until(() => quick.received().length === 101);
    slow.response.resume();
    await until(() => slow.received().length === 101);
    expect(slow.received().map(({ sessionId }) => sessionId)).toEqual(["first", ...ids]);
    await append(events, "together");
    await until(() => slow.received().length === 102 && quick.received().length === 102);
  });

  it("go on when one of them disconnects", async () => {
    const { events, made, listen } = await open();
    const start = await headOf(events);
    const [first, second] = [await listen("calls:read", start), await listen("calls:read", start)];
    await append(events, "before");
    await until(() => first.received().length === 1 && second.received().length === 1);
    first.request.destroy();
    await until(() => made.subscribers.running() === 1);
    await append(events, "after");
    await until(() => second.received().length === 2);
    expect(second.received().map(({ sessionId }) => sessionId)).toEqual(["before", "after"]);
  });

  it("get one result and the end if the subscription cannot start", async () => {
    const { listen } = await open();
    const { response, blocks } = await listen("calls:read", "forged");
    await once(response, "end");
    expect(blocks().map((block) => block.split("\n")[0])).toEqual([":", "event: next", "event: complete"]);
    expect(blocks()[1]).toContain("CURSOR_INVALID");
  });
});
