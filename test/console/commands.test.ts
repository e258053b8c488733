// The command menu and the keys that go to views: what a text finds, and how it works in a real browser.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commandsFor, type CommandWorld } from "../../console/src/frame/commands.ts";
import { hasChromium } from "../support/browserPage.ts";
import { until } from "../support/until.ts";
import { startConsole, untilShown, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";

const WORLD: CommandWorld = {
  views: [
    { path: "/live", label: "Live" },
    { path: "/calls", label: "Calls" },
  ],
  tasks: [{ value: "7", label: "Autumn survey" }],
  findsCalls: true,
  findsNumbers: true,
};

describe("The commands for a text", () => {
  const found = (text: string, world: Partial<CommandWorld> = {}) =>
    commandsFor(text, { ...WORLD, ...world }).map((command) => {
      const { kind } = command;
      if (kind === "view") return command.label;
      return `${kind} ${kind === "phone" ? command.phone : kind === "task" ? command.taskId : command.sessionId}`;
    });

  it.each<[string, string[]]>([
    ["", ["Live", "Calls", "task 7"]],
    ["cAl", ["Calls"]],
    ["AUTUMN", ["task 7", "session AUTUMN"]],
    ["7", ["task 7"]],
    ["+1 (202) 555-0181", ["phone +1 (202) 555-0181"]],
    ["138 0001 0001", ["phone 138 0001 0001"]],
    ["4711", ["phone 4711", "task 4711"]],
    ["64886321-6b4a-4e80-b02e-dc19bcb0af7f", ["session 64886321-6b4a-4e80-b02e-dc19bcb0af7f"]],
    ["---", []],
  ])("are views, tasks, numbers and sessions: %j", (text, commands) => {
    expect(found(text)).toEqual(commands);
  });

  it("leave out what the viewer may not see", () => {
    expect(found("13800010001", { findsNumbers: false, tasks: null })).toEqual([]);
    expect(found("autumn", { tasks: null, findsCalls: false, findsNumbers: false })).toEqual([]);
  });
});

describe.skipIf(!hasChromium)("The console's command menu (skipped where there is no Chromium)", () => {
  const NUMBER = "+12025550181";
  let stage: ConsoleStage;
  let session: string;
  beforeAll(async () => {
    stage = await startConsole();
    stage.sandbox.control.seed({ tasks: [{ id: 7, name: "Autumn survey" }] });
    session = await stage.endCall({ taskId: 7, callee: NUMBER });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const menu = (page: Page) => page.getByRole("dialog", { name: /^Go to$|^快速前往$/ });
  async function search(page: Page, text: string): Promise<void> {
    await page.keyboard.press("Control+k");
    await menu(page).locator("input:focus").waitFor();
    await page.keyboard.type(text);
  }
  async function choose(page: Page, name: string): Promise<void> {
    await menu(page).getByRole("option", { name, exact: true }).waitFor();
    // The first one is chosen already.
    await page.keyboard.press("Enter");
    await menu(page).waitFor({ state: "detached" });
  }

  it("goes to a view, finds a number written with blanks, opens a task by name and a call by its session ID", async () => {
    const page = await stage.openSignedIn("ops", "/statistics");
    await search(page, "cal");
    await choose(page, "Calls g c");
    await page.getByRole("heading", { name: "Calls" }).waitFor();
    await search(page, "+1 202 555 0181");
    await choose(page, "Find calls of +1 202 555 0181");
    await page.getByText(/^Asked for .*\+12025550181 \(\d+\)/).waitFor();
    expect(new URL(page.url()).search).toBe("?range=30d");
    await search(page, "autumn");
    await choose(page, "Open the task Autumn survey");
    await page.getByRole("dialog", { name: "Task" }).waitFor();
    expect(new URL(page.url()).searchParams.get("task")).toBe("7");
    await search(page, session);
    await choose(page, `Open the call with session ID ${session}`);
    await page.getByRole("dialog", { name: "Call" }).getByText("Spoke for 20 s").waitFor();
    expect([...new URL(page.url()).searchParams]).toEqual([["call", session]]);
    await page.context().close();
  });

  it("goes to views by two keys, which the list of keys names, and not while somebody writes", async () => {
    const page = await stage.openAs("ops");
    await untilShown(page, [session]);
    for (const [key, path] of [
      ["c", "/calls"],
      ["t", "/tasks"],
      ["s", "/statistics"],
      ["h", "/status"],
      ["e", "/explore"],
      ["l", "/live"],
    ] as const) {
      // A busy machine may take longer between the keys than the first one waits for the second.
      await until(async () => {
        await page.keyboard.press("g");
        await page.keyboard.press(key);
        return new URL(page.url()).pathname === path;
      });
    }
    await untilShown(page, [session]);
    // The second key does nothing by itself.
    await page.evaluate(
      `for (const key of ["g", "p"]) document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))`,
    );
    expect(await page.getByRole("button", { name: "Pause" }).getAttribute("aria-pressed")).toBe("false");
    await page.getByLabel("Phone number").fill("");
    await page.getByLabel("Phone number").focus();
    await page.keyboard.type("gc");
    expect(await page.getByLabel("Phone number").inputValue()).toBe("gc");
    expect(new URL(page.url()).pathname).toBe("/live");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await page.getByRole("button", { name: "Keyboard" }).click();
    const help = page.getByRole("dialog", { name: "Keyboard" });
    for (const text of ["Go to Calls", "Go to Health", "Go to a view, a number, a call or a task"])
      await help.getByText(text).waitFor();
    // Nothing of a table is above what covers it.
    const button = await page.locator("[aria-label='Columns and row height']").boundingBox();
    const [x = 0, y = 0] = button ? [button.x + 8, button.y + 8] : [];
    const isCovered = `!document.elementFromPoint(${x}, ${y}).closest("main")`;
    expect(await page.evaluate(isCovered)).toBe(true);
    await page.context().close();
  });

  it("offers a viewer only what its key allows", async () => {
    const page = await stage.openSignedIn("clerk", "/explore");
    await page.keyboard.press("Control+k");
    await menu(page).getByRole("option", { name: "Tasks g t" }).waitFor();
    expect(await menu(page).getByRole("option", { name: "Calls" }).count()).toBe(0);
    await page.keyboard.type(session);
    await menu(page).getByText("Nothing found").waitFor();
    await page.context().close();
  });

  it.each([
    ["in English", { locale: "en-GB" }],
    [
      "in a window of 390 px, dark and in Chinese",
      { locale: "zh-CN", colorScheme: "dark", viewport: { width: 390, height: 800 } },
    ],
  ] as const)("has no fault of accessibility, with and without something found: %s", async (_, options) => {
    const page = await stage.openAs("ops", "/", { ...options, reducedMotion: "reduce" });
    await untilShown(page, [session]);
    await search(page, "");
    await menu(page).getByRole("option").nth(6).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.type("?!");
    await menu(page)
      .getByText(/^(Nothing found|未找到)$/)
      .waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await menu(page).waitFor({ state: "detached" });
    await page.context().close();
  });

  it("throws nothing, and keeps to the content security policy", () => {
    expect(stage.faults).toEqual([]);
  });
});
