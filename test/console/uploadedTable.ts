// The tests of uploaded tables in the form of a task. They share the stage of tasks.test.ts.
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { encodeText } from "../support/encodeText.ts";
import { until } from "../support/until.ts";
import type { ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { holdCheck } from "./taskForm.ts";

/** A title, a head with two columns of phone numbers, two people, and one without a number, in GBK with semicolons. */
const GBK = Buffer.from(
  "v827p8P7taU7OzsKseC6xTvQ1cP7O8rWu/o7vNLNpbXnu7AKNTvA7sDXOysxMjAyNTU1MDExMTsrMTIwMjU1NTAxMjEKNju6q8O3w7c7KzEyMDI1NTUwMTEyOysxMjAyNTU1MDEyMgo3O831O25vbmU7KzEyMDI1NTUwMTIzCg==",
  "base64",
);

export function testUploadedTables(stage: () => ConsoleStage): void {
  it("asks what an uploaded table means, shows what it will send, and saves the rows that it leaves out", async () => {
    const page = await stage().openSignedIn("ops", "/tasks?create=1");
    const upload = (buffer: Buffer) =>
      page.getByLabel("Upload a CSV file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
    // The bytes of a short name may be Korean, too.
    await upload(encodeText("name,phone\n李雷,+12025550101\n", "gbk"));
    await page.getByText("In which one are the names right?").waitFor();
    await page.getByRole("button", { name: "李雷 · GBK" }).click();
    expect(await page.getByLabel("Encoding of the file").inputValue()).toBe("gb18030");
    await upload(GBK);
    await page.getByText("It is not clear how the table is meant.").first().waitFor();
    expect(await page.getByLabel("Encoding of the file").inputValue()).toBe("gb18030");
    expect(await page.getByLabel("Between the cells").inputValue()).toBe(";");
    expect(await page.getByLabel("Names of the columns").inputValue()).toBe("2");
    expect(await page.getByRole("region", { name: "as they are read now" }).getByRole("row").count()).toBe(6);
    // Each column stands there with its first cells.
    const label = "手机: +12025550111 · +12025550112 · none";
    await page.getByRole("combobox", { name: "号码" }).selectOption({ label });
    await page.getByRole("row", { name: "号码" }).getByText("+12025550111 · +12025550112 · none").last().waitFor();
    const sent = page.getByRole("region", { name: "as they will be sent" }).getByRole("row");
    await sent.filter({ hasText: "李雷" }).waitFor();
    expect((await sent.allInnerTexts()).slice(1)).toEqual(["3\t+12025550111\t李雷", "4\t+12025550112\t韩梅梅"]);
    await page.getByText("2 people can be phoned. 1 row is left out:").waitFor();
    // As where the browser lets nobody choose a place.
    await page.evaluate("delete globalThis.showSaveFilePicker");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download these rows" }).click();
    expect(await readFile(await (await download).path(), "utf8")).toContain("5,It is not a phone number.,7,王,none,");
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it("names the other encodings that fit a Western table, and shows the rows in the one that is chosen", async () => {
    const page = await stage().openSignedIn("ops", "/tasks?create=1");
    // Windows-1250 and Windows-1252 have other letters at the same byte: ő and õ.
    const buffer = encodeText("name;phone\nLőrincz Béla;+12025550101\n", "windows-1250");
    await page.getByLabel("Upload a CSV file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
    const sent = page.getByRole("region", { name: "as they will be sent" }).getByRole("row");
    const encoding = page.getByLabel("Encoding of the file");
    await sent.filter({ hasText: "Lõrincz Béla" }).waitFor();
    expect(await encoding.inputValue()).toBe("windows-1252");
    await page.getByText("If names look wrong, it may be Windows-1250").waitFor();
    await encoding.selectOption("windows-1250");
    await sent.filter({ hasText: "Lőrincz Béla" }).waitFor();
    expect((await sent.allInnerTexts()).slice(1)).toEqual(["2\t+12025550101\tLőrincz Béla"]);
    await encoding.selectOption("windows-1252");
    await sent.filter({ hasText: "Lõrincz Béla" }).waitFor();
    await page.context().close();
  });

  it("checks a hundred thousand rows beside the page, and the check can be cancelled", async () => {
    const page = await stage().openSignedIn("ops", "/tasks?create=1");
    const rows = Array.from({ length: 100_001 }, (_, at) => `+1202${String(at).padStart(7, "0")},Name ${at}`);
    const buffer = Buffer.from(rows.join("\n"));
    const check = await holdCheck(page);
    await page.getByLabel("Upload a CSV file").setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer });
    await check.begun;
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The check was cancelled.").waitFor();
    expect(await until(() => page.workers().length === 0)).toBe(true);
    await check.release();
    expect(await page.getByText("The check was cancelled.").isVisible()).toBe(true);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.getByText("100,001 people can be phoned.").waitFor();
    await page.getByText("A task has at most 100,000 numbers, and these are 100,001.").waitFor();
    await page.context().close();
  });
}
