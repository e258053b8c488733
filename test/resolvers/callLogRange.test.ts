import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rangeOf, type GivenRange } from "../../src/resolvers/callLogRange.ts";

const SHANGHAI = "Asia/Shanghai";

function range(given: GivenRange, now = "2026-11-20T09:30:00.000Z", zone = SHANGHAI, wholeLife?: string) {
  const { since, until } = rangeOf(given, { clock: () => Date.parse(now), serviceTimeZone: zone }, wholeLife);
  return [since, until];
}

const today = ["2026-11-19T16:00:00.000Z", "2026-11-20T15:59:59.000Z"];

describe("rangeOf gives both ends", () => {
  it.each([
    ["for no ends: today in the service's zone", {}, today],
    ["for ends that are null: today", { since: null, until: null }, today],
    [
      "for since: until the end of today",
      { since: "2026-11-01T00:00:00.000Z" },
      ["2026-11-01T00:00:00.000Z", today[1]],
    ],
    [
      "for until: from the start of its day",
      { until: "2026-11-18T02:00:00.000Z" },
      ["2026-11-17T16:00:00.000Z", "2026-11-18T02:00:00.000Z"],
    ],
    [
      "for an until in the future",
      { until: "2027-01-01T00:00:00.000Z" },
      ["2026-12-31T16:00:00.000Z", "2027-01-01T00:00:00.000Z"],
    ],
    [
      "for both, cut to whole seconds",
      { since: "2026-11-18T02:00:00.999Z", until: "2026-11-18T02:00:00.001Z" },
      ["2026-11-18T02:00:00.000Z", "2026-11-18T02:00:00.000Z"],
    ],
  ])("gives both ends of a range %s", (_, given, expected) => {
    expect(range(given)).toEqual(expected);
  });

  it.each([
    [{ since: "2026-11-18T02:00:01.000Z", until: "2026-11-18T02:00:00.000Z" }],
    [{ since: "2026-11-21T00:00:00.000Z" }],
  ])("refuses the inverted range %j", (given) => {
    expect(() => range(given)).toThrow(expect.objectContaining({ code: "BAD_USER_INPUT" }));
  });
});

describe("rangeOf takes today from the service's clock", () => {
  it.each([
    ["2026-11-19T15:59:59.999Z", ["2026-11-18T16:00:00.000Z", "2026-11-19T15:59:59.000Z"]],
    ["2026-11-19T16:00:00.000Z", today],
    ["2026-11-20T15:59:59.999Z", today],
    ["2026-11-20T16:00:00.000Z", ["2026-11-20T16:00:00.000Z", "2026-11-21T15:59:59.000Z"]],
  ])("takes the service's day for today at %s", (now, expected) => {
    expect(range({}, now)).toEqual(expected);
  });

  it.each([
    ["Europe/Berlin", "2026-03-29T12:00:00.000Z", ["2026-03-28T23:00:00.000Z", "2026-03-29T21:59:59.000Z"]],
    ["Europe/Berlin", "2026-10-25T12:00:00.000Z", ["2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.000Z"]],
    ["Asia/Kathmandu", "2026-11-20T18:14:59.000Z", ["2026-11-19T18:15:00.000Z", "2026-11-20T18:14:59.000Z"]],
    ["UTC", "2026-11-20T00:00:00.000Z", ["2026-11-20T00:00:00.000Z", "2026-11-20T23:59:59.000Z"]],
  ])("takes the day of %s for today at %s", (zone, now, expected) => {
    expect(range({}, now, zone)).toEqual(expected);
  });

  it.each(["America/Los_Angeles", "Pacific/Kiritimati"])(
    "gives the same range in any time zone of the process: %s",
    async (TZ) => {
      const script = `
      import { rangeOf } from "${new URL("../../src/resolvers/callLogRange.ts", import.meta.url).href}";
      const at = { clock: () => Date.parse("2026-11-20T09:30:00.000Z"), serviceTimeZone: "${SHANGHAI}" };
      const near = (now) => rangeOf({}, { ...at, clock: () => Date.parse(now) });
      console.log(JSON.stringify([
        rangeOf({}, at), rangeOf({ until: "2026-11-18T02:00:00.000Z" }, at),
        near("2026-11-19T15:59:59.999Z"), near("2026-11-19T16:00:00.000Z"),
        near("2026-11-20T07:59:59.999Z"), near("2026-11-20T10:00:00.000Z"),
      ]));`;
      const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
        env: { ...process.env, TZ },
      });
      const day = { since: today[0], until: today[1] };
      expect(JSON.parse(stdout)).toEqual([
        day,
        { since: "2026-11-17T16:00:00.000Z", until: "2026-11-18T02:00:00.000Z" },
        // Before and after midnight on the service's clock.
        { since: "2026-11-18T16:00:00.000Z", until: "2026-11-19T15:59:59.000Z" },
        day,
        // Before and after midnight of the process, in Los Angeles and on Kiritimati.
        day,
        day,
      ]);
    },
  );
});

