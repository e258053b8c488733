import { describe, expect, it } from "vitest";
import { node } from "../../src/resolvers/node.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { taskSubmission, taskSubmissionByKey, taskSubmissions } from "../../src/resolvers/submissions.ts";
import type { Scope } from "../../src/auth/scopes.ts";
import type { Context } from "../../src/resolvers/context.ts";
import { ANY_QUOTA, submission, tempStore } from "../store/tempStore.ts";
import { createSignal } from "../../src/util/signal.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSubmissionService } from "../../src/tasks/submissionService.ts";
import { pipeline } from "../graphql/pipeline.ts";
import { world } from "./world.ts";

async function context(viewer = "web"): Promise<Context> {
  const { submissions, proposals, leases } = await tempStore();
  await submissions.claim(submission({ id: "a", status: "ACCEPTED", idempotencyKey: "k" }), ANY_QUOTA);
  await submissions.claim(submission({ id: "b", status: "ACCEPTED", idempotencyKey: "k", viewer: "ops" }), ANY_QUOTA);
  const desk = createSubmissionService({
    submissions,
    proposals,
    leases,
    changes: createSignal(),
    correlates: true,
    clock: Date.now,
    log: silentLog,
  });
  const { context: rest } = world({ own: { submissions: desk } });
  return { ...rest, viewer: { ...rest.viewer, name: viewer } };
}

describe("submissions", () => {
  it("are found in a list and by id, whoever made them", async () => {
    const asked = await context();
    const { edges, pageInfo } = await taskSubmissions({ first: 1 }, asked);
    expect([edges.map(({ node }) => node.id), pageInfo.hasNextPage]).toEqual([["b"], true]);
    const next = await taskSubmissions({ first: 1, after: pageInfo.endCursor() }, asked);
    expect([next.edges.map(({ node }) => node.id), next.pageInfo.hasNextPage]).toEqual([["a"], false]);
    expect(await taskSubmission(nodeId("TaskSubmission", "b"), asked)).toMatchObject({ viewer: "ops" });
    expect(await taskSubmission(nodeId("TaskSubmission", "nobody"), asked)).toBeNull();
    expect(await node(nodeId("TaskSubmission", "a\0"), asked)).toBeNull();
  });

  it("are listed without a gap if one of a page was removed in between", async () => {
    const { submissions, proposals, leases } = await tempStore();
    for (const id of ["a", "b", "c"]) {
      await submissions.claim(
        submission({ id, status: id === "c" ? "PENDING" : "ACCEPTED", idempotencyKey: id }),
        ANY_QUOTA,
      );
    }
    const page: typeof submissions.page = async (request) => {
      const found = await submissions.page(request);
      await submissions.release("c");
      return found;
    };
    const { context: asked } = world({
      own: {
        submissions: createSubmissionService({
          submissions: { ...submissions, page },
          proposals,
          leases,
          changes: createSignal(),
          correlates: true,
          clock: Date.now,
          log: silentLog,
        }),
      },
    });
    const { edges, pageInfo } = await taskSubmissions({ first: 1 }, asked);
    expect([edges.map(({ node }) => node.id), pageInfo.hasNextPage]).toEqual([["b"], true]);
  });

  it("are found by key by their own viewer only", async () => {
    expect((await taskSubmissionByKey("k", await context("web")))?.id).toBe("a");
    expect((await taskSubmissionByKey("k", await context("ops")))?.id).toBe("b");
    expect(await taskSubmissionByKey("k", await context("somebody"))).toBeNull();
  });

  it("name their submitter to the submitter and to admin alone", async () => {
    const { submissions, queuedRead } = await context();
    const { run } = pipeline({ own: { submissions, queuedRead } });
    const seen = async (...scopes: Scope[]) => {
      const { data } = await run("{ taskSubmissions { nodes { submittedBy } } }", {}, ["tasks:create", ...scopes]);
      return data?.["taskSubmissions"];
    };
    expect(await seen()).toEqual({ nodes: [{ submittedBy: null }, { submittedBy: "web" }] });
    expect(await seen("people:read")).toEqual({ nodes: [{ submittedBy: null }, { submittedBy: "web" }] });
    expect(await seen("admin")).toEqual({ nodes: [{ submittedBy: "ops" }, { submittedBy: "web" }] });
  });

  it("are refused for an invalid key, id, page size or cursor", async () => {
    const asked = await context();
    for (const key of ["", "k".repeat(256), "k\0", "k\ud800"]) {
      await expect(taskSubmissionByKey(key, asked)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    }
    for (const id of ["", "a", nodeId("Task", "7"), nodeId("TaskSubmission", "a\0")]) {
      expect(() => taskSubmission(id, asked)).toThrow("id must be the id of a TaskSubmission");
    }
    await expect(taskSubmissions({ first: 101 }, asked)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    const forged = asked.signer.sign("quarantine", "1");
    for (const after of ["x", forged]) {
      await expect(taskSubmissions({ first: 1, after }, asked)).rejects.toMatchObject({ code: "CURSOR_INVALID" });
    }
  });
});
