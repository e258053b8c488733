// node(id): by the type that the id names.
import type { Scope } from "../auth/scopes.ts";
import type { Context } from "../context.ts";
import { CodedError } from "../errors.ts";
import { readNodeId } from "./nodeId.ts";
import { quarantinedDelivery } from "./quarantine.ts";
import { badInput, checkListLength } from "./rules.ts";
import { task } from "./tasks.ts";

type NodeType = "Task" | "CallEnded" | "TaskSubmission" | "QuarantinedDelivery";

interface Lookup {
  /** A type that needs more than node itself: which one an id names is known only here. */
  scope: Scope;
  /** Requests to the service, at worst. */
  asks: number;
  find: (key: string, context: Context) => Promise<object | null>;
}

const lookups: Record<NodeType, Lookup> = {
  Task: { scope: "calls:read", asks: 1, find: (taskId, context) => task(taskId, context) },
  CallEnded: { scope: "calls:read", asks: 0, find: (sessionId, { events }) => events.bySession(sessionId) },
  TaskSubmission: { scope: "tasks:create", asks: 0, find: (id, { submissions }) => submissions.byId(id) },
  QuarantinedDelivery: { scope: "admin", asks: 0, find: (place, context) => quarantinedDelivery(place, context) },
};

export async function node(id: string, context: Context): Promise<object | null> {
  const { type, key, lookup } = lookupOf(id);
  if (!lookup || key[0] === undefined) throw badInput("id is not the id of a node.");
  if (!context.viewer.scopes.has(lookup.scope)) {
    throw new CodedError("FORBIDDEN", `A ${type} needs the scope ${lookup.scope}.`);
  }
  return lookup.find(key[0], context);
}

export function nodes(ids: readonly string[], context: Context): Promise<object | null>[] {
  checkListLength("ids", ids);
  return ids.map((id) => node(id, context));
}

/** What looking it up costs; an id that is none costs nothing. */
export function requestsOfNode(id: string): number {
  return lookupOf(id).lookup?.asks ?? 0;
}

function lookupOf(id: string) {
  const { type, key } = readNodeId(id) ?? { type: "", key: [] };
  return { type, key, lookup: Object.hasOwn(lookups, type) ? lookups[type as NodeType] : undefined };
}

/** By a member that only the one record has. */
export function nodeType(record: object): NodeType {
  if ("cursor" in record) return "CallEnded";
  if ("reason" in record) return "QuarantinedDelivery";
  return "idempotencyKey" in record ? "TaskSubmission" : "Task";
}
