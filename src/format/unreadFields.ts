import { maskDigits } from "../log.ts";

/**
 * A field that came, but could not be read, by its name in the graph; or of which one meaning was chosen out of two. Never a
 * phone number or a secret.
 */
export interface UnreadField {
  field: string;
  text: string;
}

const LONGEST = 64;

/** Shown to clients and operators, so the text is short and masked; what is no scalar is named by its kind only. */
export function unreadField(field: string, value: unknown): UnreadField {
  const isScalar = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return { field, text: isScalar ? maskDigits(String(value).slice(0, LONGEST)) : `<${kindOf(value)}>` };
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  return Array.isArray(value) ? "list" : typeof value;
}
