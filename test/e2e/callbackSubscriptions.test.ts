import { describe, expect, it, onTestFinished } from "vitest";
import { NO_SERVICE, spawnGateway, startGateway } from "../support/gateway.ts";
import {
  answerStatus,
  confirm,
  deliver,
  errorOf,
  startCallbackReceiver,
  subscribeByCallback,
  subscribers,
  VERIFIER,
  type CallbackReceiver,
} from "../support/network/callbackReceiver.ts";
import { until } from "../support/until.ts";

const PATH = "/callback";

async function startReceiver(): Promise<CallbackReceiver> {
  const receiver = await startCallbackReceiver();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
}

async function open(env: Record<string, string> = {}) {
  const receiver = await startReceiver();
  const allowed = { FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS: `${receiver.url}${PATH}` };
  const gateway = await startGateway(NO_SERVICE, { ...allowed, ...env });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  return { receiver, gateway, callbackUrl: `${receiver.url}${PATH}/one` };
}

const sessions = (receiver: CallbackReceiver) =>
  receiver.of("next").map(({ payload }) => payload?.data?.["callEnded"]?.sessionId);

describe("A subscription by HTTP callback", () => {
  it("is confirmed, answered, and gets each event once and in order", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    const response = await subscribeByCallback(gateway.url, { callbackUrl });
    expect([response.status, await response.json()]).toEqual([200, { data: null }]);
    expect(response.headers.get("subscription-protocol")).toBe("callback/1.0");
    expect(receiver.messages).toEqual([{ kind: "subscription", action: "check", id: "one", verifier: VERIFIER }]);
    expect(await subscribers(gateway)).toBe(1);
    const events = [await deliver(gateway), ...(await Promise.all(Array.from({ length: 9 }, () => deliver(gateway))))];
    await until(() => receiver.of("next").length === 10);
    expect(sessions(receiver).slice(0, 1)).toEqual(events.slice(0, 1));
    expect(new Set(sessions(receiver))).toEqual(new Set(events));
    const cursors = receiver.of("next").map(({ payload }) => payload?.data?.["callEnded"]?.cursor ?? "");
    expect(cursors).toEqual(cursors.toSorted());
    expect(receiver.of("next")[0]).toMatchObject({ kind: "subscription", id: "one", verifier: VERIFIER });
    receiver.answerWith(answerStatus(404));
    await deliver(gateway);
    await until(async () => (await subscribers(gateway)) === 0);
    expect(gateway.output.join("\n")).not.toContain(VERIFIER);
  });

  it("goes on after a cursor", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    const events = [await deliver(gateway), await deliver(gateway)];
    const variables = { after: data?.callEndedEvents.headCursor };
    await subscribeByCallback(gateway.url, { callbackUrl, variables });
    await until(() => receiver.of("next").length === 2);
    events.push(await deliver(gateway));
    await until(() => receiver.of("next").length === 3);
    expect(sessions(receiver)).toEqual(events);
  });

  it("is refused with the answers of the pipeline, before the router is called", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    const ask = async (query: string) => errorOf(await subscribeByCallback(gateway.url, { callbackUrl, query }));
    expect(await ask("subscription { callEnded { nothing } }")).toMatchObject({ code: "GRAPHQL_VALIDATION_FAILED" });
    expect(await ask("{ viewer { name } }")).toMatchObject({
      status: 400,
      message: "Only a subscription has a callbackUrl.",
    });
    expect(receiver.requests).toEqual([]);
    const invalid = { callbackUrl, variables: { after: "nonsense" } };
    expect(await errorOf(await subscribeByCallback(gateway.url, invalid))).toMatchObject({ code: "CURSOR_INVALID" });
    expect(await subscribers(gateway)).toBe(0);
  });

  it("is refused without a list of addresses, and for an address that is not on it", async () => {
    const { receiver, gateway } = await open();
    const evil = await startReceiver();
    const callbackUrl = `${evil.url}${PATH}/one`;
    expect(await errorOf(await subscribeByCallback(gateway.url, { callbackUrl }))).toEqual({
      status: 400,
      code: "BAD_USER_INPUT",
      message: "callbackUrl is not below an address of SUBSCRIPTION_CALLBACK_URLS.",
    });
    await using closed = await startGateway(NO_SERVICE, { FEDERATION: "on" });
    const refused = await errorOf(await subscribeByCallback(closed.url, { callbackUrl }));
    expect(refused).toMatchObject({ status: 400, code: "BAD_USER_INPUT" });
    expect(refused.message).toMatch(/^The gateway calls no router: SUBSCRIPTION_CALLBACK_URLS is not set\./);
    expect([...evil.requests, ...receiver.requests]).toEqual([]);
  });

  it("is refused if the router does not confirm it with 204", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    const ask = async () => errorOf(await subscribeByCallback(gateway.url, { callbackUrl }));
    const refusal = (reason: string) => ({
      status: 400,
      code: "BAD_USER_INPUT",
      message: `The router did not confirm the subscription with 204: ${reason}.`,
    });
    receiver.answerWith(answerStatus(404));
    expect(await ask()).toEqual(refusal("answered 404"));
    receiver.answerWith(answerStatus(200));
    expect(await ask()).toEqual(refusal("answered 200"));
    receiver.answerWith(answerStatus(302, { location: `${receiver.url}${PATH}/other` }));
    expect(await ask()).toEqual(refusal("answered 302"));
    await receiver[Symbol.asyncDispose]();
    expect(await ask()).toEqual(refusal("unreached"));
    expect(new Set(receiver.requests)).toEqual(new Set([`POST ${PATH}/one`]));
    expect(await subscribers(gateway)).toBe(0);
  });

  it("is refused while one with its address and ID is running", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    expect((await subscribeByCallback(gateway.url, { callbackUrl })).status).toBe(200);
    expect(await errorOf(await subscribeByCallback(gateway.url, { callbackUrl }))).toMatchObject({ status: 400 });
    expect((await subscribeByCallback(gateway.url, { callbackUrl, id: "two" })).status).toBe(200);
    await deliver(gateway);
    await until(() => receiver.of("next").length === 2);
    expect(
      receiver
        .of("next")
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["one", "two"]);
  });

  it("gets a check twice in each interval, and ends with the router's 404", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    const startedAt = performance.now();
    await subscribeByCallback(gateway.url, { callbackUrl, heartbeatIntervalMs: 1000 });
    await until(() => receiver.of("check").length === 5);
    expect(performance.now() - startedAt).toBeGreaterThan(1900);
    expect(receiver.messages.every(({ action }) => action === "check")).toBe(true);
    receiver.answerWith(answerStatus(404));
    await until(async () => (await subscribers(gateway)) === 0);
  });

  it("ends with an error when a result may have been taken, and misses nothing if it resumes after the last cursor", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    await subscribeByCallback(gateway.url, { callbackUrl });
    const events = [await deliver(gateway)];
    await until(() => receiver.of("next").length === 1);
    receiver.answerWith((message, response) =>
      message.action === "next" ? void response.destroy() : confirm(message, response),
    );
    events.push(await deliver(gateway), await deliver(gateway));
    const [last] = await until(() => receiver.of("complete").length > 0 && receiver.of("complete"));
    expect(last?.errors).toMatchObject([{ extensions: { code: "SUBSCRIPTION_INTERRUPTED" } }]);
    expect(sessions(receiver)).toEqual(events.slice(0, 2));
    await until(async () => (await subscribers(gateway)) === 0);
    receiver.answerWith(confirm);
    const after = receiver.of("next").at(-1)?.payload?.data?.["callEnded"]?.cursor;
    await subscribeByCallback(gateway.url, { callbackUrl, variables: { after } });
    await until(() => receiver.of("next").length === 3);
    expect(sessions(receiver)).toEqual(events);
    expect(
      await gateway.line(({ msg }) => msg === "Subscriptions ended, because a router took no message"),
    ).toMatchObject({ reasons: { unanswered: 1 } });
  });

  it("does not begin if the router leaves before the answer", async () => {
    const { receiver, gateway, callbackUrl } = await open();
    const leave = new AbortController();
    receiver.answerWith(() => leave.abort());
    const left = subscribeByCallback(gateway.url, { callbackUrl, signal: leave.signal });
    await expect(left).rejects.toThrow(/abort/i);
    receiver.answerWith(confirm);
    await until(async () => (await subscribeByCallback(gateway.url, { callbackUrl })).status === 200);
    expect(await subscribers(gateway)).toBe(1);
  });

  it("is counted by its transport", async () => {
    const { gateway, callbackUrl } = await open({ METRICS_PORT: "0" });
    const { port } = await gateway.line(({ msg }) => msg === "metrics are served");
    await subscribeByCallback(gateway.url, { callbackUrl });
    const text = await (await fetch(`http://127.0.0.1:${String(port)}/metrics`)).text();
    expect(text).toContain('switchboard_operations_total{transport="callback",kind="subscription",code="OK"} 1\n');
  });

  it("is told that the gateway stops, and a stopping gateway takes no new one", async () => {
    const receiver = await startReceiver();
    const callbackUrl = `${receiver.url}${PATH}/one`;
    const env = { FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS: receiver.url, DRAIN_SECONDS: "10" };
    await using gateway = await spawnGateway(NO_SERVICE, env);
    await subscribeByCallback(gateway.url, { callbackUrl });
    const held = Promise.withResolvers<void>();
    receiver.answerWith((message, response) => void held.promise.then(() => confirm(message, response)));
    gateway.process.kill("SIGTERM");
    const [last] = await until(() => receiver.of("complete").length > 0 && receiver.of("complete"));
    expect(last?.errors).toMatchObject([
      {
        message: "The gateway is stopping. Subscribe again after the last cursor.",
        extensions: { code: "SUBSCRIPTION_INTERRUPTED" },
      },
    ]);
    const refused = await subscribeByCallback(gateway.url, { callbackUrl, id: "two" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    held.resolve();
    await gateway.exited;
  });
});
