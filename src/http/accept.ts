// Whether the answer's types, as Yoga and the ways past it write them, are among those that a request accepts. To be asked
// before anything is done: who is told that there is no answer must not have phoned anybody.

const WRITTEN = ["application/graphql-response+json", "application/json", "text/event-stream", "multipart/mixed"];

/** Whether a stream of events is asked for, alone or among others: no subscription is answered to whoever does not name it. */
export function takesEvents(accept: string | null | undefined): boolean {
  return typeof accept === "string" && /text\/event-stream/i.test(accept);
}

/** Read as Yoga reads it: without regard to weights, and a type in another charset is none. */
export function acceptsAnswer(accept: string | undefined): boolean {
  return (accept || "*/*").split(",").some((one) => {
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
