import { expect, it } from "vitest";
import { restrictSubmissions } from "../../src/resolvers/access/restrictSubmissions.ts";
import type { Context } from "../../src/resolvers/context.ts";
import type { Submission } from "../../src/store/tasks/submissionRow.ts";

/** What a viewer that sees its own submissions gets when it watches one whose states have these viewers. */
async function watched(viewers: readonly (string | Error)[]) {
  let isReturned = false;
  async function* watch() {
    try {
      for (const viewer of viewers) yield viewer instanceof Error ? viewer : ({ viewer } as Submission);
    } finally {
      isReturned = true;
    }
  }
  const context = { submissions: { watch }, viewer: { name: "own" } } as unknown as Context;
  const items: unknown[] = [];
  for await (const item of restrictSubmissions(context).watch("id")) items.push(item);
  return { items, isReturned };
}

it("A watched submission of another viewer is told once as one that does not exist, and then no more", async () => {
  expect(await watched(["other", "other"])).toEqual({ items: [null], isReturned: true });
});

it("A watched submission of one's own is told until it is final, with its errors", async () => {
  const error = new Error("The database cannot be read.");
  const { items } = await watched(["own", error, "own"]);
  expect(items).toEqual([{ viewer: "own" }, error, { viewer: "own" }]);
});
