// node(id): by the type that the id names.
import type { Scope } from "../auth/scopes.ts";
import type { Context } from "./context.ts";
import { CodedError } from "../errors.ts";
import { assistantOf } from "./assistant.ts";
import { callLog, SEARCH_REQUESTS } from "./callLog.ts";
import { readNodeId, type IdType } from "./nodeId.ts";
import { quarantinedDelivery } from "./quarantine.ts";
import { recordingOf } from "./recording.ts";
import { badInput, checkListLength } from "./inputRules.ts";
import { task } from "./tasks.ts";

interface Lookup {
  /** A type that needs more than node itself: which one an id names is known only here. */
  scope: Scope;
  /** Requests to the service, at worst, and rows of the database. */
  asks: number;
  reads: number;
  /** By all of the parts that the id is made of, and by no fewer. */
  find: (key: readonly string[], context: Context) => Promise<object | null>;
}

const lookups: Record<IdType, Lookup> = {
  Task: { scope: "calls:read", asks: 1, reads: 0, find: ([taskId], context) => task(taskId ?? "", context) },
  Assistant: { scope: "calls:read", asks: 0, reads: 1, find: findAssistant },
  CallLog: { scope: "calls:read", asks: SEARCH_REQUESTS, reads: 1, find: findCallLog },
  CallEnded: { scope: "calls:read", asks: 0, reads: 1, find: findCallEnded },
  TaskSubmission: {
    scope: "tasks:create",
    asks: 0,
    reads: 1,
    find: async ([id = ""], { submissions, reader, inTurn }) =>
      inTurn(reader, ["submission", id], () => submissions.byId(id)),
  },
  QuarantinedDelivery: {
    scope: "admin",
    asks: 0,
    reads: 10,
    find: ([place], context) => quarantinedDelivery(place ?? "", context),
  },
  Recording: {
    scope: "calls:read",
    asks: 0,
    reads: 1,
    find: ([sessionId], context) => recordingOf(sessionId ?? "", context),
  },
};

export async function node(id: string, context: Context): Promise<object | null> {
  const { type, key, lookup } = lookupOf(id);
  if (!lookup) throw badInput("id is not the id of a node.");
  if (!context.viewer.scopes.has(lookup.scope)) {
    throw new CodedError("FORBIDDEN", `A ${type} needs the scope ${lookup.scope}.`);
  }
  return lookup.find(key, context);
}

/** A call without a session id can be named, but not found again. */
async function findCallLog([sessionId]: readonly string[], context: Context): Promise<object | null> {
  return sessionId === undefined || sessionId === "" ? null : callLog({ sessionId }, context);
}

/** That very version, whatever ids the service gives. */
async function findAssistant([assistantId = "", versionId = ""]: readonly string[], context: Context) {
  if (![assistantId, versionId].every((id) => /^\d+$/.test(id))) throw badInput("id is not the id of a node.");
  return assistantOf({ assistantId, versionId }, context);
}

/** That very entry of the log, and not a later one of its call. */
async function findCallEnded([sessionId, revision]: readonly string[], { events, reader, inTurn }: Context) {
  if (sessionId === undefined || !/^[1-9]\d{0,8}$/.test(revision ?? "")) throw badInput("id is not the id of a node.");
  return inTurn(reader, ["event", sessionId, revision], () => events.byRevision(sessionId, Number(revision)));
}

export function nodes(ids: readonly string[], context: Context): Promise<object | null>[] {
  checkListLength("ids", ids);
  return ids.map((id) => node(id, context));
}

/** What looking it up costs; an id that is none costs nothing. */
export function requestsOfNode(id: string): number {
  return lookupOf(id).lookup?.asks ?? 0;
}

/** The same, in rows of the database. */
export function rowsOfNode(id: string): number {
  return lookupOf(id).lookup?.reads ?? 0;
}

function lookupOf(id: string) {
  const { type, key } = readNodeId(id) ?? { type: "", key: [] };
  return { type, key, lookup: Object.hasOwn(lookups, type) ? lookups[type as IdType] : undefined };
}

/** By a member that only the one record has. */
export function nodeType(record: object): IdType {
  if ("row" in record) return "CallLog";
  if ("prompt" in record) return "Assistant";
  if ("cursor" in record) return "CallEnded";
  if ("addressExpiresAt" in record) return "Recording";
  if ("reason" in record) return "QuarantinedDelivery";
  return "idempotencyKey" in record ? "TaskSubmission" : "Task";
}
