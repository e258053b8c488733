// The graph's own identities: opaque, unique across types, and readable by this gateway alone.

/** Types that carry an `id`; node(id) looks up those that can be looked up. */
export type IdType = "CallLog" | "Task" | "Assistant" | "CallEnded" | "TaskSubmission";

export function nodeId(type: IdType, ...key: string[]): string {
  return Buffer.from(JSON.stringify([type, ...key])).toString("base64url");
}

/** The type's name and the key's parts, all strings; null for what no nodeId made. */
export function readNodeId(id: string): { type: string; key: string[] } | null {
  const bytes = Buffer.from(id, "base64url");
  // Node skips characters that are not base64url: only an id that comes out as it went in is one.
  if (bytes.toString("base64url") !== id) return null;
  try {
    const parts: unknown = JSON.parse(bytes.toString("utf8"));
    if (!Array.isArray(parts) || parts.length < 2 || !parts.every((part) => typeof part === "string")) return null;
    const [type, ...key] = parts as [string, ...string[]];
    return { type, key };
  } catch {
    return null;
  }
}
