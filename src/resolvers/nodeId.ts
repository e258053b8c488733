// The graph's own identities: opaque, unique across types, and readable by this gateway alone.

/** Types that carry an `id`. */
export type IdType =
  | "CallLog"
  | "Task"
  | "Assistant"
  | "CallEnded"
  | "TaskSubmission"
  | "QuarantinedDelivery"
  | "Recording";

export function nodeId(type: IdType, ...key: string[]): string {
  return Buffer.from(JSON.stringify([type, ...key])).toString("base64url");
}

/** The type's name and the key's parts, all strings; null for what no nodeId made. */
export function readNodeId(id: string): { type: string; key: string[] } | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(id, "base64url").toString("utf8"));
    // base64url and JSON have several spellings of one value: only an id that comes out as it went in is one.
    if (Buffer.from(JSON.stringify(parts)).toString("base64url") !== id) return null;
    if (!Array.isArray(parts) || parts.length < 2 || !parts.every((part) => typeof part === "string")) return null;
    const [type, ...key] = parts as [string, ...string[]];
    return { type, key };
  } catch {
    return null;
  }
}
