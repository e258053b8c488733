// Creates webhook requests as bytes, each for a different call.
import { callEndedEvent } from "../../test/support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { postBytes } from "./line.ts";

export interface Webhooks {
  /** The bytes of a new one. */
  next: () => Buffer;
  /** A new one's session id. */
  make: () => string;
  /** The bytes of one that was made. */
  of: (id: string) => Buffer;
  /** Session ids so far, in order. */
  sent: string[];
}

/** Made by writing an id over a copy: building each from its fields would cost more than sending it. */
export function createWebhooks(): Webhooks {
  const idOf = (number: number) => `bench-${String(number).padStart(10, "0")}`;
  const template = postBytes(
    "/calllog",
    WEBHOOK_AUTHORIZATION,
    JSON.stringify(callEndedEvent({ session_id: idOf(0) })),
  );
  const place = template.indexOf(idOf(0));
  const sent: string[] = [];
  const make = () => {
    const id = idOf(sent.length);
    sent.push(id);
    return id;
  };
  const of = (id: string) => {
    const bytes = Buffer.from(template);
    bytes.write(id, place, "latin1");
    return bytes;
  };
  return { sent, make, of, next: () => of(make()) };
}
