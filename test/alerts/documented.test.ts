import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readAlertRules } from "../../src/alerts/alertFile.ts";
import { blocksOf } from "../docs/blocks.ts";
import { tempFile } from "../store/tempStore.ts";

describe("docs/alerts.md", () => {
  it("shows rules that can be used", async () => {
    const blocks = blocksOf("docs/alerts.md").filter(({ language }) => language === "json");
    const read = blocks.map(async ({ code }) => {
      const file = tempFile("alerts.json");
      writeFileSync(file, code);
      return (await readAlertRules(file)).map(({ name }) => name);
    });
    expect((await Promise.all(read)).flat()).toEqual(["answer-rate", "calls-fail"]);
  });
});
