// Whether the answer's types, as Yoga and the ways past it write them, are among those that a request accepts. To be asked
// before anything is done: who is told that there is no answer must not have phoned anybody.

const WRITTEN = ["application/graphql-response+json", "application/json", "text/event-stream", "multipart/mixed"];

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
