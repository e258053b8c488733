// Versions of assistants, as tasks showed them. The service is never asked: it has no endpoint for assistants.
import type { AssistantRecord, AssistantRef } from "../upstream/upstream.ts";
import type { Context } from "./context.ts";
import { checkUpstreamId, mayRead } from "./inputRules.ts";

/** Without a version: the one seen last. Null where none was seen. Throws STORE_UNAVAILABLE. */
export async function assistant(
  { assistantId, versionId }: { assistantId: string; versionId?: string | null | undefined },
  context: Context,
): Promise<AssistantRecord | null> {
  const { assistants, queryOwner, queuedRead } = context;
  checkUpstreamId("assistantId", assistantId);
  if (versionId == null)
    return queuedRead(queryOwner, ["assistant", assistantId], () => assistants.latest(assistantId));
  checkUpstreamId("versionId", versionId);
  return assistantOf({ assistantId, versionId }, context);
}

/** Null where this version was not seen. Throws STORE_UNAVAILABLE. */
export async function assistantOf(version: AssistantRef, context: Context): Promise<AssistantRecord | null> {
  mayRead(context);
  return context.known.assistant.load(version);
}
