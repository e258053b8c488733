import { describe, expect, it } from "vitest";
import { shareCost } from "../../src/auth/sharedPayment.ts";
import { CodedError } from "../../src/errors.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

const memberOf = (name: string) => ({ viewer: () => ({ name, scopes: new Set<never>(), ...unrestricted }) });

describe("the cost of a shared request", () => {
  it("is charged to a viewer within its limit, among many over their limits", async () => {
    const spent = Array.from({ length: 50 }, (_, at) => `spent ${at}`);
    const members = new Set([...spent, ...spent, "rich"].map(memberOf));
    const asked: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      await shareCost(members, ({ name }) => {
        asked.push(name);
        if (name !== "rich") throw new CodedError("RATE_LIMITED", "Too much.");
      });
    }
    expect(asked.filter((name) => name === "rich")).toHaveLength(3);
    expect(members.size).toBe(101);
  });

  it("is not charged to the same viewers first each time", async () => {
    const members = new Set([...Array.from({ length: 250 }, (_, at) => `spent ${at}`), "rich"].map(memberOf));
    let payments = 0;
    const pay = ({ name }: { name: string }) => {
      if (name !== "rich") throw new CodedError("RATE_LIMITED", "Too much.");
      payments += 1;
    };
    for (let at = 0; at < 3; at += 1) await shareCost(members, pay).catch(() => undefined);
    expect(payments).toBe(1);
  });

  it("is refused if all viewers are over their limit, each asked once", async () => {
    const asked: string[] = [];
    const paying = shareCost(new Set(["a", "b", "a"].map(memberOf)), ({ name }) => {
      asked.push(name);
      throw new CodedError("RATE_LIMITED", "Too much.");
    });
    await expect(paying).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(asked).toEqual(["a", "b"]);
  });
});
