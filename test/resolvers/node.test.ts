import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callLogId, callOfRow, taskOf } from "../../src/resolvers/callLog.ts";
import { node, nodes, nodeType } from "../../src/resolvers/node.ts";
import { nodeId, readNodeId, type IdType } from "../../src/resolvers/nodeId.ts";
import { submission } from "../store/tempStore.ts";
import { callLog, task, world } from "./world.ts";

const types: IdType[] = ["CallLog", "Task", "Assistant", "CallEnded", "TaskSubmission"];
const event = { cursor: "c", sessionId: "s-1", revision: 2 };
const own = {
  events: { byRevision: async (id: string, revision: number) => (id === "s-1" && revision === 2 ? event : null) },
  submissions: { byId: async (id: string) => (id === "1" ? submission({ id }) : null) },
} as never;

describe("nodeId", () => {
  it("is read back as its type and key", () => {
    const key = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...types), key, (type, parts) => {
        const id = nodeId(type, ...parts);
        expect(id).toMatch(/^[\w-]+$/);
        expect(readNodeId(id)).toEqual({ type, key: parts });
      }),
    );
  });

  it("differs for other types, and for other parts of a key", () => {
    const ids = [...types.map((type) => nodeId(type, "1")), nodeId("Assistant", "1", "2"), nodeId("Assistant", "12")];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    "",
    "1",
    "Task:1",
    `${nodeId("Task", "1")}=`,
    ` ${nodeId("Task", "1")}`,
    nodeId("Task", "1").slice(1),
    Buffer.from("[]").toString("base64url"),
    Buffer.from('["Task"]').toString("base64url"),
    Buffer.from('["Task",1]').toString("base64url"),
    Buffer.from('{"0":"Task"}').toString("base64url"),
    Buffer.from("null").toString("base64url"),
    Buffer.from('["Task", "1"]').toString("base64url"),
  ])("does not make %j", (id) => {
    expect(readNodeId(id)).toBeNull();
  });
});

describe("node(id)", () => {
  it("finds a task, an event and a submission", async () => {
    const { context } = world({ tasks: { 7: task() }, own });
    const found = await Promise.all(
      nodes([nodeId("Task", "7"), nodeId("CallEnded", "s-1", "2"), nodeId("TaskSubmission", "1")], context),
    );
    expect(found).toEqual([task(), event, submission({ id: "1" })]);
    expect(found.map((record) => record && nodeType(record))).toEqual(["Task", "CallEnded", "TaskSubmission"]);
  });

  it("is null if the object does not exist", async () => {
    const { context } = world({ own });
    for (const id of [
      nodeId("Task", "8"),
      nodeId("CallEnded", "x", "2"),
      nodeId("CallEnded", "s-1", "1"),
      nodeId("CallLog", "s-9"),
      nodeId("Assistant", "1", "2"),
      nodeId("CallLog", "", "a digest"),
      nodeId("TaskSubmission", "2"),
    ]) {
      expect(await node(id, context)).toBeNull();
    }
  });

  it.each([
    ["nonsense"],
    [nodeId("CallEnded", "s-1")],
    [nodeId("CallEnded", "s-1", "0")],
    [nodeId("CallEnded", "s-1", "1e3")],
    [nodeId("Assistant", "1")],
    [nodeId("Assistant", "1", "v2")],
    [nodeId("toString" as IdType, "1")],
    [nodeId("Task", "1/../2")],
    [nodeId("Task", "0")],
    [nodeId("Task", "")],
  ])("refuses %s before any request", async (id) => {
    const { context, askedTasks } = world();
    await expect(node(id, context)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    expect(askedTasks).toEqual([]);
  });

  it("gives nodes in the order of their ids, each with its own failure", async () => {
    const { context } = world({ tasks: { 7: new Error("down"), 8: task({ taskId: "8" }) } });
    const found = await Promise.allSettled(nodes([nodeId("Task", "7"), nodeId("Task", "8"), "x"], context));
    expect(found.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  });

  it("refuses more than 100 ids", () => {
    const ids = Array.from({ length: 101 }, () => nodeId("Task", "7"));
    expect(() => nodes(ids, world().context)).toThrow(expect.objectContaining({ code: "QUERY_TOO_COMPLEX" }));
  });
});

describe("node(id) checks the scope of the type in the id", () => {
  it.each([
    ["TaskSubmission", ["calls:read"], "tasks:create, tasks:propose or tasks:approve"],
    ["Task", ["tasks:create"], "calls:read"],
    ["CallEnded", [], "calls:read"],
  ] as const)("%s", async (type, viewer, scope) => {
    const found = node(nodeId(type, "1"), world({ viewer }).context);
    await expect(found).rejects.toMatchObject({ code: "FORBIDDEN", message: `A ${type} needs the scope ${scope}.` });
  });
});

describe("the id of a call", () => {
  const { context } = world();
  const idOf = (row: Parameters<typeof callOfRow>[0]) => callLogId(callOfRow(row, context), context) as string;

  it("is made of its session ID", () => {
    expect(idOf(callLog())).toBe(nodeId("CallLog", "s-1"));
  });

  it("is made of a keyed digest of its row if it has no session ID", () => {
    const [a, b] = [callLog({ sessionId: null }), callLog({ sessionId: null, callee: "13800010002" })];
    const id = idOf(a);
    expect(idOf({ ...a })).toBe(id);
    expect(idOf(b)).not.toBe(id);
    expect(Buffer.from(id, "base64url").toString()).not.toContain("1380001");
    expect(id).not.toBe(nodeId("CallLog", readNodeId(id)?.key[1] ?? ""));
  });

  it("does not make taskOf load a missing task", async () => {
    const { context, askedTasks } = world({ tasks: { 7: task() } });
    expect(await taskOf({ taskId: null }, context)).toBeNull();
    expect(await taskOf({ taskId: "7" }, context)).toEqual(task());
    expect(askedTasks).toEqual(["7"]);
  });
});
