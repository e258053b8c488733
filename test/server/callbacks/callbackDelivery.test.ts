import type { ServerResponse } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { CALLBACK_LIMITS, CONNECTION_LIMITS } from "../../../src/config/limits.ts";
import { createCallbackClient } from "../../../src/server/callbacks/callbackClient.ts";
import { createCallbackDelivery } from "../../../src/server/callbacks/callbackDelivery.ts";
import {
  answerStatus,
  confirm,
  startCallbackReceiver,
  VERIFIER,
  type CallbackMessage,
} from "../../support/network/callbackReceiver.ts";
import { freePort } from "../../support/network/freePort.ts";
import { until } from "../../support/until.ts";

const RETRIES_MS = [1, 20, 200];
/** Longer, as in CALLBACK_LIMITS. */
const LAST_RETRIES_MS = [1, 1, 1, 1, 1];

/** `answerMs` only ends what hangs, unless the test waits for it. */
async function open({
  url,
  mayDeliver = () => true,
  answerMs = 60_000,
}: { url?: string; mayDeliver?: () => boolean; answerMs?: number } = {}) {
  const parts = new AsyncDisposableStack();
  onTestFinished(() => parts.disposeAsync());
  const receiver = parts.use(await startCallbackReceiver());
  const client = parts.use(createCallbackClient({ ...CALLBACK_LIMITS, answerMs }));
  const ends: string[] = [];
  const stop = new AbortController();
  parts.defer(() => stop.abort());
  const deps = {
    target: { url: `${url ?? receiver.url}/callback/one`, id: "one", verifier: VERIFIER, heartbeatMs: 0 },
    post: client.post,
    mayDeliver,
    onGone: () => void ends.push("gone"),
    onBroken: (reason: string) => void ends.push(reason),
    signal: stop.signal,
  };
  const delivery = createCallbackDelivery(deps, { retriesMs: RETRIES_MS, lastRetriesMs: LAST_RETRIES_MS });
  const next = (number: number) => delivery.next(Buffer.from(JSON.stringify({ data: { number } })));
  const numbers = () => receiver.of("next").map(({ payload }) => payload?.data?.["number"] as unknown);
  return { receiver, delivery, ends, next, numbers, stop };
}

/** Answers each of the first messages in its own way, and confirms the later ones. */
function inTurn(...answers: ((message: CallbackMessage, response: ServerResponse) => void)[]) {
  return (message: CallbackMessage, response: ServerResponse) => (answers.shift() ?? confirm)(message, response);
}

