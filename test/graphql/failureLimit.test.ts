import { describe, expect, it } from "vitest";
import { createFailureLimit } from "../../src/auth/failureLimit.ts";
import { codes, pipeline } from "./pipeline.ts";

const LIMIT = 3;
const BAD = ["{ canary", "{ canary }", "{ viewer { name(x: 1) } }", "{ task(taskId: true) { name } }"];
const GOOD = "{ viewer { name } }";

describe("A25: the limit of refusals", () => {
  it("counts each viewer apart, and starts anew after a minute", () => {
    let now = 0;
    const refusals = createFailureLimit(LIMIT, () => now);
    for (let at = 0; at < LIMIT; at += 1) expect(refusals.record("web")).toBeNull();
    expect(refusals.check("web")).toBeNull();
    now = 30_000;
    expect(refusals.record("web")).toMatchObject({ code: "RATE_LIMITED", retryAfter: 30 });
    expect(refusals.check("web")).toMatchObject({ code: "RATE_LIMITED", retryAfter: 30 });
    expect(refusals.record("ops")).toBeNull();
    now = 60_000;
    expect([refusals.check("web"), refusals.record("web")]).toEqual([null, null]);
  });

  it("counts refusals of every kind: syntax, document, scopes, variables, parameters", () => {
    const wrong: Parameters<ReturnType<typeof pipeline>["refusal"]>[] = [
      ...BAD.map((query): [{ query: string }] => [{ query }]),
      [{ query: "query ($id: ID!) { task(taskId: $id) { name } }" }],
      [{ query: "{ gateway { version } }" }, ["calls:read"]],
      [{ query: 7 }],
      [{ query: GOOD, operationName: "none" }],
    ];
    for (const asked of wrong) {
      const { refusal } = pipeline({ refusals: createFailureLimit(1) });
      expect(codes(refusal(...asked))).not.toContain("RATE_LIMITED");
      expect(codes(refusal(...asked))).toEqual(["RATE_LIMITED"]);
    }
  });
});

describe("A25: a viewer over the limit of refusals", () => {
  it("gets no new document parsed, and may still run known ones", () => {
    const { prepared, refusal } = pipeline({ refusals: createFailureLimit(LIMIT) });
    prepared(GOOD);
    for (const query of BAD) refusal({ query });
    const [error] = refusal({ query: "{ serviceTimeZone }" });
    expect(error?.extensions).toMatchObject({
      code: "RATE_LIMITED",
      retryAfter: expect.any(Number) as number,
      http: { status: 429 },
    });
    prepared(GOOD);
  });

  it("does not evict documents of other viewers", () => {
    const { prepared, refusal } = pipeline({ refusals: createFailureLimit(1e9) });
    const before = prepared(GOOD).document;
    for (let at = 0; at < 1500; at += 1) refusal({ query: `{ canary${at} }` });
    expect(prepared(GOOD).document).toBe(before);
  });
});
