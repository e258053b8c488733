// The files of an export: what a line holds, which cells a spreadsheet would run, and how the reading waits, stops and goes on.
import * as fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import {
  EXPORT_START,
  exportPages,
  type ExportDeps,
  type ExportProgress,
} from "../../console/src/ui/export/exportPages.ts";
import { csvCell } from "../../console/src/data/csvCell.ts";
import { EXPORT_ROWS, type ExportedCall, type ExportNames } from "../../console/src/views/calls/export/exportRows.ts";
import { SwitchboardError } from "../../client/src/index.ts";

const call = (changed: Partial<ExportedCall> = {}): ExportedCall => ({
  sessionId: "s-1",
  taskId: "7",
  direction: "OUTBOUND",
  caller: "A068",
  callee: "+12025550181",
  startAt: "2026-11-20T01:30:00.000Z",
  answerAt: null,
  endAt: null,
  duration: 12,
  billsec: 0,
  answered: false,
  assistants: [
    { assistantId: "1", versionId: "11" },
    { assistantId: "2", versionId: "22" },
  ],
  callEnded: null,
  unread: [],
  ...changed,
});

/** One assistant's name is not known. */
const NAMES: ExportNames = {
  task: (id) => (id === "7" ? "Autumn survey" : null),
  assistant: (id) => (id === "1" ? "Ann" : null),
};

