// Reads the audit log.
import { CodedError } from "../errors.ts";
import { maskText } from "../privacy/maskPhone.ts";
import type { AuditFilter } from "../store/audit/auditFilter.ts";
import {
  auditActions,
  callActions,
  type AuditAction,
  type AuditEvent,
  type AuditWay,
} from "../store/audit/auditStore.ts";
import type { Signer } from "../util/hmac.ts";
import type { Context } from "./context.ts";
import { isViewerName, type Viewer } from "../auth/scopes.ts";
import { badInput, checkFirst, checkListLength } from "./inputRules.ts";
import { nodeId, readNodeId, type IdType } from "./nodeId.ts";
import { foreignCursor, pageInfo, type Edge, type PageInfo, type Paging } from "./pageInfo.ts";

export interface AuditEventConnection {
  edges: Edge<AuditEvent>[];
  pageInfo: PageInfo;
}

export interface AuditEventFilter {
  actors?: string[] | null | undefined;
  actions?: AuditAction[] | null | undefined;
  subjectId?: string | null | undefined;
  via?: AuditWay | null | undefined;
  since?: string | null | undefined;
  until?: string | null | undefined;
}

/** The newest comes first. */
export async function auditEvents(
  { first, after, filter: given }: Paging & { filter?: AuditEventFilter | null | undefined },
  { audit, signer, viewer, queryOwner, queuedRead }: Context,
): Promise<AuditEventConnection> {
  checkFirst(first);
  const filter = auditFilter(given ?? {}, viewer);
  const page = { after: after == null ? null : readCursor(after, signer), limit: first + 1 };
  const found =
    Object.keys(filter).length > 0
      ? await audit.search(queryOwner, filter, page)
      : await queuedRead(queryOwner, ["audit", page], () => audit.page(page));
  const edges = found.slice(0, first).map((node) => ({ node, cursor: signer.sign("audit", String(node.id)) }));
  return { edges, pageInfo: pageInfo(edges, { hasNextPage: found.length > first, hasPreviousPage: after != null }) };
}

function auditFilter(given: AuditEventFilter, viewer: Viewer): AuditFilter {
  const { actors, actions, subjectId, via, since, until } = given;
  checkListLength("actors", actors ?? []);
  checkListLength("actions", actions ?? []);
  for (const actor of actors ?? []) checkActor(actor, viewer);
  if (since != null && until != null && since > until) throw badInput("since must not be after until.");
  return {
    ...(actors && { actors }),
    ...(actions && { actions }),
    ...(subjectId != null && { subject: subjectOf(subjectId) }),
    ...(via != null && { via }),
    ...(since != null && { since }),
    ...(until != null && { until }),
  };
}

/** A viewer that sees such a name masked could find the number out by asking for each. */
function checkActor(actor: string, { scopes }: Viewer): void {
  if (!isViewerName(actor)) throw badInput("actors must be names of viewers.");
  if (!scopes.has("people:read") && maskText(actor) !== actor)
    throw new CodedError("FORBIDDEN", "To search for an actor with a number in its name needs the scope people:read.");
}

/** What an id of the graph is in the log: entries of both types of a call's ids are found by either. */
function subjectOf(id: string): NonNullable<AuditFilter["subject"]> {
  const { type, key: [subject] = [] } = readNodeId(id) ?? {};
  const actions = auditActions.filter((action) => subjectTypes[action] === type);
  if (subject === undefined || actions.length === 0)
    throw badInput("subjectId must be the id of a TaskSubmission, QuarantinedDelivery, Recording, CallEnded or Alert.");
  const ofCall: readonly AuditAction[] = callActions;
  return { subject, actions: actions.some((action) => ofCall.includes(action)) ? ofCall : actions };
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
  DESTINATION_CHANGED: null,
  ALERT_ACKNOWLEDGED: "Alert",
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
