import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import type { WebhookFaults } from "../../sandbox/src/webhook/webhookFaults.ts";
import type { Opened, Receiver } from "./support.ts";
import { startFakeService } from "../support/fakeService.ts";
import { until } from "../support/until.ts";
import { openReceiver, openSandbox } from "./support.ts";

async function openBoth(): Promise<{ service: Opened; receiver: Receiver } & AsyncDisposable> {
  const receiver = await openReceiver();
  const service = await openSandbox({ webhook: { url: receiver.url, authorization: "hook secret" } });
  const close = async () => {
    await service[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  };
  return { service, receiver, [Symbol.asyncDispose]: close };
}
/** An address where nobody listens any more. */
async function closedPort(): Promise<string> {
  const receiver = await openReceiver();
  await receiver[Symbol.asyncDispose]();
  return receiver.url;
}
const sessions = (receiver: Receiver) => receiver.received.map(({ data }) => String(data.session_id));

describe.concurrent("delivery of an event", () => {
  it("waits longer after each attempt, and stops at the first 200", async () => {
    await using both = await openBoth();
    both.receiver.answerWith((count) => (count < 3 ? 503 : 200));
    both.service.sandbox.control.endCall({ sessionId: "s1" });
    await until(() => both.service.sandbox.control.webhooks().length >= 3);
    const attempts = both.service.sandbox.control.webhooks();
    expect(attempts.map(({ sessionId, attempt, status }) => [sessionId, attempt, status])).toEqual([
      ["s1", 1, 503],
      ["s1", 2, 503],
      ["s1", 3, 200],
    ]);
    const pauses = attempts.slice(1).map(({ at }, index) => at - (attempts[index]?.at ?? 0));
    expect(pauses[0]).toBeGreaterThanOrEqual(950);
    expect(pauses[1]).toBeGreaterThanOrEqual(1950);
    expect(new Set(both.receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  it.each([204, 201, 404])("retries after a %i", async (status) => {
    await using both = await openBoth();
    both.receiver.answerWith((count) => (count === 1 ? status : 200));
    both.service.sandbox.control.endCall();
    await until(() => both.receiver.received.length >= 2);
    expect(new Set(both.receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  it("follows no redirects", async () => {
    await using both = await openBoth();
    await using elsewhere = await openReceiver();
    both.receiver.answerWith((count) => (count === 1 ? 307 : 200), { location: elsewhere.url });
    both.service.sandbox.control.endCall();
    await until(() => both.receiver.received.length >= 2);
    expect(elsewhere.received).toEqual([]);
  });

  it("ends with the sandbox, without an entry for the attempt that was not answered", async () => {
    const closed = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const server = createServer(({ socket }) => {
      socket.once("close", () => closed.resolve());
      asked.resolve();
    });
    await using receiver = await startFakeService(server);
    const service = await openSandbox({ webhook: { url: receiver.url, authorization: "hook secret" } });
    service.sandbox.control.endCall();
    await asked.promise;
    await service[Symbol.asyncDispose]();
    await closed.promise;
    expect(service.sandbox.control.webhooks()).toEqual([]);
  });

  it("retries if there is no answer within five seconds", async () => {
    await using both = await openBoth();
    both.receiver.answerWith((count) => (count === 1 ? 0 : 200));
    both.service.sandbox.control.endCall();
    await until(() => both.service.sandbox.control.webhooks().length >= 2);
    expect(both.service.sandbox.control.webhooks()).toMatchObject([
      { attempt: 1, status: null, error: "TimeoutError" },
      { attempt: 2, status: 200, error: null },
    ]);
  });

  it("retries if nobody listens, and uses a receiver set in between", async () => {
    await using receiver = await openReceiver();
    await using service = await openSandbox({ webhook: { url: await closedPort(), authorization: "a" } });
    service.sandbox.control.endCall();
    await until(() => service.sandbox.control.webhooks().length >= 1);
    expect(service.sandbox.control.webhooks()[0]).toMatchObject({ attempt: 1, status: null, error: "ECONNREFUSED" });
    service.sandbox.setWebhook({ url: receiver.url, authorization: "b" });
    await until(() => receiver.received.length >= 1);
    expect(receiver.received[0]?.authorization).toBe("b");
  });

  it("sends nothing without a webhook", async () => {
    await using service = await openSandbox();
    service.sandbox.control.endCall();
    expect(service.sandbox.control.webhooks()).toEqual([]);
    expect((await service.list()).total).toBe(1);
  });
});

describe("webhook faults", () => {
  const withFaults = async (faults: Partial<WebhookFaults>) => {
    const both = await openBoth();
    both.service.sandbox.control.setWebhookFaults(faults);
    return both;
  };

  it("repeat events", async () => {
    await using both = await withFaults({ copies: 3 });
    both.service.sandbox.control.endCall({ sessionId: "s1" });
    await until(() => both.receiver.received.length >= 3);
    expect(sessions(both.receiver)).toEqual(["s1", "s1", "s1"]);
  });

  it("delay events", async () => {
    await using both = await withFaults({ delayMs: 300 });
    const start = performance.now();
    both.service.sandbox.control.endCall();
    await until(() => both.receiver.received.length >= 1);
    expect(performance.now() - start).toBeGreaterThanOrEqual(295);
  });

  it("reorder events, and send the collected ones when reordering stops", async () => {
    await using both = await withFaults({ reorder: 8 });
    const asked = Array.from({ length: 10 }, (_, index) => `s${index}`);
    for (const sessionId of asked) both.service.sandbox.control.endCall({ sessionId });
    await until(() => both.receiver.received.length >= 8);
    expect(sessions(both.receiver)).not.toEqual(asked.slice(0, 8));
    expect(sessions(both.receiver).toSorted()).toEqual(asked.slice(0, 8));
    both.service.sandbox.control.resetWebhookFaults();
    await until(() => both.receiver.received.length >= 10);
    expect(sessions(both.receiver).toSorted()).toEqual(asked);
  });

  it("lose all events or some, while the list has the calls", async () => {
    await using both = await withFaults({ lose: 1 });
    const { control } = both.service.sandbox;
    control.endCall();
    control.setWebhookFaults({ lose: 0.5 });
    for (let count = 0; count < 100; count += 1) control.endCall();
    control.resetWebhookFaults();
    control.endCall({ sessionId: "last" });
    await until(() => sessions(both.receiver).includes("last"));
    await until(() => control.webhooks().length === both.receiver.received.length);
    expect(both.receiver.received.length).toBeGreaterThan(20);
    expect(both.receiver.received.length).toBeLessThan(80);
    expect((await both.service.list()).total).toBe(102);
  });

  it.each([
    ["notJson", /^\{"event_name":"call_ended","event_da.*[^}]$/],
    ["null", /^null$/],
    ["empty", /^$/],
    ["noEventData", /^\{"event_name":"call_ended"\}$/],
    ["noSessionId", /^\{"event_name":"call_ended","event_data":\{"callee"/],
  ] as const)("sends bodies that are wrong: %s", async (malformed, text) => {
    await using both = await withFaults({ malformed });
    both.service.sandbox.control.endCall();
    await until(() => both.receiver.received.length >= 1);
    expect(both.receiver.received[0]?.text).toMatch(text);
  });

  it("end one call without an event, and another without a row", async () => {
    await using both = await openBoth();
    const { control } = both.service.sandbox;
    control.endCall({ sessionId: "silent", webhook: false });
    control.endCall({ sessionId: "unlisted", listed: false });
    await until(() => sessions(both.receiver).includes("unlisted"));
    expect(sessions(both.receiver)).toEqual(["unlisted"]);
    expect((await both.service.list()).items.map(({ sessionId }) => sessionId)).toEqual(["silent"]);
  });
});
