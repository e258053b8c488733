// An agent proposes a task, a person approves it in a real browser, the sandbox phones, and the agent sees the result.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { en } from "../../console/src/views/tasks/proposals/texts/en.ts";
import { en as auditTexts } from "../../console/src/views/audit/texts/en.ts";
import { startConsole, type ConsoleStage } from "../console/consoleStage.ts";
import { creationsAt, TEN_O_CLOCK } from "../console/taskForm.ts";
import { connectAgent } from "../support/agent.ts";
import { hasChromium } from "../support/browserPage.ts";
import { TIME_ZONE } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { proposal } from "./proposal.ts";

const today = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE }).format();

describe.skipIf(!hasChromium)("An agent and a person (skipped where there is no Chromium)", () => {
  let stage: ConsoleStage;
  beforeAll(async () => {
    const clock = { speed: 240, now: () => Date.now() + TEN_O_CLOCK };
    const known = { KNOWN_ASSISTANTS: "11=Renewal", KNOWN_LINES: "61=North" };
    stage = await startConsole(clock, { MCP: "on", PUBLIC_URL: "https://calls.example.com/", ...known });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("phone two people together: the agent proposes, the person approves, and the agent sees who was reached", async () => {
    await using agent = await connectAgent(stage.gateway, { as: "proposer" });
    expect((await agent.call("call_statistics")).data.statistics).toMatchObject({ calls: 0 });
    const { next } = (await agent.call("follow_calls", { waitSeconds: 1 })).data;
    const { lines, assistants } = (await agent.call("lines_and_assistants")).data;
    const { idempotencyKey, ...task } = proposal({
      name: "Proposed by an agent",
      assistantId: assistants.nodes[0].assistantId,
      option: {
        ...proposal().option,
        lineIds: [lines.nodes[0].lineId],
        periods: [["00:00", "23:59"]],
        startDate: today,
      },
    });
    expect((await agent.call("check_task", { input: task })).data.check).toMatchObject({ errors: [], people: 2 });
    const proposed = await agent.call("propose_task", { input: { idempotencyKey, ...task } });
    const { approveAt, proposal: made } = proposed.data;
    expect(made.submission.status).toBe("PROPOSED");
    expect(creationsAt(stage.sandbox)).toEqual([]);

    // The person may reach the gateway by another name than the agent.
    const { origin, pathname, search } = new URL(approveAt as string);
    expect(origin).toBe("https://calls.example.com");
    const page = await stage.openAs("approver", pathname + search);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Proposed by an agent").first().waitFor();
    await dialog.getByRole("button", { name: en.approve }).click();
    await dialog.getByRole("button", { name: "Approve and phone 2 people" }).click();
    await dialog.getByText(en.approved).waitFor();
    expect(creationsAt(stage.sandbox)).toHaveLength(1);

    const { id } = made.submission;
    const taskId = await until(async () => {
      const { data } = await agent.call("get_proposal", { id });
      return data.submission.status === "RESOLVED" ? (data.submission.taskId as string) : null;
    });
    const followed = await until(async () => {
      const { data } = await agent.call("follow_calls", {
        after: next,
        waitSeconds: 25,
        filter: { taskIds: [taskId] },
      });
      return data.items.length > 0 ? data.items : null;
    });
    expect(followed[0]).toMatchObject({ taskId });
    await until(async () => {
      const { data } = await agent.call("task_people", { taskId });
      return data.task.recipients.nodes.length === 2;
    });
    const again = await agent.call("propose_task", { input: { idempotencyKey, ...task } });
    expect(again.data.proposal.replayed).toBe(true);
    expect(creationsAt(stage.sandbox)).toHaveLength(1);
    await page.context().close();

    // Health shows who used the tools.
    const health = await stage.openSignedIn("admin", "/status");
    const line = health.getByRole("listitem").filter({ hasText: "propose_task" });
    for (const text of ["proposer, by test-agent", "Calls: 2"]) await line.getByText(text).waitFor();
    await health.context().close();
    const audit = await stage.openSignedIn("admin", "/audit");
    await audit.getByText(auditTexts.byAgent("Proposed a task with 2 numbers", "propose_task")).waitFor();
    await audit.getByRole("table").getByRole("row").nth(2).getByRole("link").click();
    for (const text of [auditTexts.byAgent("MCP", "propose_task"), "test-agent"])
      await audit.getByRole("dialog").getByText(text, { exact: true }).waitFor();
    await audit.context().close();
    expect(stage.faults).toEqual([]);
  });
});
