import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { createWebhookSender } from "../../sandbox/src/webhook/webhookSender.ts";
import { until } from "../support/until.ts";
import { openReceiver } from "./support.ts";

describe("createWebhookSender", () => {
  it("doubles its pauses up to a minute, stops after 60 attempts, and logs no phone number", async () => {
    await using receiver = await openReceiver();
    receiver.answerWith(() => 500);
    const pauses: number[] = [];
    const lines: string[] = [];
    // Records the pauses and skips them.
    const scheduler = {
      at: () => () => undefined,
      afterReal: (ms: number, step: () => void) => {
        pauses.push(ms);
        setImmediate(step);
        return () => undefined;
      },
      [Symbol.dispose]: () => undefined,
    };
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
    await using sender = createWebhookSender({ scheduler, real: () => 0, log });
    sender.setWebhook({ url: receiver.url, authorization: "hook secret" });
    await sender.send({ sessionId: "s1", body: '{"event_data":{"callee":"10000000001"}}' });
    await until(() => lines.length > 0);
    expect(receiver.received).toHaveLength(60);
    expect(pauses.slice(0, 8)).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/"sessionId":"s1".*Gave up/);
    expect(lines[0]).not.toMatch(/100000|secret/);
  });
});

describe("createWebhookSender under load", () => {
  it("delivers all of many events", async () => {
    await using receiver = await openReceiver();
    // A busy machine may answer an attempt too late: the next one is made at once.
    const afterReal = (_ms: number, step: () => void) => {
      setImmediate(step);
      return () => undefined;
    };
    const scheduler = { at: () => () => undefined, afterReal, [Symbol.dispose]: () => undefined };
    const log = createLogger({ level: "silent", secrets: [] });
    await using sender = createWebhookSender({ scheduler, real: () => 0, log });
    sender.setWebhook({ url: receiver.url, authorization: "x" });
    await Promise.all(Array.from({ length: 500 }, (_, index) => sender.send({ sessionId: `s${index}`, body: "{}" })));
    await until(() => {
      const delivered = sender.attempts.list().filter(({ status }) => status === 200);
      return new Set(delivered.map(({ sessionId }) => sessionId)).size === 500;
    });
    expect(receiver.received.length).toBeGreaterThanOrEqual(500);
  });
});
