import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { startIdentityProvider } from "../support/identityProvider.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import {
  answerStatus,
  confirm,
  deliver,
  ENDED,
  errorOf,
  startCallbackReceiver,
  subscribeByCallback,
  subscribers,
  type CallbackReceiver,
} from "../support/network/callbackReceiver.ts";
import { until } from "../support/until.ts";

describe("A viewer's subscription by HTTP callback", () => {
  const parts = new AsyncDisposableStack();
  const viewers = { ops: ["admin"], masked: ["calls:read"], web: ["calls:read", "people:read"], none: [] };
  let gateway: TestGateway;
  let receiver: CallbackReceiver;
  let provider: Awaited<ReturnType<typeof startIdentityProvider>>;
  let folder: string;
  beforeAll(async () => {
    provider = parts.use(await startIdentityProvider());
    receiver = parts.use(await startCallbackReceiver());
    folder = parts.use(await temporaryDirectory()).path;
    const allowed = { FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS: receiver.url };
    const API_KEYS_FILE = await writeKeys(folder, viewers);
    gateway = parts.use(await startGateway(NO_SERVICE, { ...allowed, API_KEYS_FILE, ...provider.env }));
  });
  afterAll(() => parts.disposeAsync());

  const running = () => subscribers(gateway, { authorization: bearer("ops") });
  const open = (id: string, authorization: string, query = ENDED) =>
    subscribeByCallback(gateway.url, { callbackUrl: `${receiver.url}/${id}`, id, authorization, query });
  const messagesOf = (name: string) => receiver.messages.filter(({ id }) => id === name);

  it("needs credentials and scopes, and masks what the viewer may not see", async () => {
    expect((await open("stranger", "Bearer wrong")).status).toBe(401);
    const callee = "subscription { callEnded { sessionId callee } }";
    expect(await errorOf(await open("none", bearer("none"), callee))).toMatchObject({ code: "FORBIDDEN" });
    expect(messagesOf("none")).toEqual([]);
    await open("masked", bearer("masked"), callee);
    await open("web", bearer("web"), callee);
    await deliver(gateway);
    await until(() => messagesOf("masked").length + messagesOf("web").length === 4);
    const calleeOf = (name: string) => messagesOf(name).at(-1)?.payload?.data?.["callEnded"];
    expect(calleeOf("web")).toMatchObject({ callee: "+8613800010001" });
    expect(calleeOf("masked")).not.toMatchObject({ callee: "+8613800010001" });
    receiver.answerWith(answerStatus(404));
    await deliver(gateway);
    await until(async () => (await running()) === 0);
    receiver.answerWith(confirm);
  });

  it("ends with its token", async () => {
    const { exp } = await provider.openUntil(async (authorization) => {
      const { status } = await open("token", authorization);
      return status === 200 ? status : null;
    });
    await until(() => messagesOf("token").length === 2);
    expect(messagesOf("token").at(-1)).toMatchObject({
      action: "complete",
      errors: [{ extensions: { code: "UNAUTHENTICATED" } }],
    });
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp);
    await until(async () => (await running()) === 0);
  });

  it("ends when its key is removed", async () => {
    expect((await open("key", bearer("web"))).status).toBe(200);
    await writeKeys(folder, { ops: ["admin"] });
    await until(() => messagesOf("key").length === 2);
    expect(messagesOf("key").at(-1)).toMatchObject({ errors: [{ extensions: { code: "UNAUTHENTICATED" } }] });
    await until(async () => (await running()) === 0);
  });

  it.each([
    ["key", {}, "UNAUTHENTICATED"],
    ["scope", { web: ["calls:read"] }, "FORBIDDEN"],
  ])("does not begin without a %s that was taken while its router confirmed it", async (name, left, code) => {
    const id = `without-${name}`;
    const extra = "subscription { callEnded { sessionId extra } }";
    const scopesOf = async () => {
      const headers = { authorization: bearer("web") };
      const { status, data } = await gateway.ask<{ viewer: { scopes: string[] } }>(
        "{ viewer { scopes } }",
        {},
        headers,
      );
      return status === 401 ? [] : (data?.viewer.scopes ?? []);
    };
    await writeKeys(folder, viewers);
    await until(async () => (await scopesOf()).includes("people:read"));
    async function take(): Promise<void> {
      await writeKeys(folder, { ops: viewers.ops, ...left });
      await until(async () => !(await scopesOf()).includes("people:read"));
    }
    receiver.answerWith((message, response) => void take().then(() => confirm(message, response)));
    expect(await errorOf(await open(id, bearer("web"), extra))).toMatchObject({ code });
    expect(messagesOf(id).map(({ action }) => action)).toEqual(["check"]);
    expect(await running()).toBe(0);
    receiver.answerWith(confirm);
  });
});
