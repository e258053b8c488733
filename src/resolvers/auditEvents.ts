// Reads the audit log.
import type { AuditAction, AuditEvent } from "../store/audit/auditStore.ts";
import type { Signer } from "../util/hmac.ts";
import type { Context } from "./context.ts";
import { checkFirst } from "./inputRules.ts";
import { nodeId, type IdType } from "./nodeId.ts";
import { foreignCursor, pageInfo, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

export interface AuditEventConnection {
  edges: Edge<AuditEvent>[];
  pageInfo: PageInfo;
}

/** The newest comes first. */
export async function auditEvents(
  { first, after }: Paging,
  { audit, signer, queryOwner, queuedRead }: Context,
): Promise<AuditEventConnection> {
  checkFirst(first);
  const page = { after: after == null ? null : readCursor(after, signer), limit: first + 1 };
  const found = await queuedRead(queryOwner, ["audit", page], () => audit.page(page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: signer.sign("audit", String(node.id)) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

/** By the key in its node id. Null where the log has no such entry. */
export async function auditEvent(key: string, { audit, queryOwner, queuedRead }: Context): Promise<AuditEvent | null> {
  if (!/^[1-9]\d{0,14}$/.test(key)) return null;
  return queuedRead(queryOwner, ["audit entry", key], () => audit.byId(Number(key)));
}

const subjectTypes: Record<AuditAction, IdType | null> = {
  TASK_SUBMITTED: "TaskSubmission",
  TASK_PROPOSED: "TaskSubmission",
  TASK_APPROVED: "TaskSubmission",
  TASK_DECLINED: "TaskSubmission",
  TASK_EXPIRED: "TaskSubmission",
  PHONE_FORGOTTEN: null,
  DELIVERY_REPROCESSED: "QuarantinedDelivery",
  DELIVERY_DISCARDED: "QuarantinedDelivery",
  DELIVERY_SHOWN: "CallEnded",
  DELIVERIES_REREAD: null,
  RECORDING_PLAYED: "Recording",
  DO_NOT_CALL_ADDED: null,
  DO_NOT_CALL_REMOVED: null,
  HISTORY_IMPORTED: null,
  HISTORY_IMPORT_CANCELLED: null,
};

/** The node id of what was acted on. */
export function subjectId({ action, subject }: AuditEvent): string | null {
  const type = subjectTypes[action];
  if (type === null || subject === null) return null;
  // The call's first entry stands for the call.
  return type === "CallEnded" ? nodeId(type, subject, "1") : nodeId(type, subject);
}

function readCursor(cursor: string, signer: Signer): number {
  const place = signer.verify("audit", cursor);
  if (place === null) throw foreignCursor();
  return Number(place);
}
