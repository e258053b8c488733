import { describe, expect, it } from "vitest";
import type { Scope } from "../../src/auth/scopes.ts";
import { auditEvent, auditEvents, subjectId, type AuditEventFilter } from "../../src/resolvers/auditEvents.ts";
import { node } from "../../src/resolvers/node.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { recording } from "../store/contract/recordings.ts";
import { tempStore } from "../store/tempStore.ts";
import { world } from "./world.ts";

async function askedOf(count: number) {
  const { audit, queuedRead, recordings } = await tempStore();
  const sessionIds = Array.from({ length: count }, (_, at) => `s-${at + 1}`);
  await recordings.add(sessionIds.map((sessionId) => recording(sessionId)));
  for (const sessionId of sessionIds) await audit.addPlay({ actor: "web", at: "2026-11-20T09:30:00.000Z", sessionId });
  return world({ own: { audit, queuedRead } }).context;
}

describe("auditEvents", () => {
  it("has pages, newest first, with sealed cursors of its own", async () => {
    const asked = await askedOf(3);
    const first = await auditEvents({ first: 2 }, asked);
    expect([first.edges.map((edge) => edge.node.id), first.pageInfo.hasNextPage]).toEqual([[3, 2], true]);
    const second = await auditEvents({ first: 2, after: first.pageInfo.endCursor() }, asked);
    expect([second.edges.map((edge) => edge.node.id), second.pageInfo.hasNextPage]).toEqual([[1], false]);
    expect(second.pageInfo.hasPreviousPage).toBe(true);
    for (const after of ["1", asked.signer.sign("quarantine", "1")])
      await expect(auditEvents({ first: 2, after }, asked)).rejects.toMatchObject({ code: "CURSOR_INVALID" });
    await expect(auditEvents({ first: 101 }, asked)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
  });

  it("are searched by the ids of the graph, one call's by either of its ids", async () => {
    const asked = await askedOf(3);
    const found = async (filter: AuditEventFilter) =>
      (await auditEvents({ first: 9, filter }, asked)).edges.map(({ node: { id } }) => id);
    expect(await found({ subjectId: nodeId("Recording", "s-2") })).toEqual([2]);
    expect(await found({ subjectId: nodeId("CallEnded", "s-2", "1") })).toEqual([2]);
    expect(await found({ subjectId: nodeId("TaskSubmission", "s-2") })).toEqual([]);
    expect(await found({ actors: ["web"], since: "2026-11-20T09:30:00.000Z" })).toEqual([3, 2, 1]);
    expect(await found({ until: "2026-11-20T09:30:00.000Z" })).toEqual([]);
    const next = await auditEvents(
      { first: 1, after: asked.signer.sign("audit", "3"), filter: { actors: ["web"] } },
      asked,
    );
    expect([next.edges.map(({ node: { id } }) => id), next.pageInfo.hasNextPage]).toEqual([[2], true]);
  });

  it.each<[string, AuditEventFilter, string]>([
    ["an id of another type", { subjectId: nodeId("Task", "1") }, "BAD_USER_INPUT"],
    ["an id of nothing", { subjectId: "x" }, "BAD_USER_INPUT"],
    ["a name that no viewer has", { actors: ["a\0"] }, "BAD_USER_INPUT"],
    [
      "times in the wrong order",
      { since: "2026-11-20T09:30:01.000Z", until: "2026-11-20T09:30:00.000Z" },
      "BAD_USER_INPUT",
    ],
    ["too many names", { actors: Array.from({ length: 101 }, () => "web") }, "QUERY_TOO_COMPLEX"],
  ])("refuse %s", async (_, filter, code) => {
    await expect(auditEvents({ first: 9, filter }, await askedOf(1))).rejects.toMatchObject({ code });
  });

  it("are searched for a name with a number in it by a viewer who sees such a name only", async () => {
    const asked = await askedOf(1);
    const filter = { actors: ["ops +8613800010001"] };
    const blind = { ...asked, viewer: { ...asked.viewer, scopes: new Set<Scope>(["admin"]) } };
    await expect(auditEvents({ first: 9, filter }, blind)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const seeing = { ...asked, viewer: { ...asked.viewer, scopes: new Set<Scope>(["admin", "people:read"]) } };
    expect((await auditEvents({ first: 9, filter }, seeing)).edges).toEqual([]);
  });

  it("has entries that are nodes, and leads to what was acted on", async () => {
    const asked = await askedOf(1);
    const entry = await auditEvent("1", asked);
    expect(await node(nodeId("AuditEvent", "1"), asked)).toEqual(entry);
    expect(entry && subjectId(entry)).toBe(nodeId("Recording", "s-1"));
    for (const key of ["2", "-1", "x", ""]) expect(await auditEvent(key, asked)).toBeNull();
  });
});
