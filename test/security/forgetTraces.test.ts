import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { validateCreateTask, type CreateTaskInput } from "../../src/tasks/validateCreateTask.ts";
import { canonicalJson } from "../../src/util/canonicalJson.ts";
import { runSync } from "../../src/util/timeSlices.ts";
import { newestTask, submit, taskInput } from "../e2e/submitting.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { holders } from "./holders.ts";

/** What a gateway of an earlier version keeps, and a thief of its file could try inputs against. */
function plainDigestOf(input: CreateTaskInput): string {
  const read = runSync(validateCreateTask(input));
  return createHash("sha256")
    .update(canonicalJson("request" in read ? read.request : null))
    .digest("hex");
}

it("A89: a forgotten number leaves the gateway's files with the assistant that says it, and the digest of its task", async () => {
  await using sandbox = await emptySandbox();
  await using directory = await temporaryDirectory();
  await using gateway = await startGateway(sandbox, { DATABASE_URL: directory.database });
  const welcome = "Call me back: 139 1234 5678";
  const input = taskInput(sandbox, {
    assistantOverride: { globalConfig: { welcome } },
    numbers: [{ number: "13912345678" }],
  });
  const created = await submit(gateway, input);
  expect(created).toMatchObject({ replayed: false, errors: [] });
  const show = "query($id: ID!) { task(taskId: $id) { assistant { welcome } } }";
  const shown = await gateway.ask(show, { id: newestTask(sandbox) });
  expect(shown.data).toEqual({ task: { assistant: { welcome } } });
  const texts = ["139 1234 5678", plainDigestOf(input as unknown as CreateTaskInput)];
  for (const text of texts) await until(async () => (await holders(directory.path, [text])).length > 0);

  const forgotten = await gateway.ask(`mutation { forgetPhone(number: "+8613912345678") { events } }`);
  expect(forgotten).toMatchObject({ data: { forgetPhone: { events: 0 } } });
  expect(await holders(directory.path, texts)).toEqual([]);
  const known = "query($id: ID!) { assistant(assistantId: $id) { welcome } }";
  expect((await gateway.ask(known, { id: input["assistantId"] })).data).toEqual({ assistant: null });
  expect(await submit(gateway, input)).toEqual({ ...created, replayed: true });
});
