// Two eyes over HTTP: proposing, approving and declining with keys of their own, on gateways that share a database.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { openSse } from "../support/streams.ts";
import { taskInput } from "./submitting.ts";

const CREATE = `mutation($input: CreateTaskInput!) { createTask(input: $input) {
  replayed submission { id status submittedBy numberCount proposal { expiresAt lineIds periods startDate skipDoNotCall } }
  errors { code } } }`;
const APPROVE = `mutation($id: ID!) { approveTask(id: $id) { replayed submission { status } errors { code } } }`;
const DECLINE = `mutation($id: ID!, $reason: String) { declineTask(id: $id, reason: $reason) {
  replayed submission { status proposal { declineReason decidedBy } } errors { code } } }`;
const READ = `query($id: ID!) { taskSubmission(id: $id) { status name submittedBy proposal { decidedBy declineReason } } }`;
const WATCH = `subscription($id: ID!) { taskSubmission(id: $id) { status } }`;

interface Decision {
  replayed: boolean;
  submission: { status: string } | null;
  errors: { code: string }[];
}

const parts = new AsyncDisposableStack();
let sandbox: Sandbox;
let gateways: TestGateway[];
beforeAll(async () => {
  sandbox = parts.use(await emptySandbox());
  const directory = parts.use(await temporaryDirectory());
  const database = parts.use(await takeMigratedDatabase());
  const keys = {
    web: ["tasks:propose"],
    boss: ["tasks:approve"],
    both: ["tasks:propose", "tasks:approve"],
    reader: ["calls:read"],
    editor: ["tasks:approve", "calls:read", "assistants:prompts"],
    creator: ["tasks:create"],
    admin: ["admin"],
  };
  const env = { API_KEYS_FILE: await writeKeys(directory.path, keys), DATABASE_URL: database.url };
  gateways = [];
  for (let at = 0; at < 3; at += 1) gateways.push(parts.use(await startGateway(sandbox, env)));
});
afterAll(() => parts.disposeAsync());

async function ask(query: string, variables: unknown, viewer: string, gateway = gateways[0]) {
  const answer = await gateway?.ask(query, variables, { authorization: bearer(viewer) });
  return { value: Object.values(answer?.data ?? {})[0], code: answer?.errors?.[0]?.extensions["code"] };
}
const approve = async (id: string, viewer = "boss", gateway = gateways[0]) =>
  (await ask(APPROVE, { id }, viewer, gateway)).value as Decision | undefined;
async function propose(own: Record<string, unknown> = {}, viewer = "web") {
  const { value: given, code } = await ask(CREATE, { input: taskInput(sandbox, own) }, viewer);
  const value = given as { replayed: boolean; submission: { id: string } | null; errors: unknown[] } | undefined;
  if (!value?.submission) throw new Error(`no submission: ${String(code)} ${JSON.stringify(value?.errors)}`);
  return { ...value, id: value.submission.id };
}
const tasks = () => sandbox.control.state().tasks;

describe("A key with tasks:propose", () => {
  it("proposes with createTask, and sees what it would do without numbers", async () => {
    const before = tasks();
    const { replayed, submission, errors, id } = await propose({ option: { ...option(), lineIds: ["60"] } });
    expect({ replayed, submission, errors }).toEqual({
      replayed: false,
      submission: {
        id,
        status: "PROPOSED",
        submittedBy: "web",
        numberCount: 2,
        proposal: {
          expiresAt: expect.stringMatching(/Z$/) as string,
          lineIds: ["60"],
          periods: [["09:00", "18:00"]],
          startDate: "2035-01-01",
          skipDoNotCall: false,
        },
      },
      errors: [],
    });
    expect(tasks()).toBe(before);
  });

  it("may check a task, and neither approve nor decline one", async () => {
    const { idempotencyKey: _, ...input } = taskInput(sandbox);
    const check = "mutation($input: CheckTaskInput!) { checkTask(input: $input) { people } }";
    expect((await ask(check, { input }, "web")).value).toEqual({ people: 2 });
    const { id } = await propose();
    for (const query of [APPROVE, DECLINE]) {
      for (const viewer of ["web", "creator", "reader", "admin"])
        expect((await ask(query, { id }, viewer)).code).toBe("FORBIDDEN");
    }
    for (const viewer of ["reader", "boss"])
      expect((await ask(CREATE, { input: taskInput(sandbox) }, viewer)).code).toBe("FORBIDDEN");
  });

  it("may not approve its own task, with tasks:approve either", async () => {
    const before = tasks();
    const { id } = await propose({}, "both");
    expect(await approve(id, "both")).toEqual({
      replayed: false,
      submission: { status: "PROPOSED" },
      errors: [{ code: "OWN_PROPOSAL" }],
    });
    expect(tasks()).toBe(before);
  });
});