describe("A line of an export", () => {
  it.each([
    ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
    ["+12025550181", "'+12025550181"],
    ["-1", "'-1"],
    ["@SUM(1)", "'@SUM(1)"],
    ["\t=1", `"'\t'=1"`],
    [" =1", "' =1"],
    ['"=1', `"'""=1"`],
    ["x;=1", `"x;'=1"`],
    ["x\t=1", `"x\t'=1"`],
    ["x|+1", `"x|'+1"`],
    ["x\n=1", `"x\n'=1"`],
    ["a;b", '"a;b"'],
    ["2026-11-20, -5", '"2026-11-20, -5"'],
    ["\r=1", `"'\r'=1"`],
    ["＝1", "'＝1"],
    ['=1,"2"', `"'=1,""2"""`],
    ["a=1", "a=1"],
    ["two\nlines", '"two\nlines"'],
    ["two\r\nlines", '"two\r\nlines"'],
    [null, ""],
    [0, "0"],
    [false, "false"],
  ])("in CSV holds %j as %j, so that no spreadsheet runs it", (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it("A91: in CSV has no cell that a spreadsheet runs, whatever sign it divides the line at", () => {
    const piece = fc.constantFrom(..."=+-@;,|\t\r\n \"'＝x1".split(""));
    const texts = fc.array(fc.string({ unit: piece, maxLength: 12 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(texts, fc.constantFrom(",", ";", "\t", "|"), (cells, delimiter) => {
        const { data } = Papa.parse<string[]>(`x,${cells.map(csvCell).join()}\r\n`, { delimiter });
        for (const cell of data.flat()) expect(cell).not.toMatch(/^[\s"]*[=+\-@＝＋－＠]/);
      }),
      { numRuns: 2000 },
    );
  });

  it("in CSV has as many cells as its head, which begins with the mark of UTF-8", () => {
    const { head, line } = EXPORT_ROWS.csv;
    expect(head.startsWith("\ufeffsessionId,taskId,")).toBe(true);
    const text = line(call({ answerAt: "2026-11-20T01:30:08.000Z", endAt: "2026-11-20T01:30:12.500Z" }), NAMES);
    expect(Papa.parse<string[]>(text).data[0]?.length).toBe(head.split(",").length);
    expect(text).toContain("OUTBOUND,A068,'+12025550181,2026-11-20T01:30:00.000Z,2026-11-20T01:30:08.000Z,");
    expect(text).toMatch(/,1 2,11 22,,,Autumn survey,"Ann, 2",4\.5,2026-11-(19|20) \d\d:\d\d:00\r\n$/);
  });

  it("in JSON lines holds each value as it is", () => {
    const { head, line } = EXPORT_ROWS.jsonl;
    const given = call({ callee: "=1", sessionId: "a\nb" });
    const text = line(given, NAMES);
    expect([head, JSON.parse(text), text.indexOf("\n")]).toEqual(["", given, text.length - 1]);
  });
});

type Answer = { nodes: ExportedCall[]; total: number; next: string | null; drift?: boolean } | SwitchboardError;

/** Answers the pages in turn. */
function openExport(answers: Answer[], head = "") {
  const asked: unknown[] = [];
  const written: string[] = [];
  const progress: ExportProgress[] = [];
  const leaving = new AbortController();
  const ask = async (after: string | null) => {
    asked.push(after);
    const answer = answers.shift();
    if (!answer) throw new Error("No answer is left.");
    if (answer instanceof Error) throw answer;
    const { nodes, total, next, drift = false } = answer;
    const pageInfo = { endCursor: next, hasNextPage: next !== null };
    return { nodes, totalCount: total, driftDetected: drift, pageInfo };
  };
  const deps: ExportDeps<ExportedCall> = {
    list: { ask, head, line: (each) => EXPORT_ROWS.jsonl.line(each, NAMES) },
    file: { write: async (text) => void written.push(text) },
    signal: leaving.signal,
    onProgress: (each) => void progress.push(each),
  };
  return { deps, asked, written, progress, leaving };
}

describe("An export", () => {
  it("writes each page before it asks for the next one, and tells the rows, the total and a drift", async () => {
    const { deps, asked, written } = openExport([
      { nodes: [call(), call()], total: 3, next: "c-2" },
      { nodes: [call()], total: 4, next: null, drift: true },
    ]);
    const end = await exportPages(EXPORT_START, deps);
    expect([asked, written.join("").split("\n").length - 1]).toEqual([[null, "c-2"], 3]);
    expect(end).toMatchObject({ rows: 3, total: 4, hasDrifted: true });
  });

  it("waits out an error that passes, and says until when", async () => {
    const busy = new SwitchboardError("RATE_LIMITED", "Too many.", { retryAfter: 0.01 });
    const { deps, asked, progress } = openExport([busy, { nodes: [call()], total: 1, next: null }]);
    await exportPages(EXPORT_START, deps);
    expect(asked).toEqual([null, null]);
    expect(progress.map(({ rows, waitingUntil }) => [rows, waitingUntil !== null])).toEqual([
      [0, false],
      [0, true],
      [1, false],
    ]);
  });

  it("stops at an error that does not pass, and goes on behind the last row that was written", async () => {
    const { deps, asked, written, progress } = openExport([
      { nodes: [call({ sessionId: "first" })], total: 2, next: "c-1" },
      new SwitchboardError("FORBIDDEN", "No."),
      { nodes: [call({ sessionId: "second" })], total: 2, next: null },
    ]);
    await expect(exportPages(EXPORT_START, deps)).rejects.toThrow("No.");
    const stopped = progress.at(-1) as ExportProgress;
    expect([stopped.rows, stopped.total]).toEqual([1, 2]);
    const end = await exportPages(stopped, deps);
    expect([asked, end.rows]).toEqual([[null, "c-1", "c-1"], 2]);
    expect(written.map((text) => (JSON.parse(text) as ExportedCall).sessionId)).toEqual(["first", "second"]);
  });

  it("writes the first line once, also where the first page fails", async () => {
    const refused = new SwitchboardError("FORBIDDEN", "No.");
    const { deps, written, progress } = openExport([refused, { nodes: [], total: 0, next: null }], "a,b\n");
    await expect(exportPages(EXPORT_START, deps)).rejects.toThrow("No.");
    const end = await exportPages(progress.at(-1) as ExportProgress, deps);
    expect([written, end.pages, end.rows]).toEqual([["a,b\n"], 1, 0]);
  });

  it("ends at once when it is cancelled, also while it waits", async () => {
    const { deps, leaving } = openExport([new SwitchboardError("RATE_LIMITED", "Too many.", { retryAfter: 30 })]);
    const running = exportPages(EXPORT_START, { ...deps, onProgress: () => leaving.abort(new Error("cancelled")) });
    await expect(running).rejects.toThrow("cancelled");
  });
});
