// The types whose objects can be found again: by node(id), and by the key with which another subgraph refers to them.
import { holdsNeeded, neededText, SEEING_SUBMISSIONS, type NeededScope } from "../auth/scopes.ts";
import { CodedError } from "../errors.ts";
import { alertByKey } from "./alerts.ts";
import { assistant, assistantOf } from "./assistant.ts";
import { auditEvent } from "./auditEvents.ts";
import { callEndedOf } from "./callEnded.ts";
import { callLog, SEARCH_REQUESTS } from "./callLog.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";
import { personOf } from "./person.ts";
import { quarantinedDelivery } from "./quarantine.ts";
import { recordingById } from "./recording.ts";
import { taskSubmission } from "./submissions.ts";
import { task } from "./tasks.ts";

type Find = (key: readonly string[], context: Context) => Promise<object | null>;

export interface ObjectType {
  /** Checked before an object is looked for, because its type is known only from the id or the representation. */
  scope: NeededScope;
  /** The most requests to the service that finding an object needs. */
  requests: number;
  /** The most rows of the database that finding an object reads. */
  rows: number;
  /** Gets all parts of the id behind the type. Null: the type has no id. */
  byId: Find | null;
  /** The fields of the key, and how their values find an object. Null: other subgraphs cannot refer to the type. */
  entity: { key: readonly string[]; find: Find } | null;
}

export const objectTypes = {
  Task: {
    scope: "calls:read",
    requests: 1,
    rows: 0,
    byId: ([taskId = ""], context) => task(taskId, context),
    entity: { key: ["taskId"], find: ([taskId = ""], context) => task(taskId, context) },
  },
  Assistant: {
    scope: "calls:read",
    requests: 0,
    rows: 1,
    byId: assistantById,
    entity: {
      key: ["assistantId", "versionId"],
      find: ([assistantId = "", versionId = ""], context) => assistant({ assistantId, versionId }, context),
    },
  },
  CallLog: {
    scope: "calls:read",
    requests: SEARCH_REQUESTS,
    rows: 1,
    byId: callLogById,
    entity: { key: ["sessionId"], find: ([sessionId = ""], context) => callLog({ sessionId }, context) },
  },
  CallEnded: {
    scope: "calls:read",
    requests: 0,
    rows: 1,
    byId: callEndedById,
    entity: { key: ["sessionId"], find: ([sessionId = ""], context) => callEndedOf(sessionId, context) },
  },
  TaskSubmission: {
    scope: SEEING_SUBMISSIONS,
    requests: 0,
    rows: 1,
    byId: async ([id = ""], { submissions, queryOwner, queuedRead }) =>
      queuedRead(queryOwner, ["submission", id], () => submissions.byId(id)),
    entity: { key: ["id"], find: ([id = ""], context) => taskSubmission(id, context) },
  },
  Person: {
    scope: "people:read",
    requests: 0,
    rows: 0,
    byId: null,
    entity: { key: ["phone"], find: async ([phone = ""]) => personOf(phone) },
  },
  QuarantinedDelivery: {
    scope: "admin",
    requests: 0,
    rows: 10,
    byId: ([place = ""], context) => quarantinedDelivery(place, context),
    entity: null,
  },
  Recording: {
    scope: "calls:read",
    requests: 0,
    rows: 2,
    byId: ([sessionId = ""], context) => recordingById(sessionId, context),
    entity: null,
  },
  AuditEvent: {
    scope: "admin",
    requests: 0,
    rows: 1,
    byId: ([place = ""], context) => auditEvent(place, context),
    entity: null,
  },
  Alert: {
    scope: "calls:read",
    requests: 0,
    rows: 1,
    byId: ([place = ""], context) => alertByKey(place, context),
    entity: null,
  },
} as const satisfies Record<string, ObjectType>;

export type ObjectTypeName = keyof typeof objectTypes;

/** Null for a text that names none of them. */
export function objectTypeOf(name: unknown): { name: ObjectTypeName; type: ObjectType } | null {
  if (typeof name !== "string" || !Object.hasOwn(objectTypes, name)) return null;
  return { name: name as ObjectTypeName, type: objectTypes[name as ObjectTypeName] };
}

export function checkScope(name: ObjectTypeName, { viewer }: Pick<Context, "viewer">): void {
  const { scope } = objectTypes[name];
  if (!holdsNeeded(viewer, scope)) throw new CodedError("FORBIDDEN", `A ${name} needs the scope ${neededText(scope)}.`);
}

export const unknownId = () => badInput("id must be the id of an object of this graph.");

/** This version only. */
async function assistantById([assistantId = "", versionId = ""]: readonly string[], context: Context) {
  if (![assistantId, versionId].every((id) => /^\d+$/.test(id))) throw unknownId();
  return assistantOf({ assistantId, versionId }, context);
}

/** The id of a call without a session ID has an empty key: such a call cannot be found again. */
async function callLogById([sessionId = ""]: readonly string[], context: Context): Promise<object | null> {
  return sessionId === "" ? null : callLog({ sessionId }, context);
}

/** This revision, not a later one of its call. */
async function callEndedById([sessionId, revision]: readonly string[], { events, queryOwner, queuedRead }: Context) {
  if (sessionId === undefined || !/^[1-9]\d{0,8}$/.test(revision ?? "")) throw unknownId();
  return queuedRead(queryOwner, ["event", sessionId, revision], () => events.byRevision(sessionId, Number(revision)));
}
