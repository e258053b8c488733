// Texts of all languages in a message: its length and its signature are those of the bytes that the receiver reads.
import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished } from "vitest";
import { createEventDeliverer } from "../../src/destinations/eventDeliverer.ts";
import { createHttpSender } from "../../src/destinations/httpSender.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { SECRET, startReceiver } from "./receiver.ts";
import { destination, TAKEN } from "./world.ts";

// Characters were counted in place of bytes: https://github.com/WebexSamples/hookbuster/issues/7, https://github.com/octokit/webhooks.js/issues/1155,
// and bodies in chunks arrived empty: https://github.com/bogkonstantin/android_income_sms_gateway_webhook/issues/97
it("A message of any text arrives whole, with its length and a signature that its receiver verifies", async () => {
  const receiver = await startReceiver();
  const [hostname = "", port] = receiver.host.split(":");
  const rules = createHostRules([{ host: hostname, port: Number(port) }], [], "DESTINATION_HOSTS");
  const sender = createHttpSender({ rules });
  onTestFinished(() => sender[Symbol.asyncDispose]());
  let said = "";
  const deliverer = createEventDeliverer(destination({ url: receiver.url }), {
    send: sender.send,
    readEvent: async () => ({ id: "event-1", data: { said } }),
    clock: Date.now,
  });
  const event = { sessionId: "a", revision: 1, receivedAt: "2026-11-20T09:30:00.000Z", seq: 1, importedEnd: null };
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("您好 😀", "\u2028\u2029", "\ud800", "é\u0301\0"),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      said = text;
      const made = await deliverer.deliver(event, new AbortController().signal);
      expect(made).toEqual({ ...TAKEN, status: 204 });
      const { body = "", headers = {} } = receiver.messages.at(-1) ?? {};
      expect(new Webhook(SECRET).verify(body, headers as Record<string, string>)).toMatchObject({ data: { said } });
      expect([headers["content-length"], headers["transfer-encoding"]]).toEqual([
        String(Buffer.byteLength(body)),
        undefined,
      ]);
    }),
    { numRuns: 60 },
  );
});
