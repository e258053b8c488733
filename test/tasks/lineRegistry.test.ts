import { describe, expect, it, onTestFinished } from "vitest";
import type { Store } from "../../src/store/store.ts";
import { createLineRegistry, recordLines } from "../../src/tasks/lineRegistry.ts";
import type { SubmitResult } from "../../src/tasks/submitResult.ts";
import { HOUR_MS } from "../../src/util/durations.ts";
import { submission, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { createTaskInput, optionWith } from "./input.ts";

const START = Date.parse("2026-11-20T09:30:00.000Z");

function registryOver(store: Pick<Store, "knownLines">) {
  const now = { ms: START };
  const clock = () => now.ms;
  const lines = createLineRegistry({ store: store.knownLines, clock, log: silentLog, delayMs: 1_000_000 });
  onTestFinished(() => lines[Symbol.asyncDispose]());
  const ids = async (limit = 9, named: string[] = []) =>
    (await lines.list({ named, limit })).map(({ lineId }) => lineId);
  return { lines, now, ids };
}

describe("The registry of lines", () => {
  it("knows the lines of tasks and submissions at once, the last seen first", async () => {
    const { lines, now } = registryOver(await tempStore());
    lines.observe("7", () => ["60", "61"]);
    now.ms += 1000;
    lines.addSubmitted(["61"]);
    expect(await lines.list({ named: [], limit: 9 })).toEqual([
      { lineId: "61", seenAt: "2026-11-20T09:30:01.000Z", fromTask: true, fromSubmission: true },
      { lineId: "60", seenAt: "2026-11-20T09:30:00.000Z", fromTask: true, fromSubmission: false },
    ]);
  });

  it("lists a wanted line beyond the limit, and no line twice", async () => {
    const { lines, now, ids } = registryOver(await tempStore());
    for (const lineId of ["60", "61", "62"]) {
      lines.addSubmitted([lineId]);
      now.ms += 1000;
    }
    expect(await ids(1, ["60", "62", "404"])).toEqual(["62", "60"]);
  });

  it("leaves out a task whose option cannot be read", async () => {
    const { lines, ids } = registryOver(await tempStore());
    lines.observe("7", () => {
      throw new Error("no option");
    });
    lines.observe("8", () => ["60"]);
    expect(await ids()).toEqual(["60"]);
  });

  it("reads a task's lines once an hour", async () => {
    const { lines, now, ids } = registryOver(await tempStore());
    let reads = 0;
    const observe = () => lines.observe("7", () => [`${60 + (reads += 1)}`]);
    observe();
    expect(await ids()).toEqual(["61"]);
    now.ms += HOUR_MS - 1;
    observe();
    expect(await ids()).toEqual(["61"]);
    now.ms += 1;
    observe();
    expect(await ids()).toEqual(["62", "61"]);
  });

  it("stores more lines than one statement takes, and a hundred of each task", async () => {
    const { lines, ids } = registryOver(await tempStore());
    const idsFrom = (start: number, count: number) => Array.from({ length: count }, (_, at) => `${start + at}`);
    for (let task = 0; task < 95; task += 1) lines.observe(`${task}`, () => idsFrom(1 + task * 1000, 150));
    lines.addSubmitted(idsFrom(1_000_001, 150));
    const all = await ids(20_000);
    expect(all).toHaveLength(96 * 100);
    expect(all).toContain("1000100");
    expect(all).not.toContain("1000101");
  });

  it("stores what waits when the gateway stops, and repeats a write that failed", async () => {
    const store = await tempStore();
    let isAway = true;
    const save: Store["knownLines"]["save"] = (rows) =>
      isAway ? Promise.reject(new Error("away")) : store.knownLines.save(rows);
    const { lines, ids } = registryOver({ knownLines: { ...store.knownLines, save } });
    lines.addSubmitted(["60"]);
    await expect(ids()).rejects.toThrow("away");
    isAway = false;
    await lines[Symbol.asyncDispose]();
    expect(await registryOver(store).ids()).toEqual(["60"]);
  });
});

describe("Recording the lines of submissions", () => {
  it.each([
    ["ACCEPTED", ["60"]],
    ["RESOLVED", ["60"]],
    ["REJECTED", []],
    ["UNCONFIRMED", []],
    [null, []],
  ] as const)("after the outcome %s records %j", async (status, expected) => {
    const { lines, ids } = registryOver(await tempStore());
    const given = createTaskInput(optionWith({ lineIds: ["60"] }));
    const result: SubmitResult = {
      submission: status && submission({ id: "1", status }),
      replayed: false,
      errors: [],
    };
    const submit = recordLines(async (_, { option }) => {
      option.lineIds = [];
      return result;
    }, lines);
    expect(await submit({ name: "web", limits: null }, given)).toBe(result);
    expect(await ids()).toEqual(expected);
  });
});
