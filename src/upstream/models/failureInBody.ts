// Whether a body tells of a failure beside its fields, as services do that answer 200 whatever happened. The document names
// none of these keys, so their meaning is a guess: it is asked for only where the fields alone would say "nothing".
const successes: ReadonlySet<unknown> = new Set([0, 200, "0", "200", "ok", "success"]);

/**
 * By `error` and `success`, then by `code`, and by a message only where there is no code, and the page has no size either: one
 * that tells its size is a page, whatever is said beside it.
 */
export function reportsFailure(body: object): boolean {
  const { error, success, code, msg, message, pageSize } = body as Readonly<Record<string, unknown>>;
  const hasError = typeof error === "object" && error !== null ? Object.keys(error).length > 0 : Boolean(error);
  if (hasError || success === false) return true;
  const told = code ?? ((pageSize === 0 && (msg || message)) || "ok");
  return !successes.has(typeof told === "string" ? told.toLowerCase() : told);
}
