// node(id): finds an object by its type and key, which its id names.
import type { Context } from "./context.ts";
import { checkListLength } from "./inputRules.ts";
import { readNodeId, type IdType } from "./nodeId.ts";
import { checkScope, objectTypeOf, unknownId } from "./objectTypes.ts";

export async function node(id: string, context: Context): Promise<object | null> {
  const found = typeOf(id);
  if (!found?.byId) throw unknownId();
  checkScope(found.name, context);
  return found.byId(found.key, context);
}

export function nodes(ids: readonly string[], context: Context): Promise<object | null>[] {
  checkListLength("ids", ids);
  return ids.map((id) => node(id, context));
}

/** The requests to the service that the look-up may need; 0 for an invalid id. */
export function requestsOfNode(id: string): number {
  return typeOf(id)?.requests ?? 0;
}

/** The rows of the database that the look-up may read; 0 for an invalid id. */
export function rowsOfNode(id: string): number {
  return typeOf(id)?.rows ?? 0;
}

function typeOf(id: string) {
  const parts = readNodeId(id);
  const found = parts && objectTypeOf(parts.type);
  return found && { name: found.name, key: parts.key, ...found.type };
}

/** Recognizes each record by a member that no other record has. */
export function nodeType(record: object): IdType {
  if ("actor" in record) return "AuditEvent";
  if ("raisedAt" in record) return "Alert";
  if ("row" in record) return "CallLog";
  if ("prompt" in record) return "Assistant";
  if ("cursor" in record) return "CallEnded";
  if ("addressExpiresAt" in record) return "Recording";
  if ("reason" in record) return "QuarantinedDelivery";
  return "idempotencyKey" in record ? "TaskSubmission" : "Task";
}
