import type { ExecutionResult } from "graphql";
import { describe, expect, it } from "vitest";
import type { SubmitResult } from "../../src/tasks/submitResult.ts";
import { holdTurn, releaseOf } from "../../src/util/bodies/bodyTurn.ts";
import type { World } from "../resolvers/world.ts";
import { createTaskInput } from "../tasks/input.ts";
import { codes, pipeline } from "./pipeline.ts";

describe("the turn of a large body", () => {
  const create = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { replayed } }";
  /** The pipeline empties it. */
  const longList = () => Array.from({ length: 3000 }, (_, at) => ({ number: `138${String(at).padStart(8, "0")}` }));
  const inputOf = (own?: object) => ({ ...createTaskInput(own), assistantOverride: null });

  /** createTask gives the numbers that it got to `given`, and waits for `answer`. */
  function open() {
    const left: string[] = [];
    const answer = Promise.withResolvers<SubmitResult>();
    const given = Promise.withResolvers<readonly object[]>();
    const own: World["own"] = {
      submitTask(_, input) {
        given.resolve(input.numbers);
        return answer.promise;
      },
    };
    const { prepare, grantOf } = pipeline({ own });
    function start(name: string, query: string, input: object) {
      const request = { query, variables: { input } };
      holdTurn(request, () => void (left.includes(name) || left.push(name)));
      const operation = prepare(request, grantOf(["tasks:create"]));
      return "errors" in operation ? operation : operation.run(null);
    }
    return { left, start, given: given.promise, answer: answer.resolve };
  }

  it("ends with the checks of an operation that is refused or has no long list", () => {
    const { left, start } = open();
    void start("refused", "{ nothing }", {});
    void start("query", "{ viewer { name } }", {});
    void start("short", create, inputOf());
    expect(left).toEqual(["refused", "query", "short"]);
  });

  it("is held by a long list, and ends with the operation at the latest", async () => {
    const { left, start, given, answer } = open();
    const running = start("long", create, inputOf({ numbers: longList() }));
    const list = await given;
    expect([left, list.length]).toEqual([[], longList().length]);
    answer({ submission: null, replayed: false, errors: [] });
    expect(await running).toEqual({ data: { createTask: { replayed: false } } });
    expect(left).toEqual(["long"]);
  });

  it("ends when the long list is no longer needed", async () => {
    const { left, start, given } = open();
    void start("long", create, inputOf({ numbers: longList() }));
    releaseOf(await given)?.();
    expect(left).toEqual(["long"]);
  });

  it("ends with the refusal of a long list", async () => {
    const { left, start } = open();
    const result = await start("bad", create, inputOf({ numbers: [...longList(), {}] }));
    expect([codes((result as ExecutionResult).errors), left]).toEqual([["BAD_USER_INPUT"], ["bad"]]);
  });
});
