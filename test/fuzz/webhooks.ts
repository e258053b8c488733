// The receiver of webhooks: what it acknowledges is in the log or kept as it came, and each reading of a body gives the same call.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { constantFrom, oneof, record, string, tuple } from "fast-check";
import { charsets } from "../corpus/webhookCharsets.ts";
import { events as corpusEvents } from "../corpus/webhookEvents.ts";
import { showsEnd, type CallEndedData } from "../../src/events/callEndedEvent.ts";
import { deliveryOf, reviseCall } from "../../src/events/reviseCall.ts";
import { charsetsOf } from "../../src/format/bodyCharset.ts";
import { createLogger } from "../../src/logger.ts";
import { bodyText } from "../../src/resolvers/quarantine.ts";
import type { NewQuarantined } from "../../src/store/events/quarantineStore.ts";
import { createEndRule } from "../../src/webhook/endRule.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver, type BodyHeaders } from "../../src/webhook/receive.ts";
import { encodeText, type Charset } from "../support/encodeText.ts";
import { callEndedEvent } from "../support/events.ts";
import { mutationsOf } from "./mutations.ts";
import type { Target } from "./target.ts";

interface Sent {
  /** The JSON, changed. */
  json: string;
  charset: Charset;
  type: string;
  encoding: string;
  /** Bytes that are cut off at the end. */
  cut: number;
}

const ENCODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  "br, gzip": (body) => gzipSync(brotliCompressSync(body)),
};
const ENCODINGS = ["", "identity", ...Object.keys(ENCODERS), "compress"];
/** For each charset in which a body is sent, the header that declares it. */
const RIGHT_TYPES: Readonly<Partial<Record<Charset, string>>> = {
  "utf-8": "application/json",
  gbk: "application/json; charset=GBK",
  "utf-16le": "application/json",
  "utf-16be": "application/json",
  latin1: "application/json; charset=iso-8859-1",
  "euc-kr": "application/json; charset=cp949",
  big5: "application/json; charset=big5",
  shift_jis: "application/json; charset=Shift_JIS",
};
const CHARSETS = Object.keys(RIGHT_TYPES) as Charset[];

/** Each with the fields of a whole event, and alone. */
const samples = corpusEvents.flatMap(({ name, data }) => {
  const own = { session_id: `s ${name}`, extra: { 姓名: "张三", note: "Zoé" }, ...data };
  return [callEndedEvent(own), { event_data: own }].map((event) => JSON.stringify({ ...event, event_name: name }));
});
const PIECES = [
  "null",
  "true",
  "1e400",
  "9007199254740993123",
  '"end_at":',
  '"session_id":0,',
  "\\u0000",
  "\\ud800",
  "{",
  "]",
];
const sent = record<Sent>({
  json: oneof(
    { weight: 3, arbitrary: mutationsOf(samples, PIECES) },
    constantFrom(...samples),
    string({ unit: "binary" }),
  ),
  charset: constantFrom(...CHARSETS),
  type: constantFrom("", ...Object.values(RIGHT_TYPES), ...charsets.map(({ contentType }) => contentType)),
  encoding: constantFrom(...ENCODINGS),
  cut: oneof({ weight: 5, arbitrary: constantFrom(0) }, constantFrom(1, 2, 9)),
});
const whole = tuple(sent, constantFrom(true, false)).map(([each, isRight]) =>
  isRight ? { ...each, type: RIGHT_TYPES[each.charset] ?? "", cut: 0 } : each,
);

const parse = createParseCallEnded("Europe/Berlin");
const log = createLogger({ level: "silent", secrets: [] });

/** A log and a quarantine in memory, by the rules of the real ones. */
function createReceiving() {
  const kept: NewQuarantined[] = [];
  const appended: { call: CallEndedData; body: Uint8Array | null; isEnd: boolean; isAdded: boolean }[] = [];
  const receiver = createReceiver({
    accepted: () => [],
    parse,
    whyNoEnd: createEndRule([]),
    earlyEvents: { addTo: async () => undefined },
    eventNames: { saw: async () => undefined },
    keepsBodies: true,
    clock: () => 0,
    log,
    events: {
      append: async (call, source, own) => {
        const row = reviseCall([], deliveryOf(call, source, "2026-11-20T09:30:00.000Z", own));
        appended.push({ call, body: own?.body ?? null, isEnd: own?.isEnd ?? true, isAdded: row !== null });
        return row ? "appended" : "known";
      },
    },
    quarantine: { add: async (delivery) => void kept.push(delivery) },
  });
  return { kept, appended, receiver };
}

