// @defer: what metrics say of an answer in parts.
import type { ExecutionResult } from "graphql";
import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { Part } from "../graphql/executor/mergeParts.ts";
import { noServerObserver, observeOperations, type ServerObserver } from "../../src/server/serverObserver.ts";
import { codes, pipeline } from "../graphql/pipeline.ts";
import { task } from "../resolvers/world.ts";

const broken = new CodedError("UPSTREAM_CONTRACT", "It cannot be read.");
const tasks = { "7": task(), "8": broken };
const DEFERRED = (taskId: string) => `{ viewer { name } ... @defer { task(taskId: "${taskId}") { name } } }`;

function counted() {
  const ended: string[] = [];
  const observer: ServerObserver = {
    ...noServerObserver,
    operationEnded: (transport, kind, code) => void ended.push(`${transport} ${kind} ${code}`),
  };
  const { prepare, grantOf } = pipeline({ tasks });
  const own = observeOperations({ prepare }, observer, "http");
  async function start(query: string): Promise<AsyncIterator<ExecutionResult>> {
    const operation = own.prepare({ query }, grantOf());
    if ("errors" in operation) throw new Error(codes(operation.errors).join());
    const result = await operation.run(null, undefined, undefined, true);
    if (!("isOneAnswer" in result)) throw new Error("It is in one piece.");
    return result as AsyncIterator<ExecutionResult>;
  }
  return { start, ended };
}

async function readAll(parts: AsyncIterator<ExecutionResult>): Promise<Part[]> {
  const all: Part[] = [];
  for (let step = await parts.next(); !step.done; step = await parts.next()) all.push(step.value);
  return all;
}

describe("A query that is answered in parts", () => {
  it("counts once, as OK, when its last part has come", async () => {
    const { start, ended } = counted();
    const parts = await start(DEFERRED("7"));
    await parts.next();
    expect(ended).toEqual([]);
    expect((await readAll(parts)).at(-1)?.hasNext).toBe(false);
    await parts.return?.();
    expect(ended).toEqual(["http query OK"]);
  });

  it("counts once, by the code of an error in a later part", async () => {
    const { start, ended } = counted();
    const all = await readAll(await start(DEFERRED("8")));
    expect(all[0]?.errors).toBeUndefined();
    expect(ended).toEqual(["http query UPSTREAM_CONTRACT"]);
  });

  it("counts once, as a query in one piece does, when its client leaves between two parts", async () => {
    const { start, ended } = counted();
    const parts = await start(DEFERRED("7"));
    await parts.next();
    await parts.return?.();
    await parts.next();
    expect(ended).toEqual(["http query INTERNAL"]);
  });
});
