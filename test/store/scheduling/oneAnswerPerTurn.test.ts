import { describe, expect, it } from "vitest";
import { createHandOut } from "../../../src/store/scheduling/oneAnswerPerTurn.ts";
import { createQueryOwner } from "../../../src/store/scheduling/queryOwner.ts";

/** How often the event loop has turned since then. */
function countTurns(): () => number {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    setImmediate(count).unref();
  };
  setImmediate(count).unref();
  return () => turns;
}

describe("the hand-out of answers", () => {
  it("gives one answer in a turn of the event loop to readers who were answered at the same time", async () => {
    const handOut = createHandOut();
    const turns = countTurns();
    const given = await Promise.all(
      Array.from({ length: 50 }, () => handOut(createQueryOwner("many"), Promise.resolve("rows")).then(turns)),
    );
    expect(new Set(given).size).toBe(50);
  });

  it("gives another reader's answer before the rest of a thousand", async () => {
    const handOut = createHandOut();
    const order: string[] = [];
    const ask = (name: string) => handOut(createQueryOwner(name), Promise.resolve(name)).then((who) => order.push(who));
    await Promise.all([...Array.from({ length: 1000 }, () => ask("many")), ask("one")]);
    expect(order.indexOf("one")).toBeLessThan(5);
  });

  it("rejects as soon as the reader leaves", async () => {
    const handOut = createHandOut();
    const leaving = new AbortController();
    const answer = handOut(createQueryOwner("many", leaving.signal), Promise.resolve("rows"));
    leaving.abort(new Error("left"));
    await expect(answer).rejects.toThrow("left");
  });
});
