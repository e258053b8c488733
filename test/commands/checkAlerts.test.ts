import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callEnded, logOver } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { open, tempFile } from "../store/tempStore.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI, TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { emptyPage, serve } from "../upstream/service.ts";

/** The output of `switchboard check` beside a service that answers requests for these tasks so. */
async function check(
  rules: object[],
  statusOf: (taskId: string) => number,
  more: Record<string, string> = {},
): Promise<{ code: unknown; out: string }> {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "alerts.json");
  writeFileSync(file, JSON.stringify(rules));
  await using service = await serve((response, { target }) => {
    const taskId = /tasks\/(\d+)/.exec(target)?.[1];
    response.writeHead(taskId === undefined ? 200 : statusOf(taskId), { "content-type": "application/json" });
    response.end(JSON.stringify(taskId === undefined ? emptyPage : {}));
  });
  const own = { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: TIME_ZONE, ALERTS_FILE: file };
  const env = { ...own, WEBHOOK_AUTHORIZATION, AUTH: "none", CONSOLE: "off", ...more };
  await using program = startProgram([CLI, "check"], env, directory.path);
  return { code: await program.exited, out: program.output.join("\n") };
}

const silence = (name: string, ...tasks: string[]) => ({ name, kind: "noCalls", tasks, minutes: 20 });

it("switchboard check warns of a task of rules that the service does not have, and not where it cannot tell", async () => {
  const { code, out } = await check([silence("one", "7", "8"), silence("two", "8", "9")], (taskId) =>
    taskId === "8" ? 404 : 200,
  );
  expect(out).toMatch(/^warning +service +the service has no task 8, which ALERTS_FILE names: one, two$/m);
  expect(out).not.toContain("no task 7");
  expect(code).toBe(0);
  const unclear = await check([silence("one", "7", "8")], (taskId) => (taskId === "7" ? 503 : 404));
  expect(unclear.out).not.toContain("no task");
});

const answers = (name: string, ...assistants: string[]) => ({
  name,
  kind: "answerRate",
  assistants,
  below: 0.5,
  window: { calls: 20 },
});

describe.each(databases)("switchboard check beside a database on %s", (_, { create }) => {
  it("warns of an assistant of rules that neither a task, nor a call, nor the operator has shown", async () => {
    const { url } = await create();
    await using store = await open(url);
    const seenAt = "2026-11-20T09:30:00.000Z";
    await store.knownAssistants.save([{ assistantId: "11", versionId: "1", seenAt, data: "{}" }]);
    const log = await logOver(store.events);
    await log.append(callEnded({ sessionId: "one", assistants: [{ assistantId: "12", versionId: "1" }] }), "WEBHOOK");
    const known = { DATABASE_URL: url, DATABASE_FSYNC: "elsewhere", KNOWN_ASSISTANTS: "13=Reminders" };
    const rules = [answers("one", "11", "12", "13", "14"), answers("two", "14", "1")];
    const { code, out } = await check(rules, () => 200, known);
    const told = out.split("\n").filter((line) => line.includes("has shown an assistant"));
    expect(told).toEqual([
      expect.stringMatching(/^warning +database +no task or call has shown an assistant 14, .*: one, two$/),
      expect.stringMatching(/^warning +database +no task or call has shown an assistant 1, .*: two$/),
    ]);
    expect(code).toBe(0);
  });
});

it("switchboard check warns of no assistant where there is no database that could have shown one", async () => {
  const { out } = await check([answers("one", "14")], () => 200);
  expect(out).toContain("CREATES A NEW, EMPTY DATABASE");
  expect(out).not.toContain("has shown an assistant");
});

it("switchboard check warns of a destination of rules that DESTINATIONS_FILE does not have", async () => {
  const fails = (name: string, ...destinations: string[]) => ({
    name,
    kind: "destinationFails",
    destinations,
    minutes: 15,
  });
  const file = tempFile("destinations.json");
  writeFileSync(file, JSON.stringify([{ name: "on-call", kind: "slack", url: "https://chat.example/services/x" }]));
  const rules = [fails("one", "on-call", "crm"), fails("two", "crm")];
  const { code, out } = await check(rules, () => 200, { DESTINATIONS_FILE: file });
  const told = out.split("\n").filter((line) => line.includes("no destination"));
  expect(told).toEqual([
    expect.stringMatching(
      /^warning +documents +DESTINATIONS_FILE has no destination crm, which ALERTS_FILE names: one, two$/,
    ),
  ]);
  expect(code).toBe(0);
});
