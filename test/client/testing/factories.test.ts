import { readFileSync } from "node:fs";
import { buildSchema, GraphQLObjectType } from "graphql";
import { describe, expect, it } from "vitest";
import * as testing from "../../../client/src/testing/index.ts";
import {
  callEnded,
  callLog,
  callLogConnection,
  factories,
  task,
  taskSubmission,
} from "../../../client/src/testing/index.ts";

const graph = buildSchema(readFileSync("src/schema/schema.graphql", "utf8"));
const roots = [graph.getQueryType(), graph.getMutationType(), graph.getSubscriptionType()];
const objectTypes = Object.values(graph.getTypeMap())
  .filter((type) => type instanceof GraphQLObjectType)
  .filter((type) => !type.name.startsWith("__") && !roots.includes(type));
const made = Object.values(factories).map((factory) => factory());

describe("the factories", () => {
  it("are one for each object type of the graph", () => {
    expect(made.map((value) => value.__typename).sort()).toEqual(objectTypes.map(({ name }) => name).sort());
  });

  it.each(objectTypes.map((type) => [type.name, type] as const))("give every field of %s a value", (name, type) => {
    const value = made.find(({ __typename }) => __typename === name) ?? {};
    expect(Object.keys(value).sort()).toEqual([...Object.keys(type.getFields()), "__typename"].sort());
    expect(Object.values(value)).not.toContain(undefined);
  });

  it("are exported by name", () => {
    expect(testing).toMatchObject(factories);
  });

  it("take what the caller gives, null too", () => {
    expect(callEnded({ sessionId: "s-1", task: null })).toMatchObject({ sessionId: "s-1", task: null });
  });

  it("make the same value each time", () => {
    expect(callEnded()).toEqual(callEnded());
  });

  it("tell different calls apart by id and cursor", () => {
    const [one, other] = [callEnded({ sessionId: "s-1" }), callEnded({ sessionId: "s-2" })];
    expect(one.id).not.toBe(other.id);
    expect(one.cursor).not.toBe(other.cursor);
  });

  it("keep a call and its event equal", () => {
    const call = callLog({ sessionId: "s-1", taskId: "9", caller: "A1", answered: false });
    expect(call).toMatchObject({ billsec: 0, answerAt: null, task: { taskId: "9" } });
    expect(call.callEnded).toMatchObject({ sessionId: "s-1", taskId: "9", caller: "A1", answered: false, billsec: 0 });
  });

  it("make an inbound call without a task, ended by the customer as its caller", () => {
    const event = callEnded({ direction: "INBOUND", hangupSide: "CALLER" });
    expect(event).toMatchObject({ taskId: null, taskItemId: null, task: null, hungUpBy: "CUSTOMER" });
  });

  it("make the edges of a page from its nodes", () => {
    const page = callLogConnection({ nodes: [callLog({ sessionId: "s-1" }), callLog({ sessionId: "s-2" })] });
    expect(page.edges.map(({ node }) => node.sessionId)).toEqual(["s-1", "s-2"]);
    expect(page.totalCount).toBe(2);
  });

  it("give a submission a task only when it is resolved", () => {
    expect(taskSubmission({ taskId: "9" }).task).toEqual(task({ taskId: "9", callLogs: null }));
    expect(taskSubmission({ status: "UNCONFIRMED" })).toMatchObject({ taskId: null, task: null, matchedBy: null });
  });
});
