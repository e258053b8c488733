import { describe, expect, it } from "vitest";
import { lastingGrant } from "../../../src/auth/grant.ts";
import { scopes } from "../../../src/auth/scopes.ts";
import { unrestricted, type ViewerAccess } from "../../../src/auth/viewerPolicy.ts";
import { createCheckReserve, type ListUse } from "../../../src/loaders/checkReserve.ts";
import { createProofs } from "../../../src/loaders/proofs.ts";
import { FILTER_PROOFS, filterProof } from "../../../src/loaders/verifyFilter.ts";
import { NO_CHECKS } from "../../../src/upstream/requester.ts";
import { pipeline } from "../pipeline.ts";

/** The lists that checks are set aside for; null: none. */
function usesOf(query: string, access: ViewerAccess | null = null, variables: unknown = {}): object | null {
  let found: ListUse | null = null;
  const checkReserve = (use: ListUse) => {
    found = use;
    return NO_CHECKS;
  };
  const grant = lastingGrant({ name: "web", scopes: new Set(scopes), ...unrestricted, access });
  const operation = pipeline({ checkReserve }).prepare({ query, variables }, grant);
  expect("errors" in operation).toBe(false);
  const use = found as ListUse | null;
  return use && { ...use, filters: [...use.filters].toSorted() };
}

describe("The checks that an operation is admitted with", () => {
  it.each([
    ["{ task(taskId: 7) { name } callStats { calls } }", null],
    ["{ callLogs { totalCount } }", { filters: [], taskIds: 0, assistantIds: 0 }],
    ["{ task(taskId: 7) { callLogs { totalCount } } }", { filters: ["taskIds"], taskIds: 1, assistantIds: 0 }],
    [
      '{ a: callLogs(filter: { taskIds: [1, 2], phone: "138" }) { totalCount } b: callLogs(filter: { taskIds: [3], kind: PHONE }) { totalCount } }',
      { filters: ["kind", "phone", "taskIds"], taskIds: 2, assistantIds: 0 },
    ],
    [
      "{ callLogs(filter: { assistantIds: [4, 5, 6], direction: null }) { totalCount } }",
      { filters: ["assistantIds"], taskIds: 0, assistantIds: 3 },
    ],
    ["{ callLogs @skip(if: true) { totalCount } }", null],
  ])("are of its lists: %s", (query, use) => {
    expect(usesOf(query)).toEqual(use);
  });

  it.each<[ViewerAccess, object]>([
    [{ taskIds: ["1", "2"] }, { filters: ["taskIds"], taskIds: 10, assistantIds: 0 }],
    [{ submittedBy: "self" }, { filters: ["taskIds"], taskIds: 10, assistantIds: 0 }],
    [{ assistantIds: ["4", "5"] }, { filters: ["assistantIds"], taskIds: 0, assistantIds: 2 }],
  ])("are also of what access adds to each list: %j", (access, use) => {
    expect(usesOf("{ callLogs { totalCount } }", access)).toEqual(use);
  });

  it("are one for each filter, and as many as prove the rest; none for what is proven", () => {
    const proofs = createProofs();
    const reserve = createCheckReserve(proofs);
    const use: ListUse = { filters: new Set(["phone", "taskIds"]), taskIds: 3, assistantIds: 2 };
    expect(reserve(use, false)).toEqual({ filter: 6, end: 3, count: 6, tasks: 3, assistants: 2 });
    for (const key of [...FILTER_PROOFS.ranges, "phone"]) proofs.of(filterProof(key)).confirm();
    proofs.of("list ends").confirm();
    proofs.of("several tasks").confirm(2);
    proofs.of("several assistants").confirm();
    expect(reserve(use, false)).toEqual({ filter: 1, end: 0, count: 3, tasks: 3, assistants: 0 });
    expect(reserve({ ...use, taskIds: 2 }, false).tasks).toBe(0);
    proofs.of("exact totals").confirm(10_001);
    proofs.of(filterProof("taskIds")).confirm();
    expect(reserve({ ...use, taskIds: 2 }, false)).toEqual(NO_CHECKS);
    expect(reserve(use, true)).toEqual({ filter: 6, end: 3, count: 6, tasks: 3, assistants: 2 });
  });
});
