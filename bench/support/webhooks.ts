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

/**
 * Writes each id into a copy of a template, because building a webhook from its fields costs more than sending it. `people`: the calls are to
 * so many numbers in turn, one call to each before the second.
 */
export function createWebhooks(people = 1): Webhooks {
  const idOf = (number: number) => `bench-${String(number).padStart(10, "0")}`;
  const template = postBytes(
    "/calllog",
    WEBHOOK_AUTHORIZATION,
    JSON.stringify(callEndedEvent({ session_id: idOf(0), ...(people > 1 && personOf(0)) })),
  );
  const place = template.indexOf(idOf(0));
  const places = Object.values(personOf(0)).map((text) => template.indexOf(text));
  const sent: string[] = [];
  const make = () => {
    const id = idOf(sent.length);
    sent.push(id);
    return id;
  };
  const of = (id: string) => {
    const bytes = Buffer.from(template);
    bytes.write(id, place, "latin1");
    if (people > 1) writePerson(bytes, Number(id.slice("bench-".length)) % people);
    return bytes;
  };
  const writePerson = (bytes: Buffer, number: number) => {
    for (const [at, text] of Object.values(personOf(number)).entries())
      bytes.write(text, places[at] as number, "latin1");
  };
  return { sent, make, of, next: () => of(make()) };
}

const personOf = (number: number) => ({
  callee: `+86138${String(number).padStart(8, "0")}`,
  task_item_id: `item-${String(number).padStart(8, "0")}`,
});