describe("rangeOf keeps a given instant", () => {
  it.each([
    ["in the first pass of a repeated hour", "2026-10-25T00:30:00.000Z", "2026-10-24T22:00:00.000Z"],
    ["in the second pass of a repeated hour", "2026-10-25T01:30:00.000Z", "2026-10-24T22:00:00.000Z"],
    ["after a skipped hour", "2026-03-29T01:00:00.000Z", "2026-03-28T23:00:00.000Z"],
  ])("keeps the instant of until %s", (_, until, since) => {
    expect(range({ until }, undefined, "Europe/Berlin")).toEqual([since, until]);
  });

  it("refuses a range that the service's clock would invert, because it is set back", () => {
    const [since, until] = ["2026-10-25T00:50:00.000Z", "2026-10-25T01:10:00.000Z"];
    const code = "BAD_USER_INPUT";
    expect(() => range({ since, until }, undefined, "Europe/Berlin")).toThrow(expect.objectContaining({ code }));
    expect(range({ since, until }, undefined, "UTC")).toEqual([since, until]);
    const wider = "2026-10-25T01:50:00.000Z";
    expect(range({ since, until: wider }, undefined, "Europe/Berlin")).toEqual([since, wider]);
  });
});

describe("rangeOf a task", () => {
  const CREATED = "2026-11-01T20:00:00.000Z";

  it("is from the start of the day of its creation to the end of today", () => {
    expect(range({}, undefined, SHANGHAI, CREATED)).toEqual(["2026-11-01T16:00:00.000Z", today[1]]);
    expect(range({ since: "2026-11-10T00:00:00.000Z" }, undefined, SHANGHAI, CREATED)).toEqual([
      "2026-11-10T00:00:00.000Z",
      today[1],
    ]);
  });

  it("is the day of until if only until is given", () => {
    expect(range({ until: "2026-11-18T02:00:00.000Z" }, undefined, SHANGHAI, CREATED)).toEqual([
      "2026-11-17T16:00:00.000Z",
      "2026-11-18T02:00:00.000Z",
    ]);
  });

  it("is valid for a creation time in any year", () => {
    const zone = fc.constantFrom(SHANGHAI, "UTC", "America/New_York", "Pacific/Kiritimati");
    const [min, max] = [new Date("0001-01-01T00:00:01Z"), new Date("9999-12-31T23:59:59.999Z")];
    const created = fc.date({ min, max, noInvalidDate: true });
    const ofAll = fc.property(zone, created, (zone, at) => {
      const [since = "", until = ""] = range({}, undefined, zone, at.toISOString());
      expect(since <= until && until <= "9999-12-31T23:59:59.000Z").toBe(true);
    });
    const last = new Date("9999-12-31T23:59:59Z");
    fc.assert(ofAll, { examples: [SHANGHAI, "UTC", "America/New_York"].map((zone) => [zone, last]) });
  });

  it("is valid if the service's clock already shows tomorrow", () => {
    expect(range({}, "2026-11-20T15:59:59.000Z", SHANGHAI, "2026-11-20T16:00:05.000Z")).toEqual([
      "2026-11-20T16:00:00.000Z",
      "2026-11-21T15:59:59.000Z",
    ]);
  });
});
