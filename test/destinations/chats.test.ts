// The robots of groups: what they are sent, and what their answers mean. They answer 200 to what they refuse.
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { chatKinds, chatMessage, chatText, type Chat, type ChatKind } from "../../src/destinations/alerts/chats.ts";
import { createHttpSender, type HttpMessage, type SenderLimits } from "../../src/destinations/httpSender.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { startReceiver, status, type Receiver } from "./receiver.ts";

const SECRET = "SECcanary0123456789";
const NOW = 1_795_837_048_164;
const LINK = "https://calls.example.com/tasks?task=7";
const said = { text: "Task 7 is late.", link: LINK, now: NOW };
const made = (chat: Partial<Chat>) => {
  const { url, body } = chatMessage({ kind: "slack", url: "https://chat.example/send?key=a", ...chat }, said);
  return { url, body: JSON.parse(String(body)) as object };
};

describe("A message", () => {
  const content = `Switchboard: Task 7 is late.\n${LINK}`;
  const text = { msgtype: "text", text: { content } };

  it("for Slack is a text with a link", () => {
    expect(made({})).toEqual({ url: "https://chat.example/send?key=a", body: { text: `Task 7 is late.\n<${LINK}>` } });
  });

  it("for DingTalk, Feishu and WeCom begins with a word that the group can choose as the robot's keyword", () => {
    expect(made({ kind: "dingtalk" }).body).toEqual(text);
    expect(made({ kind: "wecom" }).body).toEqual(text);
    expect(made({ kind: "feishu" }).body).toEqual({ msg_type: "text", content: { text: content } });
  });

  // The signatures were computed with Python's hmac, as the makers of the robots show it.
  it("for DingTalk is signed in its address, in place of a signature that was copied with it", () => {
    const copied = "https://oapi.dingtalk.com/robot/send?access_token=a%2Bb&timestamp=1&sign=old";
    const url = new URL(made({ kind: "dingtalk", url: copied, secret: SECRET }).url);
    expect([...url.searchParams]).toEqual([
      ["access_token", "a+b"],
      ["timestamp", "1795837048164"],
      ["sign", "XyRPWEMfI2Shj50szkfIPnRwXW30DRIUE+HuRGIEXxI="],
    ]);
    expect(url.search).toContain("sign=XyRPWEMfI2Shj50szkfIPnRwXW30DRIUE%2BHuRGIEXxI%3D");
  });

  it("for Feishu is signed in its body, with seconds", () => {
    expect(made({ kind: "feishu", secret: SECRET }).body).toEqual({
      timestamp: "1795837048",
      sign: "SGc7ZdD0IphlxMVDcodt1PuZe8AzD/o7qHQRnmRbXWA=",
      msg_type: "text",
      content: { text: content },
    });
  });

  // https://github.com/Arvo-AI/aurora/pull/615; https://github.com/ericferon/glpi-webhook/issues/17 calls all by <at>
  it("calls nobody and makes up no link", () => {
    const hostile = '<!channel> & <https://x|here> <at user_id="all">all</at> <@all>';
    expect(chatText("slack", hostile, null)).toBe(
      '&lt;!channel&gt; &amp; &lt;https://x|here&gt; &lt;at user_id="all"&gt;all&lt;/at&gt; &lt;@all&gt;',
    );
    for (const kind of ["dingtalk", "feishu", "wecom"] as const)
      expect(chatText(kind, hostile, null)).not.toContain("<");
  });

  // https://github.com/target/goalert/pull/2178, https://github.com/traceroot-ai/traceroot/issues/2028
  it("of any length has at most 2,048 bytes, whole characters and its whole link", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 3000 }),
      fc.constantFrom("&", "<", "文", "😀", "\ud800").map((one) => one.repeat(3000)),
    );
    const check = (kind: ChatKind, text: string, hasLink: boolean) => {
      const shown = chatText(kind, text, hasLink ? LINK : null);
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(2048);
      expect(shown.isWellFormed()).toBe(true);
      if (hasLink) expect(shown.endsWith(kind === "slack" ? `\n<${LINK}>` : `\n${LINK}`)).toBe(true);
    };
    fc.assert(fc.property(fc.constantFrom(...chatKinds), texts, fc.boolean(), check));
  });

  it.each(["&", "<", "文", "😀"])("that is cut says so, and not in the middle of a character: %s", (character) => {
    for (const kind of chatKinds)
      expect(chatText(kind, character.repeat(3000), LINK)).toMatch(/(&amp;|&lt;|＜|&|文|😀)…\n<?https:\/\/[^ ]*>?$/u);
  });
});

