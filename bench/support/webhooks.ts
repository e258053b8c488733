// Creates webhook requests as bytes, each for a different call.
import { callEndedEvent } from "../../test/support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { postBytes } from "./connection.ts";

export interface Webhooks {
  /** Creates a webhook and returns its bytes. */
  next: () => Buffer;
  /** Creates a webhook and returns its session id. */
  make: () => string;
  /** The bytes of an earlier webhook. */
  of: (id: string) => Buffer;
  /** Session ids of all webhooks so far, in order. */
  sent: string[];
}

/** Writes each id into a copy of a template, because building a webhook from its fields costs more than sending it. */
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
