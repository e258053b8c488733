// Reads the Accept header: which media types a request accepts, and in which order of preference. Checked before an operation
// runs, so that no task is created for a request that accepts no possible answer.

const SUPPORTED = ["application/graphql-response+json", "application/json", "text/event-stream", "multipart/mixed"];
const ANY = "*/*";

/**
 * The accepted types without weights, in the order of their weights; types with weight 0 are left out. Types of equal weight
 * keep their order. The wildcard becomes JSON, because Yoga would answer a subscription with multipart, even if
 * text/event-stream is accepted too.
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

const mediaTypes = ["application/json", "application/graphql-response+json"] as const;
export type MediaType = (typeof mediaTypes)[number];

/** The media type of the response. Null: Accept is not a plain list of the two types, and Yoga must decide. */
export function jsonMediaType(accept: string): MediaType | null {
  if (accept === "*/*" || accept === "application/json") return "application/json";
  const names = accept.split(",").map((name) => name.trim());
  const isPlain = names.every((name) => mediaTypes.some((type) => type === name));
  return isPlain ? (mediaTypes.find((type) => type === names[0]) ?? null) : null;
}

/** Whether server-sent events are accepted by name; a subscription is not answered for a wildcard. */
export function acceptsEventStream(accept: string | null | undefined): boolean {
  return typeof accept === "string" && /text\/event-stream/i.test(accept);
}

/** Whether only server-sent events are accepted. With more types to choose from, Yoga chooses. */
export function acceptsOnlyEventStream(accept: string): boolean {
  return accept.trim().toLowerCase() === "text/event-stream";
}

export type PartsType = "text/event-stream" | "multipart/mixed";

/** How an answer in parts may be sent: the first of the two types in Accept. Null: the client takes one answer only. */
export function partsTypeOf(accept: string | null | undefined): PartsType | null {
  for (const entry of (accept ?? "").toLowerCase().split(",")) {
    const [type, ...parameters] = entry.split(";").map((part) => part.trim());
    if (type === "text/event-stream") return type;
    if (type === "multipart/mixed" && parameters.every(isCurrentFormat)) return type;
  }
  return null;
}

/** Apollo Client names the format that it reads. An older one (deferSpec), or one of subscriptions, is not sent. */
const isCurrentFormat = (parameter: string) =>
  parameter === "incrementalspec=v0.2" || parameter.startsWith("boundary=");

/** Whether a supported type is accepted. Like Yoga, it does not accept a type with a charset other than UTF-8. */
export function acceptsSupportedType(accept: string): boolean {
  return accept.split(",").some((entry) => {
    const [type = "", ...parameters] = entry.replace(/\s/g, "").toLowerCase().split(";");
    const charset = parameters.find((parameter) => parameter.includes("charset="));
    if (charset !== undefined && charset !== "charset=utf-8") return false;
    return SUPPORTED.some((supported) => matches(supported, type));
  });
}

function matches(supported: string, accepted: string): boolean {
  const [type, subtype] = supported.split("/");
  const [acceptedType, acceptedSubtype] = accepted.split("/");
  return [type, "*"].includes(acceptedType) && [subtype, "*"].includes(acceptedSubtype);
}
