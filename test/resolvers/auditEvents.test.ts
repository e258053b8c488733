import { describe, expect, it } from "vitest";
import { auditEvent, auditEvents, subjectId } from "../../src/resolvers/auditEvents.ts";
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

  it("has entries that are nodes, and leads to what was acted on", async () => {
    const asked = await askedOf(1);
    const entry = await auditEvent("1", asked);
    expect(await node(nodeId("AuditEvent", "1"), asked)).toEqual(entry);
    expect(entry && subjectId(entry)).toBe(nodeId("Recording", "s-1"));
    for (const key of ["2", "-1", "x", ""]) expect(await auditEvent(key, asked)).toBeNull();
  });
});