describe("The messages of a callback subscription", () => {
  it("carry kind, action, ID, verifier and the protocol's version, as JSON", async () => {
    const { receiver, delivery, next } = await open();
    await next(1);
    delivery.check();
    await until(() => receiver.messages.length === 2);
    await delivery.complete(Buffer.from('[{"message":"over"}]'));
    const base = { kind: "subscription", id: "one", verifier: VERIFIER };
    expect(receiver.messages).toEqual([
      { ...base, action: "next", payload: { data: { number: 1 } } },
      { ...base, action: "check" },
      { ...base, action: "complete", errors: [{ message: "over" }] },
    ]);
    expect(new Set(receiver.requests)).toEqual(new Set(["POST /callback/one"]));
    for (const headers of receiver.headers)
      expect(headers).toMatchObject({ "subscription-protocol": "callback/1.0", "content-type": "application/json" });
    expect(receiver.headers.every((headers) => !("authorization" in headers))).toBe(true);
  });

  it("arrive one at a time and in order, checks before results that wait", async () => {
    const { receiver, delivery, numbers } = await open();
    let inFlight = 0;
    const most: number[] = [];
    receiver.answerWith((message, response) => {
      most.push((inFlight += 1));
      setImmediate(() => {
        inFlight -= 1;
        confirm(message, response);
      });
    });
    const shared = Array.from({ length: 10 }, (_, number) => ({
      cursor: String(number),
      payload: Buffer.from(`{"data":{"number":${number}}}`),
    }));
    expect(delivery.sendResults(shared)).toBe(true);
    delivery.check();
    delivery.check();
    await until(() => receiver.messages.length === 11);
    expect(numbers()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(receiver.messages.map(({ action }) => action).slice(0, 3)).toEqual(["next", "check", "next"]);
    expect(Math.max(...most)).toBe(1);
  });

  it("are not taken from a group while too many bytes wait", async () => {
    const { receiver, delivery } = await open();
    const held = Promise.withResolvers<void>();
    receiver.answerWith((message, response) => void held.promise.then(() => confirm(message, response)));
    const large = { cursor: "1", payload: Buffer.from(`{"data":"${"a".repeat(CONNECTION_LIMITS.unsentBytes)}"}`) };
    expect(delivery.sendResults([large])).toBe(true);
    expect(delivery.sendResults([large])).toBe(true);
    expect(delivery.sendResults([large])).toBe(false);
    held.resolve();
    await until(() => receiver.messages.length === 2 && delivery.sendResults([large]));
  });

  it.each([429, 503])("are sent again in order after %i, which says that they were not taken", async (status) => {
    const { receiver, next, numbers, ends } = await open();
    receiver.answerWith(inTurn(answerStatus(status), answerStatus(status)));
    await Promise.all([next(1), next(2)]);
    expect(numbers()).toEqual([1, 1, 1, 2]);
    expect(ends).toEqual([]);
  });

  it("are sent again in order when the router cannot be reached, and then end", async () => {
    const { next, ends } = await open({ url: `http://127.0.0.1:${await freePort()}` });
    const startedAt = performance.now();
    await next(1);
    expect(ends).toEqual(["unreached"]);
    expect(performance.now() - startedAt).toBeGreaterThan(220);
  });

  it.each<[string, Parameters<typeof inTurn>[0], string, number?]>([
    ["an error", answerStatus(500), "answered 500"],
    ["no answer in time", () => undefined, "unanswered", 2000],
    ["a broken connection", (_, response) => void response.destroy(), "unanswered"],
    ["a refusal", answerStatus(400), "answered 400"],
    ["a redirect, which is not followed", answerStatus(307, { location: "/elsewhere" }), "answered 307"],
  ])("are not sent again after %s: the router may have taken the result", async (_, answer, reason, answerMs) => {
    const { receiver, delivery, next, numbers, ends } = await open(answerMs === undefined ? {} : { answerMs });
    receiver.answerWith(inTurn(answer));
    await next(1);
    expect(ends).toEqual([reason]);
    expect(numbers()).toEqual([1]);
    await delivery.complete(Buffer.from("[]"));
    expect(receiver.messages.at(-1)?.action).toBe("complete");
    expect(new Set(receiver.requests)).toEqual(new Set(["POST /callback/one"]));
  });

  it("are given up after a limit of repeats, which is higher for the last message", async () => {
    const { receiver, delivery, next } = await open();
    receiver.answerWith(answerStatus(503));
    await next(1);
    await delivery.complete(Buffer.from("[]"));
    expect(receiver.of("next")).toHaveLength(1 + RETRIES_MS.length);
    expect(receiver.of("complete")).toHaveLength(1 + LAST_RETRIES_MS.length);
  });

  it("are repeated after any failure if they are no results, because that changes nothing", async () => {
    const { receiver, delivery, ends } = await open();
    receiver.answerWith(inTurn(answerStatus(500), (_, response) => void response.destroy()));
    delivery.check();
    await until(() => receiver.of("check").length === 3);
    receiver.answerWith(inTurn(answerStatus(502)));
    await delivery.complete(null);
    expect(receiver.of("complete")).toHaveLength(2);
    expect(ends).toEqual([]);
  });

  it("end with 404: nothing is sent any more", async () => {
    const { receiver, delivery, next, ends } = await open();
    receiver.answerWith(inTurn(answerStatus(404)));
    await Promise.all([next(1), next(2)]);
    delivery.check();
    expect(delivery.sendResults([])).toBe(false);
    await delivery.complete(null);
    expect(ends).toEqual(["gone"]);
    expect(receiver.messages).toHaveLength(1);
  });

  it("end with the last one: results that wait are left out, and the one on its way is not overtaken", async () => {
    const { receiver, delivery, next, numbers } = await open();
    const held = Promise.withResolvers<void>();
    receiver.answerWith((message, response) => void held.promise.then(() => confirm(message, response)));
    const sent = [next(1), next(2)];
    await until(() => receiver.messages.length === 1);
    const completed = [delivery.complete(null), delivery.complete(Buffer.from("[]"))];
    held.resolve();
    await Promise.all([...sent, ...completed, next(3)]);
    expect(numbers()).toEqual([1]);
    expect(receiver.messages.map(({ action, errors }) => [action, errors])).toEqual([
      ["next", undefined],
      ["complete", undefined],
    ]);
  });

  it("hold no result of a viewer who has lost access meanwhile", async () => {
    let mayDeliver = true;
    const { receiver, next, numbers, ends } = await open({ mayDeliver: () => mayDeliver });
    receiver.answerWith((message, response) => {
      mayDeliver = false;
      answerStatus(503)(message, response);
    });
    await Promise.all([next(1), next(2)]);
    expect(numbers()).toEqual([1]);
    expect(ends).toEqual([]);
  });

  it("do not wait for the rest of an endless answer", async () => {
    const { receiver, next, numbers } = await open();
    receiver.answerWith((_, response) => {
      response.writeHead(200);
      const more = () => response.destroyed || response.write("a".repeat(8192), () => setImmediate(more));
      more();
    });
    await Promise.all([next(1), next(2)]);
    expect(numbers()).toEqual([1, 2]);
  });
});
