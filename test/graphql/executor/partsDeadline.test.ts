import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PARTS_LIMITS } from "../../../src/graphql/executor/partsLimits.ts";
import { nodeId } from "../../../src/resolvers/nodeId.ts";
import { task } from "../../resolvers/world.ts";
import { codes, pipeline } from "../pipeline.ts";
import { mergeParts, type Part } from "./mergeParts.ts";

describe("A84: the deadline of an answer in parts", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** Submissions never come; tasks do. */
  const own = { submissions: { byId: () => new Promise(() => undefined) } } as never;
  const NEVER = `taskSubmission(id: "${nodeId("TaskSubmission", "1")}") { status }`;
  const start = async (query: string) => {
    const { prepared, contexts } = pipeline({ tasks: { "7": task() }, own });
    const result = await prepared(query).run(null, undefined, undefined, true);
    if (!("isOneAnswer" in result)) throw new Error("It is in one piece.");
    return { parts: result as AsyncIterableIterator<Part>, contexts };
  };

  it("ends all that is pending with UPSTREAM_TIMEOUT, counted from the first part, however many parts came", async () => {
    const { parts, contexts } = await start(`{
      viewer { name }
      ... @defer(label: "task") { task(taskId: "7") { name } }
      ... @defer(label: "first") { ${NEVER} }
      ... @defer(label: "second") { again: ${NEVER} }
    }`);
    const came = [(await parts.next()).value as Part, (await parts.next()).value as Part];
    expect(came[1]?.hasNext).toBe(true);
    // A part does not begin the time anew.
    vi.advanceTimersByTime(PARTS_LIMITS.milliseconds - 1);
    const last = parts.next();
    expect(contexts.map(({ aborted }) => aborted)).toEqual([false]);
    vi.advanceTimersByTime(1);
    came.push((await last).value as Part);
    expect((await parts.next()).done).toBe(true);
    const { data, errors, left } = mergeParts(came);
    expect(data).toEqual({ viewer: { name: "web" }, task: { name: "Reminder" } });
    expect([codes(errors), left]).toEqual([["UPSTREAM_TIMEOUT", "UPSTREAM_TIMEOUT"], 0]);
    expect(contexts.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("ends before the first part too", async () => {
    const { prepared } = pipeline({ tasks: { "7": task() }, own });
    const query = `{ ${NEVER} ... @defer { task(taskId: "7") { name } } }`;
    const result = prepared(query).run(null, undefined, undefined, true);
    // The execution begins.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    vi.advanceTimersByTime(PARTS_LIMITS.milliseconds);
    const { errors } = (await result) as Part;
    expect(codes(errors)).toEqual(["UPSTREAM_TIMEOUT"]);
  });

  it("leaves no timer behind", async () => {
    const { parts } = await start(`{ viewer { name } ... @defer { task(taskId: "7") { name } } }`);
    for await (const part of parts) expect(part.errors).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    const left = await start(`{ viewer { name } ... @defer { ${NEVER} } }`);
    await left.parts.next();
    await left.parts.return?.();
    expect(vi.getTimerCount()).toBe(0);
  });
});
