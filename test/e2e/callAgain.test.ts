import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { taskInputFor } from "./submitting.ts";

const VIEWERS = {
  caller: ["calls:read", "tasks:create"],
  proposer: ["calls:read", "tasks:propose"],
  approver: ["tasks:approve"],
  blind: ["tasks:create"],
  own: ["calls:read", "tasks:create"],
  ofAssistant: ["calls:read", "tasks:create"],
  ofTask: ["calls:read", "tasks:create"],
};
const ACCESS = { own: { submittedBy: "self" }, ofAssistant: { assistantIds: ["3"] }, ofTask: { taskIds: ["501"] } };
const unanswered = { answer_at: "", billsec: 0, duration: 20, record_url: "", hangup_reason: "USER_BUSY" };
const numbers = ["+12025550101", "+12025550102", "+12025550103"];

let sandbox: TestSandbox;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let gateway: TestGateway;

beforeAll(async () => {
  sandbox = await startSandbox();
  const tasks = [
    { id: 501, name: "Reminders", createdAt: "2026-11-20 08:00:00", status: "done" },
    { id: 502, name: "Running", createdAt: "2026-11-20 08:00:00", status: "running" },
  ];
  await sandbox.control("POST", "seed", { tasks });
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, VIEWERS, ACCESS);
  gateway = await startGateway(sandbox, { API_KEYS_FILE: keys });
  for (const [at, callee] of numbers.entries()) {
    const missed = at === 1 ? {} : unanswered;
    const own = {
      session_id: `call-${at}`,
      task_id: 501,
      task_item_id: at + 1,
      callee,
      extra: { name: `Person ${at}` },
    };
    const event = callEndedEvent({ ...missed, ...own });
    expect((await gateway.deliver(event)).status).toBe(200);
  }
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const CREATE = `mutation($input: CreateTaskInput!) { createTask(input: $input) { replayed errors { code message path }
  submission { id status numberCount taskId calledAgainFrom { taskId task { name } leftOut { reason people } withoutVariables } } } }`;
const CHECK = `mutation($input: CheckTaskInput!) { checkTask(input: $input) { people errors { code path }
  calledAgainFrom { taskId leftOut { reason people } } } }`;

interface Created {
  createTask: { replayed: boolean; errors: { code: string }[]; submission: { id: string; numberCount: number } | null };
}

const inputOf = (from: object | null) => ({ ...taskInputFor("11"), numbers: null, from });
const create = (input: object, viewer = "caller") =>
  gateway.ask<Created>(CREATE, { input }, { authorization: bearer(viewer) });
const check = (from: object) => {
  const input: Record<string, unknown> = inputOf(from);
  delete input.idempotencyKey;
  return gateway.ask(CHECK, { input }, { authorization: bearer("caller") });
};
/** The numbers of the tasks that the service was asked to create, and their variables without the gateway's own. */
async function phoned(): Promise<[string, unknown][][]> {
  const tasks = (await sandbox.requests()).filter(({ method }) => method === "POST");
  return tasks.map(({ body }) =>
    (body as { numbers: { number: string; extra: { name: string } }[] }).numbers.map(({ number, extra }) => [
      number,
      extra.name,
    ]),
  );
}
const SOURCE = { taskId: "501" };
const LATER_THAN_ITS_END = { since: "2026-11-20T00:00:01Z", until: "2026-11-20T00:00:00Z" };

describe("createTask(input: { from })", () => {
  it("names nobody to a viewer without people:read, in a check or in an answer", async () => {
    const answer = await check(SOURCE);
    expect(answer.data).toEqual({
      checkTask: {
        people: 2,
        errors: [],
        calledAgainFrom: { taskId: "501", leftOut: [{ reason: "REACHED", people: 1 }] },
      },
    });
  });

  it.each<[string, object | null, string, string]>([
    ["neither numbers nor from", null, "caller", "BAD_USER_INPUT"],
    ["a filter of REACHED alone", { ...SOURCE, filter: { outcome: ["REACHED"] } }, "caller", "BAD_USER_INPUT"],
    ["a task ID that is none", { taskId: "x" }, "caller", "BAD_USER_INPUT"],
    ["a viewer without calls:read", SOURCE, "blind", "FORBIDDEN"],
    ["a viewer with access to some assistants", SOURCE, "ofAssistant", "FORBIDDEN"],
    ["a filter of times that contradict", { ...SOURCE, filter: LATER_THAN_ITS_END }, "caller", "BAD_USER_INPUT"],
    [
      "a filter of calls that contradict",
      { ...SOURCE, filter: { minAttempts: 3, maxAttempts: 2 } },
      "caller",
      "BAD_USER_INPUT",
    ],
  ])("refuses %s", async (_, from, viewer, code) => {
    expect((await create(inputOf(from), viewer)).errors).toMatchObject([{ extensions: { code } }]);
  });

  it("refuses numbers beside from", async () => {
    const input = { ...inputOf(SOURCE), numbers: [{ number: "+12025550109" }] };
    expect((await create(input)).errors).toMatchObject([{ extensions: { code: "BAD_USER_INPUT" } }]);
  });

  it("refuses a task that still calls, and one that the viewer does not see", async () => {
    const ofOther = await create(inputOf(SOURCE), "own");
    expect(ofOther.data?.createTask.errors).toMatchObject([{ code: "INVALID_INPUT" }]);
    const running = await create(inputOf({ taskId: "502" }));
    expect(running.data?.createTask.errors).toMatchObject([{ code: "STILL_CALLING" }]);
  });

  it("phones those who were not reached after an approval, once, and links both tasks", async () => {
    await sandbox.forget();
    const input = inputOf(SOURCE);
    const proposed = await create(input, "proposer");
    expect(JSON.stringify(proposed)).not.toContain("2025550");
    const { id } = proposed.data?.createTask.submission ?? { id: "" };
    expect(proposed.data?.createTask).toMatchObject({ errors: [], submission: { status: "PROPOSED", numberCount: 2 } });
    expect((await create(inputOf(SOURCE))).data?.createTask.errors).toMatchObject([{ code: "NOBODY_TO_CALL" }]);
    const APPROVE = "mutation($id: ID!) { approveTask(id: $id) { submission { status numberCount } errors { code } } }";
    const approved = await gateway.ask(APPROVE, { id }, { authorization: bearer("approver") });
    expect(approved.data).toEqual({ approveTask: { submission: { status: "ACCEPTED", numberCount: 2 }, errors: [] } });
    expect(await phoned()).toEqual([
      [
        ["+12025550101", "Person 0"],
        ["+12025550103", "Person 2"],
      ],
    ]);
    const again = await create(input, "proposer");
    expect(again.data?.createTask).toMatchObject({ replayed: true, submission: { id } });
    expect(await phoned()).toHaveLength(1);
    const LINKS = "{ task(taskId: 501) { callAgain { id numberCount calledAgainFrom { task { name } } } } }";
    const links = await gateway.ask(LINKS, {}, { authorization: bearer("caller") });
    expect(links.data).toEqual({
      task: { callAgain: [{ id, numberCount: 2, calledAgainFrom: { task: { name: "Reminders" } } }] },
    });
    const ofOthers = await gateway.ask(LINKS, {}, { authorization: bearer("ofTask") });
    expect(JSON.stringify(ofOthers)).not.toContain(id);
    expect(ofOthers.errors).toMatchObject([{ path: ["task", "callAgain"], extensions: { code: "FORBIDDEN" } }]);
  });
});