export const webhookTarget: Target = {
  kind: "webhooks",
  texts: whole.map((each) => JSON.stringify(each)),
  async faultOf(text) {
    const { json, charset, type, encoding, cut } = JSON.parse(text) as Sent;
    const plain = encoded(json, charset);
    if (plain === null) return null;
    const body = plain.subarray(0, Math.max(0, plain.length - cut));
    const compressed = ENCODERS[encoding]?.(body) ?? body;
    const headers: BodyHeaders = { "content-type": type || undefined, "content-encoding": encoding || undefined };
    const { kept, appended, receiver } = createReceiving();
    using receiving = receiver;
    const outcome = await receiving.receive(compressed, headers);
    const [entry] = appended;
    const [delivery] = kept;
    if (outcome === "quarantined" || outcome === "not_ended") {
      if (!delivery) return `is answered as ${outcome} and kept nowhere`;
      bodyText(delivery.body, delivery.charset);
      if (!body.equals(delivery.body) && !compressed.equals(delivery.body)) return "is kept with other bytes";
      const again = parse(delivery.body, charsetsOf(delivery.body, delivery.charset));
      if (outcome === "not_ended")
        return "call" in again && !showsEnd(again.call) ? null : "is not read again as what it was";
      if ("call" in again) return "could be read from what is kept";
    } else if (!entry?.isAdded) return "is acknowledged without an entry";
    else {
      if (entry.body === null) return "is not kept beside its entry";
      const again = parse(entry.body);
      if (!("call" in again) || JSON.stringify(again.call) !== JSON.stringify(entry.call))
        return "is read again as another call";
      if (!entry.isEnd || !mayHaveEnded(json)) return "is told as an end, and shows none";
    }
    return isDeclared(charset, type) && cut === 0 ? charsetFault(json, entry?.call) : null;
  },
};

/**
 * What an end needs at the least, by the text alone: an end in a year of calls, or a side or a reason that says something. A text that is
 * no object is no matter of this rule.
 */
function mayHaveEnded(json: string): boolean {
  const data = dataOf(json);
  return data === null || isYear(data["end_at"]) || saysSide(data["hangup_side"]) || saysSide(data["hangup_reason"]);
}

const NO_SIDE = /^[\W0_]*$|^\W*(?:\w*_)?(null|nil|none|unknown|unspecified|undefined|never|nan|false|true|pending)$/iu;
const isYear = (end: unknown) =>
  (typeof end === "number" || typeof end === "string") && /20[1-9]\d|^\d{10}(\.|$)|^\d{13}/.test(String(end));
const saysSide = (side: unknown) =>
  typeof side === "number"
    ? side > 0
    : typeof side === "string" && (!NO_SIDE.test(side) || /\p{L}/u.test(side.replace(/\w/g, "")));

function dataOf(json: string): Record<string, unknown> | null {
  try {
    const { event_data: data } = JSON.parse(json) as { event_data?: unknown };
    return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** A body in a declared charset is read as it is in UTF-8. */
function charsetFault(json: string, call: CallEndedData | undefined): string | null {
  const right = parse(Buffer.from(json));
  const text = "call" in right ? JSON.stringify(right.call) : null;
  return text === null || (call !== undefined && JSON.stringify(call) === text)
    ? null
    : "is read otherwise than in UTF-8";
}

const isDeclared = (charset: Charset, type: string) => type === RIGHT_TYPES[charset] && charset !== "latin1";

/** Null: the charset does not have all of the characters. */
function encoded(json: string, charset: Charset): Buffer | null {
  try {
    return json.isWellFormed() ? encodeText(json, charset) : null;
  } catch {
    return null;
  }
}
