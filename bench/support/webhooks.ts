// Webhooks in bytes, each of a call of its own.
import { callEndedEvent } from "../../test/support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { postBytes } from "./line.ts";

export interface Webhooks {
  next: () => Buffer;
  /** Session ids so far, in order. */
  sent: string[];
}

/** Made by writing a new id over a copy: building each from its fields would cost more than sending it. */
export function createWebhooks(): Webhooks {
  const idOf = (number: number) => `bench-${String(number).padStart(10, "0")}`;
  const template = postBytes(
    "/calllog",
    WEBHOOK_AUTHORIZATION,
    JSON.stringify(callEndedEvent({ session_id: idOf(0) })),
  );
  const place = template.indexOf(idOf(0));
  const sent: string[] = [];
  return {
    sent,
    next() {
      const id = idOf(sent.length);
      sent.push(id);
      const bytes = Buffer.from(template);
      bytes.write(id, place, "latin1");
      return bytes;
    },
  };
}
