// The test of the Tasks view's export. It shares the stage of tasks.test.ts.
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import type { ConsoleStage } from "./consoleStage.ts";

export function testTasksExport(stage: () => ConsoleStage): void {
  it("exports each task that the service has once, with what its calls have in all", async () => {
    const page = await stage().openAs("ops", "/tasks");
    await page.locator("[data-key]").filter({ hasText: "Autumn survey" }).waitFor();
    await page.evaluate("delete window.showSaveFilePicker");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export as CSV" }).click();
    const path = await (await download).path();
    await page.getByText(/^2 rows exported to tasks-.*Z\.csv\./).waitFor();
    const [head = "", ...lines] = (await readFile(path, "utf8")).trimEnd().split("\r\n");
    expect(head).toMatch(/^\ufefftaskId,name,status,createdAt,total,progress,numbersCalled,numbersReached,isAtLeast,/);
    const cells = lines.toSorted().map((line) => line.split(",").toSpliced(3, 1).slice(0, 8));
    expect(cells).toEqual([
      ["7", "Autumn survey", "RUNNING", "5", "40", "2", "1", "false"],
      ["8", "Reminder", "DONE", "5", "40", "1", "0", "true"],
    ]);
    await page.context().close();
  });
}
