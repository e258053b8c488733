// An alert as destinations get it: an event that is signed by Standard Webhooks, or a text for Slack.
import type { SignedMessage } from "./signature.ts";
import { signedHeaders } from "./signature.ts";
import type { HttpMessage } from "./httpSender.ts";

export interface AlertMessage {
  /** Always the same for a notice. */
  id: string;
  /** RFC 3339. */
  at: string;
  data: object;
  /** What people read. */
  text: string;
  /** Where the console shows it. Null: nobody said where that is. */
  url: string | null;
}

const JSON_HEADERS = { "content-type": "application/json", "user-agent": "switchboard" };

export function eventMessage(
  { id, at, data }: AlertMessage,
  { url, secrets, now }: { url: string; secrets: readonly string[]; now: number },
): HttpMessage {
  const signed: SignedMessage = { id, at: now, body: JSON.stringify({ type: "alert", timestamp: at, data }) };
  return { url, headers: { ...JSON_HEADERS, ...signedHeaders(signed, secrets) }, body: signed.body };
}

/** Slack cuts longer texts. */
const MAX_TEXT = 3000;

export const slackMessage = ({ text, url: link }: AlertMessage, url: string): HttpMessage => ({
  url,
  headers: JSON_HEADERS,
  body: JSON.stringify({ text: slackText(text, link) }),
});

const TESTS = {
  en: "A test: this chat gets Switchboard's alerts.",
  zh: "测试：此聊天将收到 Switchboard 的告警。",
} as const;

export const slackTest = ({ url, language }: { url: string; language: keyof typeof TESTS }): HttpMessage => ({
  url,
  headers: JSON_HEADERS,
  body: JSON.stringify({ text: TESTS[language] }),
});

/** In a text for Slack &, < and > are control characters: <!channel> would call everybody. */
export function slackText(text: string, link: string | null): string {
  const suffix = link === null ? "" : `\n<${escaped(link)}>`;
  let shown = "";
  for (const character of text.toWellFormed()) {
    const next = escaped(character);
    if (shown.length + next.length + suffix.length > MAX_TEXT - 1) return `${shown}…${suffix}`;
    shown += next;
  }
  return shown + suffix;
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
