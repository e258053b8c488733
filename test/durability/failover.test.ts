import { describe, expect, it } from "vitest";
import { failOver } from "./failover.ts";

describe("Two PostgreSQL servers with synchronous replication", () => {
  it(
    "fail over under load without a lost or repeated event, or a task created twice",
    { timeout: 300_000 },
    async () => {
      const result = await failOver({ failovers: 1, gateways: 2, readers: 4, webhooks: 30 });
      expect(result.stored.toSorted()).toEqual(result.acknowledged.toSorted());
      for (const received of result.sessionIds) expect(received).toEqual(result.stored);
      expect(result.refusals.filter((status) => status !== 503)).toEqual([]);
      expect(result.sent).toEqual(result.submitted);
      expect(result.submitted.length).toBeGreaterThan(0);
    },
  );
});
