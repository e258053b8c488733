// An alert as destinations get it: an event that is signed by Standard Webhooks, or a text for a chat (chats.ts).
import { JSON_HEADERS, type HttpMessage } from "../httpSender.ts";
import { signedHeaders, type SignedMessage } from "../signature.ts";

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

export function eventMessage(
  { id, at, data }: AlertMessage,
  { url, secrets, now }: { url: string; secrets: readonly string[]; now: number },
): HttpMessage {
  const signed: SignedMessage = { id, at: now, body: JSON.stringify({ type: "alert", timestamp: at, data }) };
  return { url, headers: { ...JSON_HEADERS, ...signedHeaders(signed, secrets) }, body: signed.body };
}

const TESTS = {
  en: "A test: this chat gets Switchboard's alerts.",
  zh: "测试：此聊天将收到 Switchboard 的告警。",
} as const;

export const testText = (language: keyof typeof TESTS): string => TESTS[language];
