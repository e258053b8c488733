// Reads the Accept header: which media types a request accepts, and in which order of preference. Checked before an operation
// runs, so that no task is created for a request that accepts no possible answer.

export type MediaType = "application/json" | "application/graphql-response+json";
export type PartsType = "text/event-stream" | "multipart/mixed";

/** How a request may be answered. */
export interface Accepted {
  /** The accepted types, sorted by their weights. */
  text: string;
  /** Whether one of them is supported. */
  isSupported: boolean;
  /** Whether `text` is a list of the two types of JSON, or a wildcard, and nothing else. */
  isPlain: boolean;
  /** The type of an answer in one piece. Null: JSON is not accepted. */
  json: MediaType | null;
  /** Whether server-sent events are accepted by name; a subscription is not answered for a wildcard. */
  events: boolean;
  /** Whether nothing else than server-sent events is accepted, also for an answer in one piece. */
  onlyEvents: boolean;
  /** How an answer in parts may be sent: the first of the two types in Accept. Null: the client takes one answer only. */
  parts: PartsType | null;
}

const JSON_TYPES: readonly MediaType[] = ["application/json", "application/graphql-response+json"];
/** For a wildcard the first that it covers is chosen. */
const SUPPORTED: readonly (MediaType | PartsType)[] = [...JSON_TYPES, "text/event-stream", "multipart/mixed"];
const ANY = "*/*";
const PLAIN = { isSupported: true, isPlain: true, events: false, onlyEvents: false, parts: null };

/** `text`: sorted by weight. */
export function readAccept(text: string): Accepted {
  const plain = plainTypeOf(text);
  if (plain) return { text, json: plain, ...PLAIN };
  const supported = supportedTypesIn(text);
  const isSupported = supported.length > 0;
  return {
    text,
    isSupported,
    isPlain: false,
    json: supported.find(isJson) ?? null,
    events: acceptsEventStream(text),
    onlyEvents: isSupported && supported.every((type) => type === "text/event-stream"),
    parts: partsTypeOf(text),
  };
}

/**
 * The accepted types without weights, in the order of their weights; types with weight 0 are left out. Types of equal weight
 * keep their order. The wildcard becomes JSON: it does not ask for a stream.
 */
export function sortByWeight(accept: string | undefined): string {
  if (!accept) return ANY;
  if (accept === ANY || !/[;*]/.test(accept)) return accept;
  return accept
    .split(",")
    .map(parseWeight)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name }) => (name === ANY ? "application/json" : name))
    .join(", ");
}

function parseWeight(entry: string): { name: string; weight: number } {
  const parts = entry.split(";").map((part) => part.trim());
  const parameter = parts.find((part) => /^q=/i.test(part));
  const weight = parameter === undefined ? 1 : Number(parameter.slice(2));
  // A weight that is not a number is ignored.
  return { name: parts.filter((part) => part !== parameter).join(";"), weight: Number.isNaN(weight) ? 1 : weight };
}

const isJson = (type: MediaType | PartsType): type is MediaType => JSON_TYPES.some((json) => json === type);

/** Null: it names other types, too, or parameters. */
function plainTypeOf(accept: string): MediaType | null {
  if (accept === ANY || accept === "application/json") return "application/json";
  const names = accept.split(",").map((name) => name.trim());
  const isPlain = names.every((name) => JSON_TYPES.some((type) => type === name));
  return isPlain ? (JSON_TYPES.find((type) => type === names[0]) ?? null) : null;
}

/** Whether server-sent events are accepted by name. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return accept !== undefined && /text\/event-stream/i.test(accept);
}

function partsTypeOf(accept: string): PartsType | null {
  for (const entry of accept.toLowerCase().split(",")) {
    const [type, ...parameters] = entry.split(";").map((part) => part.trim());
    if (type === "text/event-stream") return type;
    if (type === "multipart/mixed" && parameters.every(isCurrentFormat)) return type;
  }
  return null;
}

/** Apollo Client names the format that it reads. An older one (deferSpec), or one of subscriptions, is not sent. */
const isCurrentFormat = (parameter: string) =>
  parameter === "incrementalspec=v0.2" || parameter.startsWith("boundary=");

/** In the order of Accept. A type with a charset other than UTF-8 is left out. */
function supportedTypesIn(accept: string): (MediaType | PartsType)[] {
  return accept.split(",").flatMap((entry) => {
    const [type = "", ...parameters] = entry.replace(/\s/g, "").toLowerCase().split(";");
    const charset = parameters.find((parameter) => parameter.includes("charset="));
    if (charset !== undefined && charset !== "charset=utf-8") return [];
    return SUPPORTED.filter((supported) => matches(supported, type));
  });
}

function matches(supported: string, accepted: string): boolean {
  const [type, subtype] = supported.split("/");
  const [acceptedType, acceptedSubtype] = accepted.split("/");
  return [type, "*"].includes(acceptedType) && [subtype, "*"].includes(acceptedSubtype);
}
