import {
  getNamedType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLType,
  type OperationDefinitionNode,
} from "graphql";
import { describe, expect, it } from "vitest";
import { callStats } from "../../src/resolvers/callStats.ts";
import type { Context } from "../../src/resolvers/context.ts";
import { gatewayStatus } from "../../src/resolvers/gatewayStatus.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { extensionsOf } from "../../src/schema/extensions.ts";
import { schema } from "../../src/schema/schema.ts";
import { callLog, task } from "../resolvers/world.ts";
import { event, recordingContext, type Source, type Used } from "./recordingContext.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

type Field = GraphQLField<unknown, Context>;

const fields = Object.values(schema.getTypeMap())
  .filter((type) => isObjectType(type) && !type.name.startsWith("__"))
  .flatMap((type) =>
    Object.values(isObjectType(type) ? type.getFields() : {}).map((field: Field) => ({
      type: type.name,
      name: `${type.name}.${field.name}`,
      field,
    })),
  );
type NamedField = (typeof fields)[number];

const row = callLog();
const end = { startCursor: () => null, endCursor: () => null };
const option = { retryCount: null, retryInterval: null };
const recipient = { taskId: "7", recipient: "s-1", lastSession: "s-1", outcome: "BUSY", attempts: 1 };
const recording = { sessionId: "s-1", status: "ARCHIVED", addressExpiresAt: 0, archivedAt: null };
const proposal = { summary: { overridesAssistant: true }, submission: { id: "x", viewer: "web", assistantId: "1" } };
const day = "2026-11-20T00:00:00.000Z";
const historyImport = { state: "RUNNING", keptSince: day, until: day, readThrough: day, startedAt: day };
const submission = { id: "x", taskId: "7", proposal };

/** The parent object of a type's fields. What it holds was loaded, and counted, by the field that gave it. */
function parentOf(type: string, context: Context): unknown {
  const parents: Record<string, unknown> = {
    Alert: { id: 1, subject: "task 7", taskId: "7", value: 0, threshold: 1, detail: "{}" },
    AlertConnection: { edges: [] },
    AlertRule: { rule: {}, doubts: [] },
    AuditEvent: { id: 1, action: "TASK_SUBMITTED", subject: "x" },
    AuditEventConnection: { edges: [] },
    Assistant: { assistantId: "1", versionId: "2", usageCount: null },
    CallAssistant: { assistantId: "1", versionId: "2" },
    CallEnded: event,
    CallEndedConnection: { edges: [] },
    CallLog: row,
    CallLogConnection: { rows: [row], headCursor: () => "c" },
    CallLogEdge: { list: { cursorAt: () => "c" }, at: 0 },
    CallStats: callStats(null, context),
    Destination: { definition: { name: "crm", kind: "event", url: "https://crm.example" }, state: null },
    DestinationLetter: { event, waitMs: null },
    EventLogStatus: gatewayStatus(context).events,
    GatewayStatus: gatewayStatus(context),
    HistoryImport: historyImport,
    KnownAssistant: { id: "1", name: null, versionIds: ["2"], knownFrom: [], seenAt: null },
    PageInfo: end,
    RawDelivery: { event, body: Buffer.from("x"), missing: null },
    QuarantinedDelivery: { id: 1, body: Buffer.from("x") },
    QuarantinedDeliveryConnection: { edges: [] },
    Recipient: recipient,
    RecipientConnection: { edges: [] },
    Recording: recording,
    Task: task(),
    TaskConnection: { edges: [{ taskId: "7" }] },
    TaskCount: { taskId: "7" },
    TaskEdge: { taskId: "7" },
    TaskOption: option,
    TaskProposal: proposal,
    TaskSubmission: submission,
    TaskSubmissionConnection: { edges: [] },
    ViewerLimits: {},
    Viewer: { name: "web", scopes: new Set(), ...unrestricted },
  };
  return parents[type] ?? {};
}

const everyNode = [
  nodeId("Task", "7"),
  nodeId("Assistant", "1", "2"),
  nodeId("CallLog", "s-1"),
  nodeId("CallEnded", "s-1", "1"),
  nodeId("TaskSubmission", "x"),
  nodeId("QuarantinedDelivery", "1"),
  nodeId("Recording", "s-1"),
  nodeId("AuditEvent", "1"),
  nodeId("Alert", "1"),
];
const ids: Record<string, string> = {
  "Mutation.acknowledgeAlert": nodeId("Alert", "1"),
  "Query.node": nodeId("CallLog", "s-1"),
  "Query.taskSubmission": nodeId("TaskSubmission", "x"),
  "Subscription.taskSubmission": nodeId("TaskSubmission", "x"),
  "Mutation.approveTask": nodeId("TaskSubmission", "x"),
  "Mutation.declineTask": nodeId("TaskSubmission", "x"),
  "Mutation.discardQuarantined": nodeId("QuarantinedDelivery", "1"),
  "Mutation.reprocessQuarantined": nodeId("QuarantinedDelivery", "1"),
};

