import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { taskInput } from "../e2e/submitting.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { spawnGateway, type GatewayProgram } from "../support/gateway.ts";
import { spentTurns, withTurnMeter } from "../support/measuring/spentTurns.ts";

const QUERY =
  "mutation($input: CreateTaskInput!) { createTask(input: $input) { submission { status } errors { path message } } }";
/** The largest accepted body, without the text around the numbers. */
const LONGEST = 16 * 1024 * 1024 - 2000;

let sandbox: Awaited<ReturnType<typeof emptySandbox>>;
let gateway: GatewayProgram;
beforeAll(async () => {
  sandbox = await emptySandbox();
  // On a busy machine the sandbox reads 100,000 numbers for longer than the gateway waits by default.
  gateway = await spawnGateway(sandbox, { ...withTurnMeter, UPSTREAM_TIMEOUT_MS: "120000" });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

/** `numbers`: the entries of the list, as JSON. */
async function post(numbers: string) {
  const input = JSON.stringify(taskInput(sandbox, { numbers: [] })).replace(
    '"numbers":[]',
    () => `"numbers":[${numbers}]`,
  );
  await spentTurns(gateway);
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: `{"query":${JSON.stringify(QUERY)},"variables":{"input":${input}}}`,
  });
  const text = await response.text();
  return { text, ...(await spentTurns(gateway)) };
}

function entries(write: (at: number) => string, most = Infinity): string {
  const parts: string[] = [];
  for (let at = 0, length = 0; at < most; at += 1) {
    const part = write(at);
    length += Buffer.byteLength(part) + 1;
    if (length > LONGEST) break;
    parts.push(part);
  }
  return parts.join(",");
}

describe("A76: a createTask body of 16 MiB does not hold the event loop", () => {
  const extraOf = (list: string) => `{"number":"1","extra":{"a":[${list}]}}`;
  const tooManyValues = "more than 2,000,000 values";
  const tooManyItems = "more than 200,000 items";
  const tooManyContainers = "more than 500,000 lists and objects";
  const attacks: [string, () => string, string][] = [
    [
      "200,000 numbers",
      () => entries((at) => `{"number":"${10_000_000_000 + at}"}`, 200_000),
      "must have at most 100000 numbers",
    ],
    ["480,000 numbers", () => entries((at) => `{"number":"${10_000_000_000 + at}"}`, 480_000), tooManyItems],
    ["one number a million times", () => entries(() => `{"number":"1"}`), tooManyItems],
    ["one number 100,000 times", () => entries(() => `{"number":"1"}`, 100_000), "more than 100 mistakes"],
    ["millions of values in extra", () => extraOf(entries(() => "[1,1,1,1,1,1,1,1,1,1,1,1,1]")), tooManyValues],
    ["millions of empty lists in extra", () => extraOf(entries(() => "[]")), tooManyItems],
    ["200,000 empty lists in extra", () => extraOf(entries(() => "[]", 200_000)), "at most 1000 values"],
    ["deep lists in extra", () => extraOf(entries(() => "[".repeat(900) + "]".repeat(900))), tooManyContainers],
    [
      "an object of a million names",
      () => `{"number":"1","extra":{${entries((at) => `"${at}":1`)}}}`,
      "20,000 members",
    ],
    ["a number of 16 million digits", () => extraOf("9".repeat(LONGEST - 100)), "1,048,576 characters"],
    ["a number of 16 million characters", () => `{"number":"${"1".repeat(LONGEST)}"}`, "1,048,576 characters"],
    [
      "a number with fourteen unknown members, each with a name of a million characters",
      () => `{"number":"1",${entries((at) => `"${"n".repeat(1_000_000)}${at}":1`, 14)}}`,
      "more than 128 characters",
    ],
    [
      "a number with 900 unknown members, each with a name of 15,000 characters",
      () => `{"number":"1",${entries((at) => `"${"n".repeat(15_000)}${at}":1`, 900)}}`,
      "more than 128 characters",
    ],
    [
      "numbers that NFKC makes 18 times as long",
      () => entries((at) => `{"number":"${"\ufdfa".repeat(61)}${at}"}`),
      "at most 64 characters",
    ],
  ];

  it("with 100,000 numbers it is accepted and sent once, in many turns; an attack is refused in short ones", async () => {
    const note = "x".repeat(60);
    const honest = await post(
      entries(
        (at) => JSON.stringify({ number: `+1202${1_000_000 + at}`, extra: { name: `Person ${at}`, at, note } }),
        100_000,
      ),
    );
    expect(honest.text).toContain("ACCEPTED");
    expect(sandbox.control.state().tasks).toBe(1);
    expect(honest.longestMs).toBeLessThan(honest.totalMs / 4);
    for (const [name, numbers, said] of attacks) {
      const { text, longestMs } = await post(numbers());
      expect(text, name).toContain(said);
      expect(longestMs, name).toBeLessThan(honest.totalMs / 4);
    }
    expect(sandbox.control.state().tasks).toBe(1);
  });
});
