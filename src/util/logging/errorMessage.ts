/** The message of an error and of its causes: "It failed: the cause". An empty message is replaced by the error's code or name. */
export function errorMessage(error: Error): string {
  return messagesOf(error, []).join(": ");
}

function messagesOf(error: Error, outer: readonly unknown[]): string[] {
  const { message, name, cause, code = name } = error as Error & { code?: string | number };
  const text = message || String(code);
  const seen = [...outer, error];
  if (!(cause instanceof Error) || seen.includes(cause)) return [text];
  return [text.replace(/\.$/, ""), ...messagesOf(cause, seen)];
}