describe("Viewers with tasks:approve", () => {
  it("see the words that people will hear beside the assistant's own, and the prompt with its scope", async () => {
    const words = { welcome: "Good day, this is a survey.", prompt: "Ask three questions.", language: "EN" };
    const { id } = await propose({ assistantOverride: { globalConfig: words, speakerId: "42" } });
    const read = (fields: string) => `query($id: ID!) { taskSubmission(id: $id) { proposal { ${fields} } } }`;
    const changes = "assistantOverride { welcome changesPrompt language speakerId }";
    const { prompt, ...others } = words;
    const shown = { ...others, changesPrompt: true, speakerId: "42" };
    expect((await ask(read(changes), { id }, "boss")).value).toEqual({ proposal: { assistantOverride: shown } });
    const prompts = "assistantOverride { prompt } assistant { welcome prompt speakerId }";
    expect((await ask(read(prompts), { id }, "boss")).code).toBe("FORBIDDEN");
    // No gateway saw a task of the assistant yet.
    const own = (await ask(read(prompts), { id }, "editor")).value as { proposal: object };
    expect(own.proposal).toMatchObject({ assistantOverride: { prompt } });
    await ask(DECLINE, { id, reason: null }, "boss");
    expect((await ask(read(changes), { id }, "boss")).value).toEqual({ proposal: { assistantOverride: null } });
  });

  it("send a task once, from three gateways at the same time, and its subscribers see each step", async () => {
    const before = tasks();
    const name = "Approved thrice";
    const { id } = await propose({ name });
    await using live = await openSse<{ taskSubmission: { status: string } }>(
      gateways[2]?.url ?? "",
      { query: WATCH, variables: { id } },
      { authorization: bearer("web") },
    );
    expect((await live.next()).data?.taskSubmission.status).toBe("PROPOSED");
    const decisions = await Promise.all(
      gateways.flatMap((gateway) => ["boss", "both"].map((viewer) => approve(id, viewer, gateway))),
    );
    for (const decision of decisions)
      expect(decision).toMatchObject({ submission: { status: "ACCEPTED" }, errors: [] });
    expect(decisions.filter((decision) => decision?.replayed === false)).toHaveLength(1);
    expect(tasks()).toBe(before + 1);
    let seen = "";
    while (seen !== "ACCEPTED") seen = (await live.next()).data?.taskSubmission.status ?? "";
  });

  it("decline a task for a reason that its proposer sees, with the name of who declined", async () => {
    const { id } = await propose();
    const declined = { status: "DECLINED", proposal: { declineReason: "Call +8613****5678", decidedBy: "boss" } };
    const reason = " Call +8613912345678 ";
    const { value } = await ask(DECLINE, { id, reason }, "boss");
    expect(value).toEqual({ replayed: false, submission: declined, errors: [] });
    expect((await ask(READ, { id }, "web")).value).toMatchObject({ submittedBy: "web", ...declined });
    const others = { submittedBy: null, proposal: { decidedBy: null } };
    expect((await ask(READ, { id }, "creator")).value).toMatchObject(others);
    expect(await approve(id)).toMatchObject({ submission: { status: "DECLINED" }, errors: [{ code: "DECLINED" }] });
    for (const bad of ["x".repeat(1001), "\0", "\ud800"])
      expect((await ask(DECLINE, { id, reason: bad }, "boss")).code).toBe("BAD_USER_INPUT");
  });

  it("find no task to approve that was sent at once, or has another id", async () => {
    const { id, submission } = await propose({}, "creator");
    expect(submission).toMatchObject({ status: "ACCEPTED", proposal: null });
    expect(await approve(id)).toEqual({ replayed: false, submission: null, errors: [{ code: "NOT_PROPOSED" }] });
    expect((await ask(APPROVE, { id: "x" }, "boss")).code).toBe("BAD_USER_INPUT");
  });

  it("are in the audit log with what they decided", async () => {
    const { id } = await propose({ name: "Audited" });
    await approve(id, "boss", gateways[1]);
    const query = "{ auditEvents(first: 2) { nodes { action actor subjectId count } } }";
    const { value } = await ask(query, {}, "admin", gateways[2]);
    expect((value as { nodes: object[] } | undefined)?.nodes).toEqual([
      { action: "TASK_APPROVED", actor: "boss", subjectId: id, count: 2 },
      { action: "TASK_PROPOSED", actor: "web", subjectId: id, count: 2 },
    ]);
  });
});

describe("A number that is forgotten while a task with it waits", () => {
  it("is never called: the task is declined", async () => {
    const before = tasks();
    const numbers = [
      { number: "+12025550188", extra: { note: "call back (202) 555-0199" } },
      { number: "+12025550187" },
    ];
    const { id } = await propose({ numbers });
    const other = await propose({ numbers: [{ number: "+12025550177" }] });
    const forget = `mutation { forgetPhone(number: "202-555-0199") { proposals } }`;
    expect((await ask(forget, {}, "admin", gateways[1])).value).toEqual({ proposals: 1 });
    expect(await approve(id)).toMatchObject({ submission: { status: "DECLINED" } });
    expect(tasks()).toBe(before);
    expect(await approve(other.id)).toMatchObject({ submission: { status: "ACCEPTED" }, errors: [] });
  });
});

const option = () => taskInput(sandbox)["option"] as Record<string, unknown>;
