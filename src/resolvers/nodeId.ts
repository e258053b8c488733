// The graph's own ids: opaque, and unique across types.

/** The types that have an `id`. */
export type IdType =
  | "CallLog"
  | "Task"
  | "Assistant"
  | "CallEnded"
  | "TaskSubmission"
  | "QuarantinedDelivery"
  | "Recording"
  | "AuditEvent"
  | "Alert";

export function nodeId(type: IdType, ...key: string[]): string {
  return Buffer.from(JSON.stringify([type, ...key])).toString("base64url");
}

/** The name of the type and the parts of the key, all strings. Null for a text that nodeId did not make. */
export function readNodeId(id: string): { type: string; key: string[] } | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(id, "base64url").toString("utf8"));
    // base64url and JSON can write the same value in several ways. Only the canonical one is an id.
    if (Buffer.from(JSON.stringify(parts)).toString("base64url") !== id) return null;
    if (!Array.isArray(parts) || parts.length < 2 || !parts.every((part) => typeof part === "string")) return null;
    const [type, ...key] = parts as [string, ...string[]];
    return { type, key };
  } catch {
    return null;
  }
}