function sender({ host }: Receiver, limits?: SenderLimits) {
  const [name = "", port = ""] = host.split(":");
  const rules = createHostRules([{ host: name, port: Number(port) }], [], "DESTINATION_HOSTS");
  const made = createHttpSender({ rules, ...(limits && { limits }) });
  onTestFinished(() => made[Symbol.asyncDispose]());
  return (message: HttpMessage) => made.send(message, new AbortController().signal);
}

/** What a robot's answer of 200 comes to. */
async function answered(kind: ChatKind, body: string, headers: Record<string, string> = {}) {
  const receiver = await startReceiver(status(200, headers, body));
  return sender(receiver)(chatMessage({ kind, url: receiver.url }, said));
}

describe("An answer of 200", () => {
  it.each<[ChatKind, string]>([
    ["slack", "ok"],
    ["slack", ""],
    ["slack", '{"ok":true}'],
    ["slack", '{"code":200,"msg":"ok"}'],
    ["slack", "null"],
    ["dingtalk", '{"errcode":0,"errmsg":"ok"}'],
    ["dingtalk", '{"errmsg":"ok","errcode":"0"}'],
    ["feishu", '{"StatusCode":0,"StatusMessage":"success","code":0,"data":{},"msg":"success"}'],
    ["feishu", '{"Extra":null,"StatusCode":0,"StatusMessage":"success"}'],
    ["wecom", '{"errcode":0,"errmsg":"ok"}'],
  ])("of %s is a success with %s", async (kind, body) => {
    expect(await answered(kind, body)).toEqual({ outcome: "taken", status: 200 });
  });

  it.each([
    ["\ufeff", {}],
    ["", { "content-encoding": "identity" }],
    ["", { "content-encoding": "" }],
  ])("of WeCom is a success also behind the mark %j and with the headers %j", async (mark, headers) => {
    expect(await answered("wecom", `${mark}{"errcode":0}`, headers)).toMatchObject({ outcome: "taken" });
  });

  it("is read to its end, also where other answers are not waited for", async () => {
    const end = Promise.withResolvers<void>();
    const receiver = await startReceiver((_, response) => {
      response.write('{"errcode"');
      void end.promise.then(() => response.end(":0}"));
    });
    const send = sender(receiver, { connectMs: 60_000, answerMs: 60_000, bodyMs: 1, bodyBytes: 4096 });
    const late = send(chatMessage({ kind: "wecom", url: receiver.url }, said));
    expect(await send({ url: receiver.url, headers: {}, body: "{}" })).toMatchObject({ outcome: "taken" });
    end.resolve();
    expect(await late).toMatchObject({ outcome: "taken" });
  });

  it.each<[ChatKind, string]>([
    // Taken for delivered: https://github.com/oryx-labs/oryxos/issues/341, https://github.com/rustrak/rustrak/pull/297
    ["dingtalk", '{"errcode":310000,"errmsg":"keywords not in content"}'],
    // A clock that is an hour late: https://github.com/jenkinsci/dingtalk-plugin/issues/116
    ["dingtalk", '{"errcode":310000,"errmsg":"invalid timestamp"}'],
    // https://github.com/timonwong/prometheus-webhook-dingtalk/issues/226
    ["dingtalk", '{"errcode":300005,"errmsg":"token is not exist"}'],
    // A page of a proxy: https://github.com/timonwong/prometheus-webhook-dingtalk/issues/25
    ["dingtalk", "<html>Sign in to the network</html>"],
    ["dingtalk", "[]"],
    [
      "feishu",
      '{"code":19021,"msg":"sign match fail or timestamp is not within one hour from current time","data":{}}',
    ],
    ["feishu", '{"code":9499,"msg":"Bad Request","data":{}}'],
    ["feishu", '{"StatusCode":11232,"StatusMessage":"frequency limited"}'],
    // https://github.com/wes-lin/Cloud189Checkin/issues/175
    ["wecom", '{"errcode":93000,"errmsg":"invalid webhook url"}'],
    // https://github.com/AliyunContainerService/kube-eventer/issues/209
    ["wecom", '{"errcode":45009,"errmsg":"api freq out of limit"}'],
    ["wecom", '{"errmsg":"ok"}'],
    ["slack", '{"ok":false,"error":"channel_is_archived"}'],
  ])("of %s is a refusal with %s, which is shown", async (kind, body) => {
    expect(await answered(kind, body)).toMatchObject({ outcome: "failed", status: 200, text: body });
  });

  it.each([
    ["", {}],
    ["\u001f\u008b", { "content-encoding": "gzip" }],
  ])("of DingTalk without a text that can be read is no success", async (body, headers) => {
    const text = "The answer does not say that it was taken.";
    expect(await answered("dingtalk", body, headers)).toMatchObject({ outcome: "failed", text });
  });
});
