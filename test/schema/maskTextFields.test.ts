import { setImmediate } from "node:timers/promises";
import {
  execute,
  getNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  parse,
  type GraphQLScalarType,
} from "graphql";
import { describe, expect, it } from "vitest";
import { scopes, type Scope } from "../../src/auth/scopes.ts";
import { maskTextFields, textFieldsOf } from "../../src/schema/maskTextFields.ts";
import { schema } from "../../src/schema/schema.ts";
import { createTimeSlices, type Steps } from "../../src/util/timeSlices.ts";
import type { AssistantRecord } from "../../src/upstream/upstream.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { task } from "../resolvers/world.ts";

const SEALED = "A cursor, sealed by the gateway.";

describe("A83: without people:read", () => {
  it("only text fields with a stated reason are not masked", () => {
    const safe = textFieldsOf(schema).flatMap(({ type, field: { name, extensions } }) =>
      extensions["safeText"] === undefined ? [] : [[`${type}.${name}`, extensions["safeText"]]],
    );
    expect(Object.fromEntries(safe)).toEqual({
      "AuditEventEdge.cursor": SEALED,
      "CallEnded.cursor": SEALED,
      "CallEndedConnection.headCursor": SEALED,
      "CallEndedEdge.cursor": SEALED,
      "CallLogConnection.headCursor": SEALED,
      "CallLogEdge.cursor": SEALED,
      "CalledHours.from": "The operator's setting.",
      "CalledHours.prefix": "The operator's setting.",
      "CalledHours.timeZone": "The operator's setting.",
      "CalledHours.to": "The operator's setting.",
      "CallingHours.from": "The operator's setting.",
      "CallingHours.to": "The operator's setting.",
      "CountryCount.countryCode": "Digits of the list of country codes.",
      "CreateTaskError.message": "The gateway's own words, without a value.",
      "CreateTaskError.path": "Names of the input and places in its lists.",
      "DoNotCallPayload.reasons": "A text of the gateway.",
      "EventLogStatus.newestCursor": SEALED,
      "GatewayStatus.version": "The gateway's own version.",
      "Alert.destination": "From the operator's file.",
      "Alert.rule": "From the operator's file.",
      "Alert.text": "Made of the operator's rule and names, IDs of the service and counts.",
      "AlertEdge.cursor": SEALED,
      "AlertRule.doubts": "From the operator's file.",
      "AlertRule.name": "From the operator's file.",
      "AuditEvent.tool": "From the gateway's or the operator's file.",
      "Destination.cursor": SEALED,
      "Destination.kind": "From the operator's file.",
      "Destination.name": "From the operator's file.",
      "Destination.order": "From the operator's file.",
      "Destination.url": "From the operator's file.",
      "DestinationLetter.cursor": SEALED,
      "HistoryImport.problem": "An error of the gateway.",
      "PageInfo.endCursor": SEALED,
      "PageInfo.startCursor": SEALED,
      "Projection.cursor": SEALED,
      "Projection.name": "Named by the gateway.",
      "Projection.version": "Named by the gateway.",
      "QuarantinedDeliveryEdge.cursor": SEALED,
      "Query.serviceTimeZone": "The operator's setting.",
      "RecipientConnection.upTo": SEALED,
      "RecipientCounts.upTo": SEALED,
      "RecipientEdge.cursor": SEALED,
      "Recording.url": "The gateway's own address, signed as a whole.",
      "RereadDeliveriesPayload.cursor": SEALED,
      "StreamCheckpoint.cursor": SEALED,
      "StreamGap.after": SEALED,
      "StreamGap.cursor": SEALED,
      "TaskEdge.cursor": SEALED,
      "TaskPeriod.from": "A time that was read.",
      "TaskPeriod.to": "A time that was read.",
      "TaskSchedule.startDate": "A date that was read.",
      "TaskSchedule.timeZone": "The operator's setting.",
      "TaskSubmission.idempotencyKey": "Made by a client, which must find it again.",
      "TaskSubmissionEdge.cursor": SEALED,
      "Viewer.name": "The viewer's own name.",
      "Viewer.scopes": "Words of a closed list.",
      "ViewerLimits.prefixes": "The operator's setting.",
      "WebhookTest.authorization": "Made by the gateway of a time and keyed hashes.",
      "WebhookTest.path": "From the operator's configuration.",
    });
  });
  it("fields of the type ID are not masked, because clients pass them back", () => {
    const ids = Object.values(schema.getTypeMap()).flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter((field) => getNamedType(field.type).name === "ID")
            .map((field) => `${type.name}.${field.name}`)
        : [],
    );
    const known = `
      Alert.assistantId Alert.id Alert.taskId Assistant.assistantId Assistant.creatorId Assistant.id
      Assistant.listenerId Assistant.projectId Assistant.speakerId Assistant.versionId AssistantCount.assistantId
      AssistantOverride.speakerId AuditEvent.id AuditEvent.subjectId CallAssistant.assistantId
      CallAssistant.versionId CallEnded.id CallEnded.sessionId CallEnded.taskId CallEnded.taskItemId CallLog.id
      CallLog.sessionId CallLog.taskId CalledAgain.taskId KnownAssistant.assistantId KnownAssistant.versionIds
      KnownLine.lineId QuarantinedDelivery.id Recording.id Recording.sessionId Task.assistantVersionId Task.id
      Task.taskId TaskCount.taskId TaskOption.lineIds TaskProposal.lineIds TaskSubmission.assistantId
      TaskSubmission.id TaskSubmission.taskId ViewerLimits.assistantIds ViewerLimits.lineIds`;
    expect(ids.toSorted()).toEqual(known.trim().split(/\s+/));
  });

  it("only fields of the types String, JSONObject and ID can hold a text", () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.name.startsWith("__"),
    );
    const leaves = types.flatMap((type) => (isObjectType(type) ? Object.values(type.getFields()) : []));
    const scalars = new Set(leaves.map((field) => getNamedType(field.type)).filter((type) => !("getFields" in type)));
    const names = [...scalars].filter((type) => !("getValues" in type)).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["Boolean", "DateTime", "Float", "ID", "Int", "JSONObject", "String"]);
  });
});

