// What an approver sees of the words that people will hear, in a real browser.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../../console/src/views/tasks/proposals/texts/en.ts";
import { hasChromium } from "../support/browserPage.ts";
import { bearer } from "../support/keys.ts";
import { startConsole, type ConsoleStage } from "./consoleStage.ts";
import { findFaults } from "./findFaults.ts";
import { proposeTo } from "./proposing.ts";

describe.skipIf(!hasChromium)("The details of a proposal in the console (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    stage = await startConsole();
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  async function open(viewer: string, id: string) {
    const page = await stage.openSignedIn(viewer, `/tasks?submission=${encodeURIComponent(id)}`);
    return { page, dialog: page.getByRole("dialog") };
  }
  /** As the gateway sees the assistant in a task. */
  async function ownWords() {
    const id = stage.sandbox.control.state().assistants[0]?.id ?? "";
    stage.sandbox.control.seed({ tasks: [{ id: 7, assistantId: id }] });
    const query = '{ task(taskId: "7") { assistant { welcome prompt } } }';
    const headers = { authorization: bearer("editor") };
    const { data } = await stage.gateway.ask<{ task: { assistant: { welcome: string; prompt: string } } }>(
      query,
      {},
      headers,
    );
    return { assistantId: id, ...data?.task.assistant };
  }

  it("show the words that people will hear, beside the assistant's own", async () => {
    const { assistantId, welcome, prompt } = await ownWords();
    const globalConfig = { welcome: "Good day.\nThis is a survey.", prompt: "Ask three questions.", language: "EN" };
    const id = await proposeTo(stage.gateway, "Other words", "proposer", {
      assistantId,
      assistantOverride: { globalConfig },
    });
    const { page, dialog } = await open("editor", id);
    await dialog.getByRole("heading", { name: en.words }).waitFor();
    for (const text of ["Good day. This is a survey.", "Ask three questions.", en.languages.EN, en.unchanged])
      await dialog.getByText(text, { exact: true }).waitFor();
    for (const own of [welcome, prompt]) await dialog.getByText(`${en.insteadOf} ${own}`).waitFor();
    expect(await findFaults(page)).toEqual([]);
    await page.context().close();
  });

  it("name a changed prompt without showing it to a viewer without assistants:prompts", async () => {
    const globalConfig = { welcome: "Good day.", prompt: "Ask three questions." };
    const id = await proposeTo(stage.gateway, "Hidden prompt", "proposer", { assistantOverride: { globalConfig } });
    const { page, dialog } = await open("judge", id);
    await dialog.getByText("Good day.").waitFor();
    await dialog.getByText(en.promptHidden).waitFor();
    expect(await dialog.getByText("Ask three questions.").count()).toBe(0);
    await page.context().close();
  });
});
