import { describe, expect, it } from "vitest";
import { shareCost } from "../../../src/auth/sharedPayment.ts";
import type { StreamItem } from "../../../src/events/eventLog.ts";
import {
  createSharedGroup,
  type SharedGroup,
  type SharedResult,
} from "../../../src/graphql/subscriptions/sharedGroup.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import { unrestricted } from "../../../src/auth/viewerPolicy.ts";

describe("a shared group with more members than one turn sends to", () => {
  it("sends each checkpoint once to a member that pays for the next item meanwhile", async () => {
    const MEMBERS_PER_TURN = 2;
    async function* items(): AsyncGenerator<StreamItem, undefined> {
      for (const cursor of ["1", "2", "3"]) yield { kind: "checkpoint", cursor };
      // Like the log, it does not end.
      await new Promise(() => undefined);
    }
    const payers: string[] = [];
    const group: SharedGroup = createSharedGroup({
      startCursor: "1",
      follow: async () => items(),
      async payloadOf(item) {
        await shareCost(group.members, ({ name }) => void payers.push(name));
        if (item.kind !== "checkpoint") return null;
        return { cursor: item.cursor, json: Buffer.from(item.cursor), onSent: () => undefined };
      },
      membersPerTurn: MEMBERS_PER_TURN,
      onEnd: () => undefined,
      log: silentLog,
    });
    const members = ["a", "b", "c", "d", "e"].map((name) => {
      const received: string[] = [];
      const send = (results: readonly SharedResult[]) =>
        received.push(...results.map(({ payload }) => String(payload))) > 0;
      const viewer = () => ({ name, scopes: new Set(["calls:read" as const]), ...unrestricted });
      return { cursor: "1", send, viewer, onReleased: () => undefined, received };
    });
    for (const member of members) group.admit(member);
    await until(() => members.every(({ received }) => received.includes("3")));
    for (const member of members) group.remove(member);
    expect(payers).toEqual(["a", "b"]);
    expect(members.map(({ received }) => received)).toEqual(members.map(() => ["2", "3"]));
  });
});