const NUMBER = "+8613955667788";
const MASKED = "+8613****7788";
const said = `call ${NUMBER} x`;
const assistant: AssistantRecord = {
  assistantId: "4",
  versionId: "5",
  projectId: "3",
  speakerId: "1",
  listenerId: "9",
  creatorId: "2",
  name: said,
  scene: said,
  welcome: said,
  prompt: said,
  knowledge: said,
  creatorEmail: "a@example.com",
  websocketUrl: `wss://voice.example/${NUMBER}`,
  collect: [{ question: said, answers: [said, "yes"] }],
  createdAt: null,
  updatedAt: null,
  deletedAt: null,
  isOldVersion: false,
  usageCount: 1,
};
const taskWithNumbers = task({
  name: said,
  summary: said,
  suggestion: said,
  option: () => ({
    numberFileMeta: [{ key: said, value: 0 }],
    lineIds: ["60"],
    startDate: said,
    periods: [["09:00", said]],
    retryCount: 1,
    retryInterval: 1,
  }),
  assistant: () => assistant,
  unread: () => [{ field: "status", text: "&#x31;\\x33%39556677&#56;8" }],
});
const QUERY = `{ task(taskId: "7") { taskId name summary suggestion unread { field text }
  option { numberFileMeta { key } startDate periods lineIds }
  assistant { name scene welcome prompt websocketUrl collect { question answers } } } }`;

describe("A83: a phone number in a text of a task or an assistant", () => {
  it.each([true, false])("is masked without people:read and shown with it; compiled: %s", async (compiles) => {
    const { run } = pipeline({ tasks: { "7": taskWithNumbers }, compiles });
    const some = scopes.filter((scope) => scope !== "people:read");
    // An operation is compiled from its second run on.
    for (let time = 0; time < 3; time += 1) {
      const shown = JSON.stringify(await run(QUERY, {}, some));
      expect(shown).not.toContain("55667788");
      expect(shown.split(MASKED)).toHaveLength(14);
      expect(shown).toContain('"text":"139****7788"');
      expect(shown).toContain('["09:00","call');
      const whole = JSON.stringify(await run(QUERY, {}, scopes));
      expect(whole.split(NUMBER)).toHaveLength(14);
    }
  });
});

describe("A83: a number in a JSON value", () => {
  const value = { age: 42, phone: 13955667788, list: [8613955667788, 7], "13955667788": "key" };
  const own = new GraphQLObjectType({
    name: "Query",
    fields: { extra: { type: schema.getType("JSONObject") as GraphQLScalarType, resolve: () => value } },
  });
  const shownWith = async (...granted: Scope[]) => {
    const contextValue = { viewer: { name: "web", scopes: new Set(granted) }, slices: createTimeSlices() };
    const masking = maskTextFields(new GraphQLSchema({ query: own }));
    const { data } = await execute({ schema: masking, document: parse("{ extra }"), contextValue });
    return data?.["extra"];
  };

  it("is masked as a text without people:read if it may be a phone number, and stays a number if not", async () => {
    const masked = "139****7788";
    expect(await shownWith()).toEqual({ age: 42, phone: masked, list: ["8613****7788", 7], [masked]: "key" });
    expect(await shownWith("people:read")).toEqual(value);
  });
});

describe("long texts of one operation, without people:read,", () => {
  const some = scopes.filter((scope) => scope !== "people:read");
  const long = (at: number) => `${at} ${said} `.repeat(400);
  const tasks = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [String(at + 1), task({ taskId: String(at + 1), summary: long(at % 2) })]),
  );
  const query = `{ ${Object.keys(tasks)
    .map((id) => `a${id}: task(taskId: "${id}") { summary }`)
    .join(" ")} }`;

  it("are masked, each in its own place", async () => {
    const { data } = await pipeline({ tasks }).run(query, {}, some);
    const masked = Object.values(tasks).map((_, at) => ({ summary: long(at % 2).replaceAll(NUMBER, MASKED) }));
    expect(Object.values(data ?? {})).toEqual(masked);
  });

  it("are one job in time slices", async () => {
    const slices = createTimeSlices();
    const owners: string[] = [];
    const counting = {
      async run<T>(owner: string, steps: Steps<T>): Promise<T> {
        owners.push(owner);
        await setImmediate();
        return slices.run(owner, steps);
      },
    };
    await pipeline({ tasks, own: { slices: counting } }).run(query, {}, some);
    expect(owners).toEqual(["web"]);
  });
});