function argsOf({ name, field }: NamedField): Record<string, unknown> {
  const samples: Record<string, unknown> = {
    id: ids[name],
    ids: everyNode,
    taskId: "7",
    taskIds: ["7"],
    sessionId: "s-1",
    assistantId: "1",
    versionId: "2",
    idempotencyKey: "key",
    number: "13800010001",
    numbers: ["13800010001"],
    input: { numbers: [] },
    first: 10,
    order: "oldestFirst",
    revisions: false,
    since: day,
    bucket: "hour",
    name: "crm",
    language: "en",
    cursor: "c",
  };
  return Object.fromEntries(field.args.map((arg) => [arg.name, samples[arg.name] ?? null]));
}

const [operation] = parse("{ nodes { caller } }").definitions as [OperationDefinitionNode];
const info = { fieldNodes: operation.selectionSet.selections, fragments: {} } as unknown as GraphQLResolveInfo;

/** Runs the field once and tells what it used. */
async function run(named: NamedField): Promise<{ used: Set<Used>; error: unknown }> {
  const { context, used } = recordingContext();
  const parent = parentOf(named.type, context);
  used.clear();
  const { field } = named;
  try {
    if (field.subscribe) {
      const items = (await field.subscribe(parent, argsOf(named), context, info)) as AsyncIterator<unknown>;
      await items.next();
      return { used, error: null };
    }
    const value = await field.resolve?.(parent, argsOf(named), context, info);
    if (Array.isArray(value)) await Promise.all(value);
    return { used, error: null };
  } catch (error) {
    return { used, error };
  }
}

const results = await Promise.all(fields.map(async (named) => ({ ...named, ...(await run(named)) })));
const names = (some: readonly NamedField[]) => some.map(({ name }) => name).toSorted();
const markOf = (field: Field, source: Source) => extensionsOf(field)[source === "service" ? "requests" : "rows"];

describe("the cost of an operation is known before it runs:", () => {
  it("every field of the graph can be run with the samples of this test", () => {
    expect(results.filter(({ error }) => error !== null).map(({ name, error }) => [name, error])).toEqual([]);
    expect(results.length).toBeGreaterThan(150);
  });

  it("a field that requests the service is marked with the number of requests (requests in schema/builder.ts)", () => {
    const unmarked = results.filter(({ field, used }) => used.has("service") && !markOf(field, "service"));
    expect(names(unmarked)).toEqual([]);
  });

  it("a field that reads the database is marked with the number of rows (rows and scans in schema/builder.ts)", () => {
    const unmarked = results.filter(({ field, used }) => used.has("database") && !markOf(field, "database"));
    expect(names(unmarked)).toEqual([]);
  });

  it("a field that loads lists of calls is marked with their filter (listFilter in schema/builder.ts), and no other", () => {
    const isMarked = ({ field }: NamedField) => extensionsOf(field).listFilter !== undefined;
    expect(names(results.filter(({ used }) => used.has("lists")))).toEqual(names(fields.filter(isMarked)));
    expect(names(fields.filter(isMarked))).toEqual(["Query.callLogs", "Task.callLogs"]);
  });

  it("a marked field uses the source of its mark", () => {
    const unused = (source: Source) =>
      names(results.filter(({ field, used }) => markOf(field, source) && !used.has(source)));
    // The fields of the call make the requests and reads; checkTask asks the service only where people are called again.
    expect(unused("service")).toEqual(["CallEnded.callLog", "Mutation.checkTask"]);
    // Watching a task reads no rows, and createTask reads some only where people are called again: both are marked with 0. Lists of calls read the log for a filter by phone number only.
    const withPhone = ["Query.callLogs", "Task.callLogs"];
    const others = unused("database").filter((name) => !withPhone.includes(name));
    expect(others).toEqual(["CallEnded.callLog", "Mutation.createTask", "Subscription.taskProgress"]);
  });

  it("a list above a field that requests the service has a size: first, ids or taskIds", () => {
    const unsized = fields
      .filter(({ field }) => isList(field.type) && requestsBelow(getNamedType(field.type).name))
      .filter(({ field }) => !field.args.some(({ name }) => ["first", "ids", "taskIds"].includes(name)))
      .filter(({ type, field }) => !(type.endsWith("Connection") && ["edges", "nodes"].includes(field.name)));
    expect(names(unsized)).toEqual([]);
  });
});

function isList(type: GraphQLType): boolean {
  return isListType(type) || (isNonNullType(type) && isListType(type.ofType));
}

/** Whether a field of the type, or below it, requests the service. */
function requestsBelow(typeName: string, seen = new Set<string>()): boolean {
  if (seen.has(typeName)) return false;
  seen.add(typeName);
  return fields
    .filter(({ type }) => type === typeName)
    .some(({ field }) => markOf(field, "service") || requestsBelow(getNamedType(field.type).name, seen));
}
