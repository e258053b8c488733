// Which types of an answer a request accepts, and which it wants most. To be asked before anything is done: who is told that
// there is no answer must not have phoned anybody.

const WRITTEN = ["application/graphql-response+json", "application/json", "text/event-stream", "multipart/mixed"];
const ANYTHING = "*/*";

/**
 * The same without weights, the most wanted first and nothing of what has none: whoever writes the answer takes the first
 * that it can. Of those that are wanted alike the one that was named first comes first. Whoever takes anything takes JSON:
 * Yoga would write a subscription as multipart, though events were named behind it.
 */
export function sortByWeight(accept: string | undefined): string {
  if (!accept) return ANYTHING;
  if (accept === ANYTHING || !/[;*]/.test(accept)) return accept;
  return accept
    .split(",")
    .map(weighed)
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ name }) => (name === ANYTHING ? "application/json" : name))
    .join(", ");
}

function weighed(one: string): { name: string; weight: number } {
  const parts = one.split(";").map((part) => part.trim());
  const told = parts.find((part) => /^q=/i.test(part));
  const weight = told === undefined ? 1 : Number(told.slice(2));
  // What is no number says nothing.
  return { name: parts.filter((part) => part !== told).join(";"), weight: Number.isNaN(weight) ? 1 : weight };
}

/** Whether a stream of events is asked for, alone or among others: no subscription is answered to whoever does not name it. */
export function acceptsEventStream(accept: string | null | undefined): boolean {
  return typeof accept === "string" && /text\/event-stream/i.test(accept);
}

/** Whether a type that Yoga, or a way past it, writes is among them. Read as Yoga reads it: a type in another charset is none. */
export function acceptsSupportedType(accept: string): boolean {
  return accept.split(",").some((one) => {
    const [type = "", ...parameters] = one.replace(/\s/g, "").toLowerCase().split(";");
    const charset = parameters.find((parameter) => parameter.includes("charset="));
    return (charset === undefined || charset === "charset=utf-8") && WRITTEN.some((written) => isOf(written, type));
  });
}

function isOf(written: string, accepted: string): boolean {
  const [type, subtype] = written.split("/");
  const [acceptedType, acceptedSubtype] = accepted.split("/");
  return [type, "*"].includes(acceptedType) && [subtype, "*"].includes(acceptedSubtype);
}
