// What `npm start` without a service shows in its first minute, and after a restart.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildConsole } from "../console/consoleStage.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";
import { startForPeople, type StartedForPeople } from "../support/startedForPeople.ts";
import { until } from "../support/until.ts";

interface Stats {
  callStats: {
    calls: number;
    timeline: { start: string; calls: number }[];
    byHangupReason: { reason: string | null; calls: number }[];
    byAssistant: { assistantId: string }[];
  };
}
interface Gateway {
  gateway: {
    timesAheadMinutes: number;
    events: { reconciled: number };
    recordings: { archived: number; lost: number };
    lastDay: { meanDelaySeconds: number | null }[];
  };
}
interface Proposals {
  taskSubmissions: { nodes: { id: string; name: string; status: string; submittedBy: string; numberCount: number }[] };
}
const DAY_MS = 86_400_000;
const since = () => new Date(Date.now() - 7 * DAY_MS).toISOString();
const statsQuery = () => `{ callStats(filter: { since: "${since()}" }) { calls timeline(bucket: DAY) { start calls }
  byHangupReason(first: 10) { reason calls } byAssistant(first: 10) { assistantId } } }`;
const GATEWAY = `{ gateway { timesAheadMinutes events { reconciled } recordings { archived lost }
  lastDay { meanDelaySeconds } } }`;
const PROPOSALS = "{ taskSubmissions(first: 10) { nodes { id name status submittedBy numberCount } } }";

let directory: Directory;
let started: StartedForPeople;
beforeAll(async () => {
  directory = await temporaryDirectory();
  if (hasChromium) await buildConsole();
  // Ten times as fast as for people, so that the dialled calls end soon.
  started = await startForPeople(directory.path, { SANDBOX_SPEED: "10" });
  await started.begun();
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

describe("The first start without a service", () => {
  it("has a week of calls in its log, with every reason, all of them told by webhooks", async () => {
    const { callStats } = await started.ask<Stats>(statsQuery());
    expect(callStats.calls).toBeGreaterThan(3800);
    expect(callStats.timeline.filter(({ calls }) => calls > 100).length).toBeGreaterThan(4);
    expect(new Set(callStats.byHangupReason.map(({ reason }) => reason))).toEqual(
      new Set(["normal", "busy", "failed", "no answer", "rejected"]),
    );
    expect(callStats.byAssistant.length).toBeGreaterThan(4);
    const { gateway } = await started.ask<Gateway>(GATEWAY);
    expect([gateway.timesAheadMinutes, gateway.events.reconciled]).toEqual([0, 0]);
  });

  it("counts no call of the days before in the delay of webhooks", async () => {
    const { gateway } = await until(async () => {
      const answer = await started.ask<Gateway>(GATEWAY);
      return answer.gateway.lastDay.some(({ meanDelaySeconds }) => meanDelaySeconds !== null) && answer;
    });
    const delays = gateway.lastDay.flatMap(({ meanDelaySeconds }) => meanDelaySeconds ?? []);
    expect(Math.max(...delays)).toBeLessThan(3600);
  });

  it("fetches recordings of all days", async () => {
    const { gateway } = await until(async () => {
      const answer = await started.ask<Gateway>(GATEWAY);
      return answer.gateway.recordings.archived > 50 && answer;
    });
    expect(gateway.recordings.lost).toBe(0);
  });

  it("has a proposal that waits for approval, and running tasks whose calls go on", async () => {
    const { taskSubmissions } = await started.ask<Proposals>(PROPOSALS);
    expect(taskSubmissions.nodes).toEqual([
      {
        id: expect.any(String),
        name: "Appointments of next week",
        status: "PROPOSED",
        submittedBy: "planner",
        numberCount: 24,
      },
    ]);
    const running = '{ task(taskId: "1002") { status progress } }';
    const { task } = await started.ask<{ task: { status: string; progress: number } }>(running);
    expect(task.status).toBe("RUNNING");
    const began = new Date().toISOString();
    await until(async () => {
      const query = `{ callStats(filter: { since: "${began}", direction: OUTBOUND }) { calls } }`;
      return (await started.ask<Stats>(query)).callStats.calls > 0;
    });
  });

  it.skipIf(!hasChromium)(
    "shows days, a waiting and a running task, reasons and a recording in the console",
    async () => {
      const browser = await launchChromium();
      await using _closing = { [Symbol.asyncDispose]: () => browser.close() };
      const page = await browser.newPage({ locale: "en-GB", viewport: { width: 1280, height: 900 } });
      await page.goto(`${started.url}/statistics?range=7d`);
      await page.getByText("no answer").waitFor();
      await page.getByRole("link", { name: "Tasks", exact: true }).click();
      await page.getByText("Proposals that wait for approval").waitFor();
      await page.getByText("Running").first().waitFor();
      await page.getByRole("link", { name: "Live", exact: true }).click();
      await page.getByRole("link", { name: "All well" }).waitFor();
      const answered = page.getByText("Answered", { exact: true });
      await page.locator("[data-key]").filter({ has: answered }).first().click();
      const details = page.getByRole("dialog");
      const shown = (await details.getByText(/^Spoke for /).textContent()) ?? "";
      const position = details.getByRole("slider", { name: "Position" });
      await until(async () => Number(await position.getAttribute("aria-valuemax")) > 0);
      const length = (await position.getAttribute("aria-valuetext"))?.split(" / ")[1];
      expect(shown).toContain(`Spoke for ${length};`);
    },
  );

  it("logs no fault but that the database and the folder are new", () => {
    const faults = started.program.output.filter((line) => /"level":"(warn|error)"/.test(line));
    expect(faults.filter((line) => !/NEW, EMPTY DATABASE|RECORDINGS_DIR was created/.test(line))).toEqual([]);
  });

  it("goes on after a restart: it is told what it missed, once, proposes nothing again, and the proposal can be approved", async () => {
    started.program.process.kill("SIGTERM");
    await started.program.exited;
    const again = await startForPeople(directory.path, { SANDBOX_SPEED: "10" });
    await using _again = again;
    expect((await again.begun())["told"]).toBeLessThan(500);
    const { callStats } = await again.ask<Stats>(statsQuery());
    expect(callStats.calls).toBeLessThan(6000);
    const { nodes } = (await again.ask<Proposals>(PROPOSALS)).taskSubmissions;
    expect(nodes).toHaveLength(1);
    const approve = `mutation { approveTask(id: "${nodes[0]?.id ?? ""}") { submission { status } errors { code } } }`;
    expect(await again.ask(approve)).toEqual({ approveTask: { submission: { status: "ACCEPTED" }, errors: [] } });
    expect((await again.ask<Gateway>(GATEWAY)).gateway.events.reconciled).toBe(0);
  });
});
