import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../src/util/canonicalJson.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import { validateCreateTask, type CreateTaskInput } from "../../src/tasks/validateCreateTask.ts";
import type { CreateTaskOutcome } from "../../src/upstream/upstream.ts";
import { databases, postgres } from "../store/databases.ts";
import { ANY_QUOTA, open, submission, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { createTaskInput, inTurn } from "./input.ts";
import { ACCEPTED, office, UNAVAILABLE, type Send } from "./office.ts";

describe("A request with a key that another gateway is sending", () => {
  async function twoGateways(send: Send) {
    const { url } = await postgres.create();
    return [
      await office(send, undefined, await tempStore(url)),
      await office(undefined, undefined, await tempStore(url)),
    ] as const;
  }

  it.each([
    [ACCEPTED, { replayed: true, submission: { status: "ACCEPTED" }, errors: [] }],
    [
      { kind: "rejected", status: 422 },
      { replayed: true, submission: { status: "REJECTED" }, errors: [{ code: "REJECTED" }] },
    ],
    [UNAVAILABLE, { replayed: false, submission: null, errors: [{ code: "UNAVAILABLE" }] }],
  ] as const)("waits for its outcome: %j", async (outcome, expected) => {
    const answer = Promise.withResolvers<CreateTaskOutcome>();
    const [first, second] = await twoGateways(() => answer.promise);
    const sending = first.submit("web", createTaskInput());
    await until(() => first.sent.length === 1);
    const found = Promise.withResolvers<void>();
    const again = second.submit("web", inTurn(found.resolve));
    // It has seen that the key is taken: from here on it waits for the other gateway's answer.
    await found.promise;
    const other = await second.submit("web", createTaskInput({ name: "Other" }));
    expect(other.errors.map(({ code }) => code)).toEqual(["IDEMPOTENCY_CONFLICT"]);
    answer.resolve(outcome);
    await sending;
    expect(await again).toMatchObject(expected);
    expect(second.sent).toEqual([]);
  });

  it.each(databases)("becomes UNCONFIRMED if that gateway has ended, on %s", async (_, database) => {
    const { url } = await database.create();
    const killed = await open(url);
    await killed.submissions.claim(
      submission({ id: "left", idempotencyKey: "key-1", inputSha256: digestOf(createTaskInput()) }),
      ANY_QUOTA,
    );
    for (const status of ["ACCEPTED", "REJECTED"] as const) {
      await killed.submissions.claim(submission({ id: status, idempotencyKey: status }), ANY_QUOTA);
      await killed.submissions.settle(status, status);
    }
    await killed[Symbol.asyncDispose]();
    const { submit, sent, lines, desk: asked } = await office(undefined, undefined, await tempStore(url));
    expect(await asked.byId("left")).toMatchObject({ status: "UNCONFIRMED" });
    expect(lines.join()).toContain("the gateway that sent a submission has ended");
    for (const status of ["ACCEPTED", "REJECTED"]) expect(await asked.byId(status)).toMatchObject({ status });
    expect(await submit("web", createTaskInput())).toMatchObject({
      replayed: true,
      submission: { status: "UNCONFIRMED" },
      errors: [],
    });
    expect(sent).toEqual([]);
  });

  it.each(databases)("A89: is recognised by a keyed digest as by a plain one, on %s", async (_, database) => {
    const store = await tempStore((await database.create()).url);
    const { submit, sent } = await office(undefined, undefined, store);
    const first = await submit("web", createTaskInput());
    for (const isKeyed of [false, true]) {
      if (isKeyed) expect(await store.submissions.keyDigests("2100", 10)).toBe(1);
      expect((await store.submissions.byKey("web", "key-1"))?.inputSha256.startsWith("keyed ")).toBe(isKeyed);
      const again = await submit("web", createTaskInput());
      expect(again).toMatchObject({ replayed: true, submission: { id: first.submission?.id }, errors: [] });
      const other = await submit("web", createTaskInput({ name: "Other" }));
      expect(other.errors.map(({ code }) => code)).toEqual(["IDEMPOTENCY_CONFLICT"]);
    }
    expect(sent).toHaveLength(1);
  });
});

function digestOf(input: CreateTaskInput): string {
  const read = runSync(validateCreateTask(input));
  const text = canonicalJson("request" in read ? read.request : null);
  return createHash("sha256").update(text).digest("hex");
}
