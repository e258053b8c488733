// The form of a new task before the names of assistants and lines have arrived, and where an ID begins like a known one.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en as create } from "../../console/src/views/tasks/create/texts/en.ts";
import { en } from "../../console/src/views/tasks/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { holdOperation } from "./holdOperation.ts";

describe.skipIf(!hasChromium)("The choices of a new task (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole({}, { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North,6=South" });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  const assistant = (page: Page) => page.getByRole("combobox", { name: "Assistant" });
  const otherLines = (page: Page) => page.getByLabel(create.otherLines);
  const north = (page: Page) => page.getByRole("checkbox", { name: "North (61)" });
  /** The lines of the plan, as the form keeps them. */
  const linesIn = async (page: Page) =>
    (await page.evaluate<string[]>("JSON.parse(sessionStorage['switchboard-new-task']).fields.lineIds")).toSorted();
  const shown = async (page: Page) => [await assistant(page).inputValue(), await otherLines(page).inputValue()];

  it("show the assistant of a copied plan, and keep lines that are typed, before their names are known", async () => {
    const [taskId = ""] = stage.sandbox.control.seed({
      tasks: [{ name: "Autumn survey", status: "done", assistantId: 11, lines: [61] }],
    }).taskIds;
    const page = await stage.openSignedIn("planner", `/tasks?task=${taskId}`);
    await page.getByRole("dialog").getByText("North (61)").waitFor();
    const choices = await holdOperation(page, "ConsoleTaskChoices");
    await page.getByRole("dialog").getByRole("button", { name: en.copy.copy }).click();
    await page.getByText(/^Copied from “Autumn survey”/).waitFor();
    await choices.begun;
    expect(await shown(page)).toEqual(["11", ""]);
    expect(await assistant(page).locator("option:checked").innerText()).toBe("ID 11");
    await otherLines(page).pressSequentially("81, 6");
    expect(await shown(page)).toEqual(["11", "81, 6"]);
    choices.release();
    await north(page).waitFor();
    expect(await shown(page)).toEqual(["11", "81, 6"]);
    expect(await assistant(page).locator("option:checked").innerText()).toBe("Renewal (11)");
    expect(await north(page).isChecked()).toBe(true);
    await page.context().close();
  });

  it("take a line that was typed before its name was known as the one with that name", async () => {
    const page = await stage.open("/tasks?create=1");
    const choices = await holdOperation(page, "ConsoleTaskChoices");
    await stage.signIn(page, "planner");
    await otherLines(page).pressSequentially("61");
    choices.release();
    await north(page).and(page.locator(":checked")).waitFor();
    await north(page).uncheck();
    expect(await otherLines(page).inputValue()).toBe("");
    await page.context().close();
  });

  it("keep the lines that were ticked or copied while others are typed that begin like them", async () => {
    const [taskId = ""] = stage.sandbox.control.seed({
      tasks: [{ name: "Winter survey", status: "done", assistantId: 11, lines: [61] }],
    }).taskIds;
    const page = await stage.openSignedIn("planner", `/tasks?task=${taskId}`);
    await page.getByRole("dialog").getByText("North (61)").waitFor();
    const choices = await holdOperation(page, "ConsoleTaskChoices");
    await page.getByRole("dialog").getByRole("button", { name: en.copy.copy }).click();
    await choices.begun;
    await otherLines(page).pressSequentially("81, 612");
    expect([await otherLines(page).inputValue(), await linesIn(page)]).toEqual(["81, 612", ["61", "612", "81"]]);
    choices.release();
    await north(page).and(page.locator(":checked")).waitFor();
    expect([await otherLines(page).inputValue(), await linesIn(page)]).toEqual(["81, 612", ["61", "612", "81"]]);
    await otherLines(page).fill("");
    expect(await linesIn(page)).toEqual(["61"]);
    await north(page).uncheck();
    await page.getByRole("checkbox", { name: "South (6)" }).check();
    await otherLines(page).pressSequentially("5, 61");
    expect([await otherLines(page).inputValue(), await linesIn(page)]).toEqual(["5, 61", ["5", "6", "61"]]);
    await otherLines(page).fill("5");
    expect(await linesIn(page)).toEqual(["5", "6"]);
    await page.context().close();
  });

  it("let an ID be typed that begins like another one", async () => {
    const page = await stage.openSignedIn("planner", "/tasks?create=1");
    await north(page).waitFor();
    await otherLines(page).pressSequentially("6, 65, 61, 612");
    expect(await otherLines(page).inputValue()).toBe("6, 65, 61, 612");
    await assistant(page).selectOption("other");
    await page.getByLabel(create.assistantId).pressSequentially("112");
    expect(await page.getByLabel(create.assistantId).inputValue()).toBe("112");
    // An ID that a plan brought.
    await page.reload();
    const id = page.getByLabel(create.assistantId);
    await id.fill("");
    await id.pressSequentially("113");
    expect([await assistant(page).inputValue(), await id.inputValue()]).toEqual(["other", "113"]);
    await page.context().close();
  });

  it("throw nothing, and keep to the content security policy of the page", () => {
    expect(stage.faults).toEqual([]);
  });
});
