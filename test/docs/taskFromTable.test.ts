// Walks "A task from a table, to its end" of docs/creating-tasks.md: the table, a check, the task, its retries, and the sum of its people.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPageWalk, isStart, type PageWalk } from "./pageWalk.ts";

const HEADING = "A task from a table, to its end";

interface Counted {
  task: {
    total: number;
    callStats: { calls: number; answered: number };
    recipientCounts: {
      recipients: number;
      notCalled: number;
      attempts: number;
      byOutcome: { outcome: string; recipients: number; attempts: number }[];
    };
  };
}

let walk: PageWalk;
beforeAll(async () => {
  walk = await createPageWalk("docs/creating-tasks.md");
  const [start, ...others] = walk.blocks.filter(isStart);
  expect(others).toEqual([]);
  await walk.start(start).line(({ msg }) => msg === "the gateway listens");
});
afterAll(() => walk[Symbol.asyncDispose]());

const sum = (counts: readonly number[]) => counts.reduce((whole, each) => whole + each, 0);

describe(`docs/creating-tasks.md, ${HEADING}`, () => {
  it("shows the answer to each command, until the task is done", async () => {
    const commands = walk.blocks.filter(
      (block) => block.heading === HEADING && block.language === "sh" && !isStart(block),
    );
    expect(commands.length).toBe(9);
    for (const block of commands) await walk.follow(block);
  });

  it("shows numbers that add up as its table says", async () => {
    const query = `{ task(taskId: ${(await walk.run('printf "$TASK"\n')).trim()}) { total callStats { calls answered }
      recipientCounts { recipients notCalled attempts byOutcome { outcome recipients attempts } } } }`;
    const { data } = await walk.gateway.ask<Counted>(query);
    const { total, callStats, recipientCounts: people } = data?.task ?? expect.unreachable("There is no task.");
    expect(people.recipients + people.notCalled).toBe(total);
    expect(sum(people.byOutcome.map(({ recipients }) => recipients))).toBe(people.recipients);
    expect(sum(people.byOutcome.map(({ attempts }) => attempts))).toBe(people.attempts);
    expect(people.attempts).toBe(callStats.calls);
    expect(people.byOutcome.find(({ outcome }) => outcome === "REACHED")?.recipients).toBe(callStats.answered);
  });
});
