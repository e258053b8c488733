// The test of the task form without a pointer. It shares the stage of tasks.test.ts.
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { ConsoleStage } from "./consoleStage.ts";
import { tabTo } from "./tabTo.ts";
import { creationsAt, failCreationOnce, TABLE } from "./taskForm.ts";

export function testTaskByKeyboard(stage: () => ConsoleStage): void {
  it("creates a task by keyboard alone, from the list to the sent task, also after a refusal", async () => {
    stage().sandbox.control.clearRequests();
    const page = await stage().openAs("ops", "/tasks");
    const press = (key: string) => page.keyboard.press(key);
    const isFocused = (target: Locator) => target.and(page.locator(":focus")).waitFor();
    await tabTo(page, page.getByRole("link", { name: "New task" }));
    await press("Enter");
    await isFocused(page.getByRole("group", { name: "New task" }));
    await press("Tab");
    await isFocused(page.getByLabel("Name", { exact: true }));
    await page.keyboard.type("By keyboard");
    await tabTo(page, page.getByRole("combobox", { name: "Assistant" }));
    // A list that is not read yet has nothing to type at.
    await page.getByRole("option", { name: "Renewal (11)" }).waitFor({ state: "attached" });
    await page.keyboard.type("Renewal");
    expect(await page.getByRole("combobox", { name: "Assistant" }).inputValue()).toBe("11");
    await tabTo(page, page.getByRole("checkbox", { name: "North (61)" }));
    await press("Space");
    await tabTo(page, page.getByLabel("Table of phone numbers"));
    await page.keyboard.insertText(TABLE);
    await page.getByText("2 people can be phoned.").waitFor();
    await tabTo(page, page.getByLabel("Type 2 to confirm"));
    await page.keyboard.type("2");
    failCreationOnce(stage().sandbox, { kind: "status", status: 400 });
    const button = page.getByRole("button", { name: "Phone 2 people" });
    await tabTo(page, button);
    await press("Enter");
    await isFocused(page.getByRole("alert").filter({ hasText: "The service refused this task" }));
    await tabTo(page, button);
    await press("Space");
    await isFocused(page.getByRole("dialog"));
    await page.getByRole("dialog").getByText("Accepted by the service").waitFor();
    expect(creationsAt(stage().sandbox).map(({ body }) => (body as { name: string }).name)).toEqual([
      "By keyboard",
      "By keyboard",
    ]);
    await page.context().close();
  });
}
