import { describe, expect, it } from "vitest";
import { createProgressLine } from "../../../src/commands/remote/progressLine.ts";

function shownOn(isTTY: boolean) {
  const written: string[] = [];
  const line = createProgressLine({ isTTY, write: (text: string) => written.push(text) > 0 });
  const show = (progress: number, own = {}) =>
    line.show({ progress, windows: 3, calls: 40, secondsLeft: null, problem: null, ...own });
  return { line, show, text: () => written.join("") };
}

describe("the progress of an import", () => {
  it("is one bar that is drawn again in a terminal", () => {
    const { line, show, text } = shownOn(true);
    show(0);
    show(0.5, { secondsLeft: 3660 });
    line.end();
    line.end();
    expect(text()).toBe(
      `\r\u001b[K[${".".repeat(30)}] 0 %, 3 windows, 40 calls\r\u001b[K[${"#".repeat(15)}${".".repeat(15)}] 50 %, 3 windows, 40 calls, 1 h 1 min left\n`,
    );
  });

  it("is a line for each tenth elsewhere", () => {
    const { show, text } = shownOn(false);
    for (let part = 0; part <= 20; part += 1) show(part / 20, { secondsLeft: 20 - part });
    const lines = text().trimEnd().split("\n");
    expect(lines.length).toBe(11);
    expect(lines[1]).toBe("10 %, 3 windows, 40 calls, 18 s left");
    expect(text()).not.toContain("\u001b");
  });

  it("tells once why it waits, without control characters", () => {
    const { show, text } = shownOn(false);
    for (let time = 0; time < 3; time += 1) show(0.5, { problem: "The service\u001b[2J failed." });
    expect(text()).toBe("It waits: The service\\u001b[2J failed.\n50 %, 3 windows, 40 calls\n");
  });
});
