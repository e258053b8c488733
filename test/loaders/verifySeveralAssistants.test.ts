import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assistantIdsMisread } from "../../src/loaders/verifySeveralAssistants.ts";
import { firstRows, fits, oddService, rowsOf, type Habits } from "./oddService.ts";
import { callLogQuery } from "../upstream/service.ts";

const IDS = ["3", "4", "34", "5", "51"];
/** The assistants of each call. */
const assistantsOfCalls = fc.array(fc.subarray(IDS, { maxLength: 2 }), { maxLength: 25 });
const asked = fc.array(
  fc.record({ assistantIds: fc.subarray(IDS, { minLength: 1 }), count: fc.integer({ min: 1, max: 30 }) }),
  { minLength: 1, maxLength: 4 },
);
const callsOf = (all: readonly string[][]) =>
  rowsOf(all.length, (at) => ({
    assistants: (all[at] ?? []).map((assistantId) => ({ assistantId, versionId: "1" })),
  }));

/** What a service reads of several assistantIds. */
const reads: Record<string, (ids: readonly string[]) => readonly string[]> = {
  all: (ids) => ids,
  "the first": (ids) => ids.slice(0, 1),
  "the last": (ids) => ids.slice(-1),
  "one unknown id": (ids) => (ids.length > 1 ? ["999"] : ids),
};
const serviceThatReads = (what: string, rows: Habits["rows"], now?: () => number) =>
  oddService({
    rows,
    reads: (query) => ({ ...query, assistantIds: reads[what]?.(query.assistantIds) ?? [] }),
    ...(now && { now }),
  });

describe.each(Object.keys(reads))("a service that reads %s of several assistantIds", (what) => {
  it("leads to the right list or to UPSTREAM_FILTER_IGNORED", async () => {
    await fc.assert(
      fc.asyncProperty(assistantsOfCalls, asked, async (all, queries) => {
        const rows = callsOf(all);
        const service = serviceThatReads(what, rows);
        for (const { assistantIds, count } of queries) {
          const list = await firstRows(service.loaders(), { assistantIds }, count);
          if (typeof list === "string") {
            expect([what === "all", list]).toEqual([false, "UPSTREAM_FILTER_IGNORED"]);
            continue;
          }
          const right = rows.filter((row) => fits(row, callLogQuery({ assistantIds })));
          expect([list.rows, list.total]).toEqual([right.slice(0, count), right.length]);
        }
      }),
    );
  });
});

describe("the check of several assistantIds", () => {
  const ofOne = (ids: readonly string[]) => callsOf(ids.map((id) => [id]));
  const singles = ({ asked: all }: ReturnType<typeof oddService>) =>
    all.filter(({ assistantIds, pageSize }) => assistantIds.length === 1 && pageSize === 100).length;

  it("costs no request if rows show that several are read, and none from then on", async () => {
    const service = serviceThatReads("all", ofOne(["3", "4", "4"]));
    expect(await firstRows(service.loaders(), { assistantIds: ["3", "4"] })).toMatchObject({ total: 3 });
    expect(await firstRows(service.loaders(), { assistantIds: ["5", "51"] })).toMatchObject({ total: 0 });
    expect(singles(service)).toBe(0);
  });

  it("costs one request for each assistant, once in ten minutes, if only one of them has calls", async () => {
    let now = 0;
    const service = serviceThatReads("all", ofOne(["4", "4"]), () => now);
    for (const count of [10, 5]) {
      expect(await firstRows(service.loaders(), { assistantIds: ["3", "4", "5"] }, count)).toMatchObject({ total: 2 });
      expect(singles(service)).toBe(3);
    }
    now = 10 * 60_000;
    await firstRows(service.loaders(), { assistantIds: ["3", "4", "5"] });
    expect(singles(service)).toBe(6);
  });

  it("names the setting in its error", async () => {
    const service = serviceThatReads("one unknown id", ofOne(["3", "4"]));
    const loaded = service.loaders().callLogs.load(callLogQuery({ assistantIds: ["3", "4"] }));
    await expect(loaded).rejects.toMatchObject({ message: assistantIdsMisread().message });
    expect(assistantIdsMisread().message).toContain("UPSTREAM_ASSISTANT_IDS");
  });

  it("takes no call that is added between two requests for a contradiction", async () => {
    const rows = ofOne(["3"]);
    const service = oddService({
      rows,
      tells(page) {
        if (service.asked.length === 1) rows.push(...ofOne(["4"]).map((row) => ({ ...row, sessionId: "new" })));
        return page;
      },
    });
    expect(await firstRows(service.loaders(), { assistantIds: ["3", "4"] })).toMatchObject({ total: 2 });
  });
});
