// What an operator may ask of a second round by mistake, or while settings change.
import { describe, expect, it } from "vitest";
import { createExamineTask } from "../../../src/tasks/callAgain/examineTask.ts";
import { MAX_NUMBERS } from "../../../src/tasks/taskNumbers.ts";
import { createTimeSlices } from "../../../src/util/timeSlices.ts";
import { signer } from "../../events/callEnded.ts";
import { databases } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { until } from "../../support/until.ts";
import { createTaskInput } from "../input.ts";
import { ANSWERED, callWorld, numbersOf } from "./callWorld.ts";

const [A, B, C] = ["13800010001", "13800010002", "13800010003"] as const;

describe.each(databases)("A second round (%s)", (_, { create }) => {
  async function world() {
    const made = await callWorld(await tempStore((await create()).url));
    made.statuses.set("7", "done");
    return made;
  }

  it("of a task in which several people have one number calls it once, and not where one of them was reached", async () => {
    const { call, again, check, sent } = await world();
    const named = (taskItemId: string, name: string) => ({ taskItemId, extra: { name } });
    await call({ callee: A, ...named("1", "Li") });
    await call({ callee: A, ...named("2", "Wang"), ...ANSWERED });
    await call({ callee: B, ...named("3", "Li") });
    await call({ callee: `+86${B}`, ...named("4", "Wang") });
    expect(await check()).toMatchObject({
      people: 1,
      calledAgain: { leftOut: [{ reason: "REACHED", people: 1 }], withoutVariables: 0 },
    });
    await again("a");
    expect(sent.map(({ request }) => request.numbers)).toMatchObject([
      [{ number: `+86${B}`, extra: { name: "Wang" } }],
    ]);
  });

  it("with a filter that nobody matches is refused, also one without an outcome or a time", async () => {
    const { call, again, check, sent } = await world();
    await call({ callee: A });
    const at = "2026-11-20T00:01:00.000Z";
    for (const [key, filter] of [
      ["no outcome", { outcomes: [] }],
      ["no reason", { reasons: [] }],
      ["no time", { since: at, until: at }],
      ["more calls", { minAttempts: 2 }],
      ["reached", { outcomes: ["REACHED", "BUSY"] }],
    ] as const) {
      const asked = { ...filter } as NonNullable<Parameters<typeof again>[2]>;
      expect([key, await check("7", asked)]).toMatchObject([key, { people: 0, errors: [{ code: "NOBODY_TO_CALL" }] }]);
      expect([key, await again(key, "7", asked)]).toMatchObject([key, { errors: [{ code: "NOBODY_TO_CALL" }] }]);
    }
    expect(await again("a")).toMatchObject({ errors: [], submission: { numberCount: 1 } });
    expect(sent).toHaveLength(1);
  });

  it("goes by the outcomes of today where an operator changed those of reasons after the check", async () => {
    const store = await tempStore((await create()).url);
    const before = await callWorld(store);
    before.statuses.set("7", "done");
    await before.call({ callee: A, hangupReason: "line dead" });
    await before.call({ callee: B, hangupReason: "busy" });
    await before.call({ callee: C, ...ANSWERED, hangupReason: "line dead" });
    const busy = { outcomes: ["BUSY"] } as const;
    expect(await before.check("7", busy)).toMatchObject({ people: 1 });
    await before.stop();
    const after = await callWorld(store, { hangUpOutcomes: [{ reason: "LINE DEAD", outcome: "BUSY" }] });
    after.statuses.set("7", "done");
    // The old people are shown until the new ones are made.
    await until(async () => (await after.check("7", busy)).people === 2);
    expect(await after.again("a", "7", busy)).toMatchObject({ errors: [], submission: { numberCount: 2 } });
    expect(after.sent.map(numbersOf)).toEqual([[A, B]]);
  });
});

describe("A second round of more people than a task takes", () => {
  it("is refused before they are looked at one by one, and says to narrow the filter", async () => {
    const people = Array.from({ length: MAX_NUMBERS + 1 }, (_, at) => ({
      number: String(13_800_000_000 + at),
      extra: null,
      keys: [],
      taskItemId: null,
    }));
    const limits: never[] = [];
    const examine = createExamineTask({
      rules: {
        limits: async () => limits,
        examine: () => Promise.reject(new Error("The numbers are not in the request.")),
        sift: () => Promise.reject(new Error("They are looked at.")),
        countLimits: () => Promise.reject(new Error("They are counted.")),
      },
      choosePeople: async () => ({ people, leftOut: new Map(), guard: {} as never }),
      signer,
      store: { lastReceivedAt: async () => null },
      slices: createTimeSlices(),
      clock: () => 0,
    });
    const from = { taskId: "7", filter: {}, load: async () => ({ status: "done" }) as const };
    const request = { ...createTaskInput({ numbers: [] }), numbers: [] } as never;
    const examined = await examine(
      { name: "web", limits: null },
      { request, skipsDoNotCall: false, from, proposal: null },
    );
    expect(examined).toMatchObject({
      callAgain: null,
      request: { numbers: [] },
      errors: [{ code: "INVALID_INPUT", path: ["from"], message: "has more than 100000 people: narrow the filter" }],
    });
  });
});
