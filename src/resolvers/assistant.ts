// Versions of assistants, as tasks showed them. The service is never asked: it has no endpoint for an assistant.
import type { Context } from "../context.ts";
import type { AssistantRecord } from "../upstream/upstream.ts";
import { checkUpstreamId } from "./rules.ts";

/** Null where that version, or any without one, was never seen. Throws STORE_UNAVAILABLE. */
export async function assistant(
  { assistantId, versionId }: { assistantId: string; versionId?: string | null | undefined },
  { assistants, known }: Context,
): Promise<AssistantRecord | null> {
  checkUpstreamId("assistantId", assistantId);
  if (versionId == null) return assistants.latest(assistantId);
  checkUpstreamId("versionId", versionId);
  return known.assistant.load({ assistantId, versionId });
}
