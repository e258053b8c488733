// All readers of times: the service's, those of its lists and webhooks, and the arguments of clients.
import { assertScalarType } from "graphql";
import { times } from "../corpus/times.ts";
import { isInstant, observeTime } from "../../src/doctor/observe.ts";
import { createFieldReader } from "../../src/format/fieldReader.ts";
import { parseServiceTime } from "../../src/format/parseServiceTime.ts";
import { schema } from "../../src/schema/schema.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { callEndedEvent } from "../support/events.ts";
import { mutationsOf } from "./mutations.ts";
import type { Target } from "./target.ts";

const ZONE = "Europe/Berlin";
const FORMS = [
  "2026-11-20 09:30:00",
  "2026-11-20T09:30:00.5+08:00",
  "1763631000",
  "1763631000123",
  "2026-10-25 02:30:00",
];
const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

const dateTime = assertScalarType(schema.getType("DateTime"));
const parseCall = createParseCallEnded(ZONE);

export const timeTarget: Target = {
  kind: "times",
  texts: mutationsOf(
    [...FORMS, ...times.map(({ value }) => String(value))],
    ["T", "Z", "24:00:00", "+08:00", ":60", "年"],
  ),
  faultOf(text) {
    const read = parseServiceTime(text, ZONE);
    if (typeof read === "string") {
      if (!/^20([12]\d|3[0-7])-|^2038-01-(0\d|1[0-7])/.test(read)) return `believes ${read}`;
      if (parseServiceTime(read, "Asia/Kathmandu") !== read) return `reads its own ${read} as another time`;
      if (parseServiceTime(text, ZONE) !== read) return "reads it as two times";
      if (RFC_3339.test(text) && readArgument(text) !== read) return "an argument of a client is another time";
    }
    const number = Number(text);
    if (Number.isFinite(number) && String(number) === text && parseServiceTime(number, ZONE) !== read)
      return "reads a number and its text as two times";
    const observed = observeTime(text);
    if (isInstant(observed) && typeof read === "string" && observed.ms !== Date.parse(read))
      return "the doctor sees another time";
    if ((typeof parseServiceTime(text, "UTC") === "string") !== (observed.ms !== null))
      return "the doctor and the reader do not agree whether it is a time";
    const fields = createFieldReader(ZONE);
    if (fields.time("at", text) !== (read ?? null)) return "a list of the service reads another time";
    if (read === undefined && fields.takeUnread().length === 0) return "a list does not note what it cannot read";
    return faultOfWebhook(text, read);
  },
};

function faultOfWebhook(text: string, read: string | null | undefined): string | null {
  const parsed = parseCall(Buffer.from(JSON.stringify(callEndedEvent({ end_at: text }))));
  if (!("call" in parsed)) return text.isWellFormed() ? `a webhook with it cannot be read: ${parsed.unreadable}` : null;
  if (parsed.call.endAt !== (read ?? null)) return "a webhook reads another time";
  const isNoted = parsed.call.unread.some(({ field }) => field === "endAt");
  return read === undefined && !isNoted ? "a webhook does not note what it cannot read" : null;
}

/** Null: it is refused. */
function readArgument(text: string): unknown {
  try {
    return dateTime.coerceInputValue(text);
  } catch {
    return null;
  }
}
