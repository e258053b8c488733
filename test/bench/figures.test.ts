// Tests the benchmark's figures, ratios, tables and charts.
import { describe, expect, it } from "vitest";
import { drawBars, drawLines, niceTop } from "../../bench/support/charts.ts";
import { contest, measured } from "../../bench/support/contest.ts";
import { table, withSection } from "../../bench/support/publish.ts";
import { meanWithError, ratioOf, spreadOf, written } from "../../bench/support/statistics.ts";

describe("figures of rounds", () => {
  it("are the median, the minimum and the maximum", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3 });
    expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, least: 1, most: 4 });
    expect(written(spreadOf([1234.5, 900, 2000]))).toBe("1,230 (900–2,000)");
    expect(written(spreadOf([1, 1]))).toBe("1");
  });

  it("are compared within a round, so that a slow round is slow for both", () => {
    expect(ratioOf([10, 1, 20], [20, 2, 40])).toEqual({ median: 0.5, least: 0.5, most: 0.5 });
  });

  it("have a mean with twice its standard error", () => {
    expect(meanWithError([1, 2, 3, 4])).toBe("2.5 ± 1.3");
    expect(meanWithError([7, 7, 7])).toBe("7 ± 0");
  });

  it("are not compared if rounds are missing", () => {
    expect(() => ratioOf([1], [1, 2])).toThrow("1 rounds stand against 2");
  });
});

describe("a contest", () => {
  it("runs every contestant in every round, and reverses the order each round", async () => {
    const order: string[] = [];
    const contestants = ["a", "b"].map((name) => ({
      name,
      run: async () => ({ turn: order.push(name) }),
    }));
    const results = await contest(contestants, 3);
    expect(order.join("")).toBe("abbaab");
    expect(measured(results, "b", "turn")).toEqual([2, 3, 6]);
  });
});

describe("a chart", () => {
  const bars = drawBars({
    title: "Queries <per> second",
    unit: "1/s",
    groups: [{ label: "Q1 & Q2", bars: [{ name: "ours", value: 50, least: 40, most: 60 }] }],
  });

  it("is SVG with escaped texts", () => {
    expect(bars).toContain("Queries &lt;per&gt; second");
    expect(bars).toContain("Q1 &amp; Q2");
    expect(bars).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("draws a bar as high as its value", () => {
    const [, height] = /<rect x="[\d.]+" y="[\d.]+" width="[\d.]+" height="([\d.]+)" fill="#0b6e4f"/.exec(bars) ?? [];
    // Half of the scale, which ends at 100.
    expect(Number(height)).toBe(118);
  });

  it("draws a line through several points or one", () => {
    const lines = (points: { x: number; y: number }[]) =>
      drawLines({ title: "t", unit: "ms", xTitle: "events", lines: [{ name: "page", points }] });
    expect(
      lines([
        { x: 10, y: 1 },
        { x: 1000, y: 2 },
      ]).match(/<circle/g),
    ).toHaveLength(2);
    expect(lines([{ x: 10, y: 0 }])).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("ends its scale at a round number", () => {
    expect([0, 0.9, 1, 17, 501].map(niceTop)).toEqual([1, 1, 1, 20, 1000]);
  });
});

describe("a published section", () => {
  const document = "before\n<!-- measured: queries -->\nold\n<!-- end: queries -->\nafter\n";

  it("replaces only the previous section", () => {
    const once = withSection(document, "queries", "new");
    expect(once).toBe("before\n<!-- measured: queries -->\n\nnew\n\n<!-- end: queries -->\nafter\n");
    expect(withSection(once, "queries", "new")).toBe(once);
  });

  it("is refused if the document has no markers for it", () => {
    expect(() => withSection(document, "webhooks", "new")).toThrow("no place for webhooks");
  });

  it("has its figures in a table", () => {
    expect(
      table([
        ["", "a"],
        ["b", "1"],
      ]),
    ).toBe("|  | a |\n| --- | --- |\n| b | 1 |");
  });
});
