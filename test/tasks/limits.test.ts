// The counts of a key's or token's limits: what createTask refuses beyond them, and that checkTask says the same.
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { ViewerLimits } from "../../src/auth/viewerPolicy.ts";
import { databases, postgres } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { optionWith } from "./input.ts";
import { called, codes, input, limitedOffice, people } from "./limitedOffice.ts";
import { ACCEPTED, now, office, UNAVAILABLE } from "./office.ts";

type Submit = Awaited<ReturnType<typeof limitedOffice>>["submit"];

/** 17:30 in Shanghai. */
const NOON = Date.parse("2026-11-20T09:30:00.000Z");
const HOUR = 3_600_000;
afterEach(() => void (now.ms = NOON));

describe.each(databases)("The count of a limit (%s)", (_, database) => {
  it("refuses the task that does not fit, and says what is left and when it is free again", async () => {
    const { url } = await database.create();
    const { submit, limits, sent } = await limitedOffice(
      { numbersPerTask: 4, tasksPerHour: 3, numbersPerDay: 8 },
      undefined,
      url,
    );
    const tooLarge = await submit("web", input(people(5)));
    expect(tooLarge.errors).toMatchObject([{ limit: { limit: "numbersPerTask", size: 4, left: 4, freeAt: null } }]);
    for (const count of [4, 3]) expect((await submit("web", input(people(count)))).errors).toEqual([]);
    const [refusal, ...others] = (await submit("web", input(people(2)))).errors;
    expect(others).toEqual([]);
    const numbersPerDay = { limit: "numbersPerDay", size: 8, used: 7, left: 1, freeAt: "2026-11-20T16:00:00.000Z" };
    expect(refusal).toMatchObject({ code: "LIMIT_EXCEEDED", path: [], limit: numbersPerDay });
    expect(refusal?.message).toContain(
      "8 numbers in a day: 1 are left, and 2 are needed; it is free again at 2026-11-20T16",
    );
    expect((await submit("web", input(people(1)))).errors).toEqual([]);
    const hour = { limit: "tasksPerHour", size: 3, used: 3, left: 0, freeAt: "2026-11-20T10:00:00.000Z" };
    expect((await submit("web", input(people(1)))).errors).toMatchObject([{ code: "LIMIT_EXCEEDED", limit: hour }]);
    expect(await limits("web")).toMatchObject([{ used: 0, left: 4 }, hour, { used: 8, left: 0 }]);
    expect(await limits("ops")).toEqual([]);
    expect(sent).toHaveLength(3);
  });

  it("begins anew with the next hour of UTC and the next day of the service's zone, exactly", async () => {
    const { url } = await database.create();
    const { submit } = await limitedOffice({ tasksPerHour: 1, tasksPerDay: 2 }, undefined, url);
    const refused = async (at: string) => {
      now.ms = Date.parse(at);
      return (await submit("web", input())).errors.map(({ limit }) => limit?.limit);
    };
    expect(await refused("2026-11-20T09:30:00.000Z")).toEqual([]);
    expect(await refused("2026-11-20T09:59:59.999Z")).toEqual(["tasksPerHour"]);
    expect(await refused("2026-11-20T10:00:00.000Z")).toEqual([]);
    expect(await refused("2026-11-20T15:59:59.999Z")).toEqual(["tasksPerDay"]);
    expect(await refused("2026-11-20T16:00:00.000Z")).toEqual([]);
    // The clock of another gateway is behind: it counts in the hour that has begun.
    expect(await refused("2026-11-20T15:59:00.000Z")).toEqual(["tasksPerHour"]);
  });

  it("is given back for a task of which nothing was sent, and ignores a repeated key", async () => {
    const { url } = await database.create();
    let outcome = UNAVAILABLE;
    const { submit, limits, sent } = await limitedOffice({ tasksPerDay: 1, numbersPerDay: 5 }, () => outcome, url);
    const given = input(people(5));
    expect(codes(await submit("web", given))).toEqual([["UNAVAILABLE", ""]]);
    expect(await limits("web")).toMatchObject([{ used: 0 }, { used: 0 }]);
    outcome = ACCEPTED;
    expect((await submit("web", given)).errors).toEqual([]);
    for (const repeat of [1, 2])
      expect([repeat, await submit("web", given)]).toMatchObject([repeat, { replayed: true, errors: [] }]);
    expect(await limits("web")).toMatchObject([{ used: 1 }, { used: 5, left: 0 }]);
    expect(sent).toHaveLength(2);
  });
});

/** On a busy machine some wait for the database longer than they may. As clients do, these send the same key again. */
function submitUntilStored(submit: Submit, task: ReturnType<typeof input>) {
  return until(() =>
    submit("web", task).catch((error: unknown) => {
      if (error instanceof CodedError && error.code === "STORE_UNAVAILABLE") return null;
      throw error;
    }),
  );
}

