import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { CLI, TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { emptyPage, serve } from "../upstream/service.ts";

/** The output of `switchboard check` beside a service that answers requests for these tasks so. */
async function check(rules: object[], statusOf: (taskId: string) => number): Promise<{ code: unknown; out: string }> {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "alerts.json");
  writeFileSync(file, JSON.stringify(rules));
  await using service = await serve((response, { target }) => {
    const taskId = /tasks\/(\d+)/.exec(target)?.[1];
    response.writeHead(taskId === undefined ? 200 : statusOf(taskId), { "content-type": "application/json" });
    response.end(JSON.stringify(taskId === undefined ? emptyPage : {}));
  });
  const own = { UPSTREAM_URL: service.url, UPSTREAM_TOKEN: TOKEN, UPSTREAM_TIME_ZONE: TIME_ZONE, ALERTS_FILE: file };
  const env = { ...own, WEBHOOK_AUTHORIZATION, AUTH: "none", CONSOLE: "off" };
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
