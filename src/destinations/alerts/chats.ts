// Chats: how a text is posted to the robot of a group, and how it says in an answer of 200 that it did not take the text.
import { createHmac } from "node:crypto";
import type { HttpMessage } from "../httpSender.ts";

export const chatKinds = ["slack", "dingtalk", "feishu", "wecom"] as const;
export type ChatKind = (typeof chatKinds)[number];

export interface Chat {
  kind: ChatKind;
  url: string;
  /** Signs each message, where the robot was told to ask for it. */
  secret?: string | undefined;
}

interface Kind {
  /** What stands for characters that would call everybody or make up a link. */
  escape: (text: string) => string;
  link: (url: string) => string;
  /** What stands before each text: a robot may take only messages with a word that its group has chosen. */
  begin: string;
  post: (text: string, signature: Signature | null, url: string) => { url: string; body: object };
  refuses: (answer: Readonly<Record<string, unknown>> | null) => boolean;
}
interface Signature {
  /** Epoch milliseconds of the attempt. Robots take signatures of the last hour. */
  at: number;
  secret: string;
}

const BEGIN = "Switchboard: ";
const plain = { link: (url: string) => url, begin: BEGIN, escape: (text: string) => text.replaceAll("<", "＜") };
const textBody = (content: string) => ({ msgtype: "text", text: { content } });
const isNotZero = (code: unknown) => code === undefined || code === null || code === "" || Number(code) !== 0;
const hmac = (key: string, text: string) => createHmac("sha256", key).update(text).digest("base64");

const kinds: Readonly<Record<ChatKind, Kind>> = {
  /** https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks. Programs that imitate it answer what they like. */
  slack: {
    escape: (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    link: (url) => `<${kinds.slack.escape(url)}>`,
    begin: "",
    post: (text, _, url) => ({ url, body: { text } }),
    refuses: (answer) => answer?.["ok"] === false || answer?.["success"] === false,
  },
  /** https://open.dingtalk.com/document/orgapp/custom-robots-send-group-messages */
  dingtalk: {
    ...plain,
    post: (text, signature, url) => ({ url: signature ? signedAddress(url, signature) : url, body: textBody(text) }),
    refuses: (answer) => isNotZero(answer?.["errcode"]),
  },
  /** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot. Lark is the same outside of China. */
  feishu: {
    ...plain,
    post: (text, signature, url) => ({
      url,
      body: { ...(signature && bodySignature(signature)), msg_type: "text", content: { text } },
    }),
    refuses: (answer) => isNotZero(answer?.["code"] ?? answer?.["StatusCode"]),
  },
  /** https://developer.work.weixin.qq.com/document/path/91770 */
  wecom: {
    ...plain,
    post: (text, _, url) => ({ url, body: textBody(text) }),
    refuses: (answer) => isNotZero(answer?.["errcode"]),
  },
};

function signedAddress(address: string, { at, secret }: Signature): string {
  const url = new URL(address);
  url.searchParams.set("timestamp", String(at));
  url.searchParams.set("sign", hmac(secret, `${at}\n${secret}`));
  return url.href;
}

function bodySignature({ at, secret }: Signature) {
  const timestamp = String(Math.floor(at / 1000));
  return { timestamp, sign: hmac(`${timestamp}\n${secret}`, "") };
}

/** The code of an answer must be readable. */
const HEADERS = { "content-type": "application/json", "user-agent": "switchboard", "accept-encoding": "identity" };

/** `now`: epoch milliseconds. */
export function chatMessage(
  { kind, url, secret }: Chat,
  { text, link, now }: { text: string; link: string | null; now: number },
): HttpMessage {
  const { post, refuses } = kinds[kind];
  const signature = secret === undefined ? null : { at: now, secret };
  const { body, ...to } = post(chatText(kind, text, link), signature, url);
  return {
    ...to,
    headers: HEADERS,
    body: JSON.stringify(body),
    refuses: (said) => refuses(objectOf(said)),
  };
}

/** Bytes of UTF-8: what the smallest of them takes, WeCom. */
const MAX_BYTES = 2048;
const bytesOf = (text: string) => Buffer.byteLength(text);

/** A text that calls nobody, and its link in a line of its own, which is never cut. */
export function chatText(kind: ChatKind, text: string, link: string | null): string {
  const { escape, begin, link: linkOf } = kinds[kind];
  const suffix = link === null ? "" : `\n${linkOf(link)}`;
  let shown = begin;
  let left = MAX_BYTES - bytesOf(`${begin}…${suffix}`);
  for (const character of text.toWellFormed()) {
    const next = escape(character);
    left -= bytesOf(next);
    if (left < 0) return `${shown}…${suffix}`;
    shown += next;
  }
  return shown + suffix;
}

function objectOf(said: string | null): Readonly<Record<string, unknown>> | null {
  try {
    const answer = JSON.parse((said ?? "").replace(/^\uFEFF/, "")) as unknown;
    return typeof answer === "object" ? (answer as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const ROBOTS: readonly (readonly [ChatKind, RegExp])[] = [
  ["dingtalk", /^oapi\.dingtalk\.com\/robot\/send$/],
  ["feishu", /^open\.(feishu\.cn|larksuite\.com)\/open-apis\/bot\//],
  ["wecom", /^qyapi\.weixin\.qq\.com\/cgi-bin\/webhook\/send$/],
];

/** The only kind that a robot at this address understands: it answers 200 to the others, too. Null: no robot is known there. */
export const kindAt = ({ hostname, pathname }: URL): ChatKind | null =>
  ROBOTS.find(([, address]) => address.test(hostname + pathname))?.[0] ?? null;