describe("A daily limit of 1,000 numbers", () => {
  it("lets exactly 1,000 through three gateways that race on PostgreSQL", async () => {
    const { url } = await postgres.create();
    const gateways = await Promise.all([1, 2, 3].map(() => limitedOffice({ numbersPerDay: 1000 }, undefined, url)));
    const sizes = Array.from({ length: 42 }, (_, at) => 1 + ((at * 7) % 20));
    const submitAll = (all: readonly number[]) =>
      Promise.all(gateways.flatMap(({ submit }) => all.map((size) => submitUntilStored(submit, input(people(size))))));
    await submitAll(sizes);
    // Single numbers fill what the larger tasks left.
    await submitAll(Array(10).fill(1));
    const sent = gateways.flatMap((gateway) => gateway.sent).map(({ numbers }) => numbers.length);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(await gateways[0]?.limits("web")).toMatchObject([{ used: 1000, left: 0 }]);
  });
});

describe("checkTask", () => {
  it("names people, hours and what the task uses of the limits, and stores nothing", async () => {
    const { check, limits, sent, written } = await limitedOffice({ numbersPerTask: 9, tasksPerDay: 2 });
    const periods = [
      ["9:00", "12:00:30"],
      ["afternoon", "evening"],
    ];
    const checked = await check("web", input({ ...people(3), ...optionWith({ periods }) }));
    expect(checked).toEqual({
      errors: [],
      people: 3,
      leftOutCount: 0,
      calledAgain: null,
      countries: [{ countryCode: "86", people: 3 }],
      schedule: {
        timeZone: "Asia/Shanghai",
        startDate: "2026-11-20",
        days: null,
        periods: [
          {
            from: "09:00",
            to: "12:00:30",
            startsAt: "2026-11-20T01:00:00.000Z",
            endsAt: "2026-11-20T04:00:30.000Z",
          },
          { from: null, to: null, startsAt: null, endsAt: null },
        ],
        begin: null,
        startsAt: null,
      },
      limits: [
        { limit: "numbersPerTask", size: 9, used: 0, left: 9, freeAt: null, needed: 3 },
        { limit: "tasksPerDay", size: 2, used: 0, left: 2, freeAt: "2026-11-20T16:00:00.000Z", needed: 1 },
      ],
    });
    expect([(await limits("web"))[1]?.used, sent, written.size]).toEqual([0, [], 0]);
    const invalid = await check("web", input({ numbers: [{ number: "1" }, { number: "?" }, { number: "1 " }] }));
    expect(codes(invalid)).toEqual([
      ["INVALID_INPUT", "numbers.1.number"],
      ["INVALID_INPUT", "numbers.2.number"],
    ]);
    expect(invalid).toMatchObject({
      people: null,
      countries: [],
      schedule: null,
      limits: [{ needed: 0 }, { needed: 0 }],
    });
  });

  it("says what createTask says, for any task and limits", async () => {
    const store = await tempStore();
    const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
    const text = (usual: string[], ...odd: string[]) => mostly(fc.constantFrom(...usual), fc.constantFrom(...odd));
    const number = text(["+8613800010001", "13800010002", "138 0001 0002", "+8613800010003"], "+491701", "?", "A068");
    const period = mostly(
      fc.constantFrom<string[]>(["09:00", "12:00"], ["8:30", "20:00"]),
      fc.constantFrom<string[]>(["25:00", "26:00"], ["noon"], []),
    );
    const tasks = fc.record({
      name: text(["Reminder"], ""),
      assistantId: text(["7"], "8", "x"),
      numbers: fc.array(fc.record({ number }), { minLength: 1, maxLength: 3 }),
      lineIds: fc.array(text(["1"], "2", "x"), { minLength: 1, maxLength: 2 }),
      periods: fc.array(period, { minLength: 1, maxLength: 2 }),
    });
    const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const limited: fc.Arbitrary<ViewerLimits> = fc.record({
      numbersPerTask: some(fc.integer({ min: 1, max: 3 })),
      numbersPerDay: some(fc.integer({ min: 1, max: 30 })),
      tasksPerHour: some(fc.integer({ min: 1, max: 4 })),
      lineIds: some(fc.constant<string[]>(["1"])),
      assistantIds: some(fc.constant<string[]>(["7"])),
      prefixes: some(fc.constantFrom<string[]>(["+86", "1"], ["+86"])),
      calledHours: some(
        fc.constantFrom([called("1", "Asia/Shanghai", "08:00", "20:00")], [called("+86", "Asia/Tokyo")]),
      ),
      callingHours: some(fc.constantFrom({ from: "08:00", to: "20:00" }, { from: "09:00", to: "20:00" })),
    });
    const outcomes = new Set<string | undefined>();
    await fc.assert(
      fc.asyncProperty(tasks, limited, async ({ lineIds, periods, ...task }, limits) => {
        const { submit, check, sent } = await office(undefined, undefined, store, new Map([["web", limits]]));
        const given = input({ ...task, ...optionWith({ lineIds, periods }) });
        const checked = await check("web", given);
        const created = await submit("web", given);
        expect(created.errors).toEqual(checked.errors);
        expect(sent.map(({ numbers }) => numbers.length)).toEqual(checked.errors.length === 0 ? [checked.people] : []);
        outcomes.add(created.errors[0]?.code);
        now.ms += HOUR / 4;
      }),
      { numRuns: 200, seed: 7 },
    );
    expect(outcomes).toEqual(new Set(["INVALID_INPUT", "LIMIT_EXCEEDED", "NOT_ALLOWED", undefined]));
  });
});
