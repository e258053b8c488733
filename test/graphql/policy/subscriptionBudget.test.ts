import type { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { createCheckReserve } from "../../../src/loaders/checkReserve.ts";
import { createLoaders } from "../../../src/loaders/loaders.ts";
import { createProof, type OwnProof } from "../../../src/loaders/proof.ts";
import type { Requester } from "../../../src/upstream/requester.ts";
import { callEnded, tempLog } from "../../events/callEnded.ts";
import { listChecks } from "../../upstream/service.ts";
import { codes, pipeline } from "../pipeline.ts";
import { service } from "./budgetService.ts";

/** Proofs that the test lets hold, and expire as proofs.ts does. */
function expiringProofs() {
  const proofs = new Map<string, OwnProof>();
  const setAll = (size: number) => proofs.forEach((proof) => proof.restore(size));
  return {
    of: (name: string) => proofs.getOrInsertComputed(name, () => createProof()),
    holdAll: () => setAll(Infinity),
    expireAll: () => setAll(0),
  };
}

describe("a subscription, which outlives what is proven", () => {
  const LIVE = "subscription { callEnded { sessionId task { callLogs(first: 3) { totalCount } } } }";

  async function subscribing(queryBudget: number) {
    const { upstream, requests } = service({ keepsRange: true }, "many");
    const log = await tempLog();
    const proofs = expiringProofs();
    const known = listChecks({ proofs });
    const loaders = (_: AbortSignal, asker: Requester) => createLoaders(upstream, known, asker);
    const checkReserve = createCheckReserve(proofs);
    const made = pipeline({ queryBudget, checkReserve, loaders, introspection: true, own: { events: log } });
    proofs.holdAll();
    return { ...made, proofs, requests, end: (sessionId: string) => log.append(callEnded({ sessionId }), "WEBHOOK") };
  }
  /** The requests that it may need, and those that are set aside for checks. */
  async function countedForLive() {
    const { prepare, grantOf } = await subscribing(2);
    const operation = prepare({ query: LIVE }, grantOf());
    const message = ("errors" in operation && operation.errors[0]?.message) || "";
    const [, counted, checks] = /may need (\d+) requests .*, and (\d+) to check/.exec(message) ?? [];
    return { counted: Number(counted), checks: Number(checks) };
  }

  it("is refused where QUERY_BUDGET has no room for checks, whatever is proven when it begins", async () => {
    const { counted, checks } = await countedForLive();
    expect([counted, checks]).toEqual([2, 14]);
    const { prepare, grantOf } = await subscribing(counted + checks - 1);
    const { errors } = prepare({ query: LIVE }, grantOf()) as { errors: GraphQLError[] };
    expect(codes(errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    expect(errors[0]?.message).toBe(
      "Each event of the subscription may need 2 requests to the service, and 14 to check its lists; QUERY_BUDGET is 15. Ask for less, or set QUERY_BUDGET to 16 or more.",
    );
  });

  it("begins with the QUERY_BUDGET that its refusal names, however small the budget was", async () => {
    for (const queryBudget of [1, 2, 15]) {
      const refused = await subscribing(queryBudget);
      const operation = refused.prepare({ query: LIVE }, refused.grantOf());
      const [, named] =
        /set QUERY_BUDGET to (\d+)/.exec(("errors" in operation && operation.errors[0]?.message) || "") ?? [];
      expect(named).toBe("16");
      const { prepare, grantOf } = await subscribing(Number(named));
      expect(prepare({ query: LIVE }, grantOf())).not.toHaveProperty("errors");
    }
  });

  it("has room for checks again at each event", async () => {
    const { counted, checks } = await countedForLive();
    const { subscribe, proofs, requests, end } = await subscribing(counted + checks);
    const results = await subscribe(LIVE);
    const perEvent: number[] = [];
    for (const sessionId of ["a", "b", "c"]) {
      const before = requests();
      await end(sessionId);
      const { value } = await results.next();
      expect(value).toEqual({
        data: { callEnded: { sessionId, task: { callLogs: { totalCount: expect.any(Number) } } } },
      });
      perEvent.push(requests() - before);
      proofs.expireAll();
    }
    await results.return?.();
    expect(perEvent[0]).toBe(counted);
    for (const needed of perEvent.slice(1)) {
      expect(needed).toBeGreaterThan(counted);
      expect(needed).toBeLessThanOrEqual(counted + checks);
    }
  });
});
