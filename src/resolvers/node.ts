// node(id): finds an object by its type and key, which its id names.
import { holdsNeeded, neededText, SEEING_SUBMISSIONS, type NeededScope } from "../auth/scopes.ts";
import { CodedError } from "../errors.ts";
import { auditEvent } from "./auditEvents.ts";
import { assistantOf } from "./assistant.ts";
import { callLog, SEARCH_REQUESTS } from "./callLog.ts";
import type { Context } from "./context.ts";
import { badInput, checkListLength } from "./inputRules.ts";
import { readNodeId, type IdType } from "./nodeId.ts";
import { quarantinedDelivery } from "./quarantine.ts";
import { recordingById } from "./recording.ts";
import { task } from "./tasks.ts";

interface Lookup {
  /** Checked here, because the type is known only from the id. */
  scope: NeededScope;
  /** The most requests to the service. */
  requests: number;
  /** The most rows of the database. */
  rows: number;
  /** `key` has all parts of the id behind the type. */
  find: (key: readonly string[], context: Context) => Promise<object | null>;
}

const lookups: Record<IdType, Lookup> = {
  Task: { scope: "calls:read", requests: 1, rows: 0, find: ([taskId], context) => task(taskId ?? "", context) },
  Assistant: { scope: "calls:read", requests: 0, rows: 1, find: findAssistant },
  CallLog: { scope: "calls:read", requests: SEARCH_REQUESTS, rows: 1, find: findCallLog },
  CallEnded: { scope: "calls:read", requests: 0, rows: 1, find: findCallEnded },
  TaskSubmission: {
    scope: SEEING_SUBMISSIONS,
    requests: 0,
    rows: 1,
    find: async ([id = ""], { submissions, queryOwner, queuedRead }) =>
      queuedRead(queryOwner, ["submission", id], () => submissions.byId(id)),
  },
  QuarantinedDelivery: {
    scope: "admin",
    requests: 0,
    rows: 10,
    find: ([place], context) => quarantinedDelivery(place ?? "", context),
  },
  Recording: {
    scope: "calls:read",
    requests: 0,
    rows: 2,
    find: ([sessionId], context) => recordingById(sessionId ?? "", context),
  },
  AuditEvent: { scope: "admin", requests: 0, rows: 1, find: ([place], context) => auditEvent(place ?? "", context) },
};

export async function node(id: string, context: Context): Promise<object | null> {
  const { type, key, lookup } = lookupOf(id);
  if (!lookup) throw unknownId();
  if (!holdsNeeded(context.viewer, lookup.scope)) {
    throw new CodedError("FORBIDDEN", `A ${type} needs the scope ${neededText(lookup.scope)}.`);
  }
  return lookup.find(key, context);
}

/** The id of a call without a session ID has an empty key: such a call cannot be found again. */
async function findCallLog([sessionId]: readonly string[], context: Context): Promise<object | null> {
  return sessionId === undefined || sessionId === "" ? null : callLog({ sessionId }, context);
}

/** This version only. */
async function findAssistant([assistantId = "", versionId = ""]: readonly string[], context: Context) {
  if (![assistantId, versionId].every((id) => /^\d+$/.test(id))) throw unknownId();
  return assistantOf({ assistantId, versionId }, context);
}

/** This revision, not a later one of its call. */
async function findCallEnded([sessionId, revision]: readonly string[], { events, queryOwner, queuedRead }: Context) {
  if (sessionId === undefined || !/^[1-9]\d{0,8}$/.test(revision ?? "")) throw unknownId();
  return queuedRead(queryOwner, ["event", sessionId, revision], () => events.byRevision(sessionId, Number(revision)));
}

export function nodes(ids: readonly string[], context: Context): Promise<object | null>[] {
  checkListLength("ids", ids);
  return ids.map((id) => node(id, context));
}

/** The requests to the service that the look-up may need; 0 for an invalid id. */
export function requestsOfNode(id: string): number {
  return lookupOf(id).lookup?.requests ?? 0;
}

/** The rows of the database that the look-up may read; 0 for an invalid id. */
export function rowsOfNode(id: string): number {
  return lookupOf(id).lookup?.rows ?? 0;
}

function lookupOf(id: string) {
  const { type, key } = readNodeId(id) ?? { type: "", key: [] };
  return { type, key, lookup: Object.hasOwn(lookups, type) ? lookups[type as IdType] : undefined };
}

const unknownId = () => badInput("id must be the id of an object of this graph.");

/** Recognizes each record by a member that no other record has. */
export function nodeType(record: object): IdType {
  if ("actor" in record) return "AuditEvent";
  if ("row" in record) return "CallLog";
  if ("prompt" in record) return "Assistant";
  if ("cursor" in record) return "CallEnded";
  if ("addressExpiresAt" in record) return "Recording";
  if ("reason" in record) return "QuarantinedDelivery";
  return "idempotencyKey" in record ? "TaskSubmission" : "Task";
}
