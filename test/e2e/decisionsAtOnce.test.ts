// Whatever is decided about a proposal at the same moment on several gateways: it is sent once or never, and its status, its audit
// entries and each answer agree with that.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { taskInput } from "./submitting.ts";

const CREATE = "mutation($input: CreateTaskInput!) { createTask(input: $input) { submission { id } errors { code } } }";
const APPROVE = "mutation($id: ID!) { approveTask(id: $id) { replayed submission { status } errors { code } } }";
const DECLINE = "mutation($id: ID!) { declineTask(id: $id) { replayed submission { status } errors { code } } }";
const FORGET = "mutation($number: String!) { forgetPhone(number: $number) { proposals } }";
const NEVER = "mutation($number: String!) { addToDoNotCall(numbers: [$number]) { changed } }";
const READ = "query($id: ID!) { taskSubmission(id: $id) { status } }";
const AUDIT = "{ auditEvents(first: 100) { nodes { action subjectId } } }";

interface Decision {
  replayed: boolean;
  submission: { status: string };
  errors: { code: string }[];
}

const ROUNDS = 30;
const SENT = ["ACCEPTED", "UNCONFIRMED", "REJECTED"];

const parts = new AsyncDisposableStack();
let sandbox: Sandbox;
let gateways: TestGateway[];
beforeAll(async () => {
  sandbox = parts.use(await emptySandbox());
  const directory = parts.use(await temporaryDirectory());
  const database = parts.use(await takeMigratedDatabase());
  const keys = { web: ["tasks:propose"], boss: ["tasks:approve"], other: ["tasks:approve"], ops: ["admin"] };
  const env = { API_KEYS_FILE: await writeKeys(directory.path, keys), DATABASE_URL: database.url };
  gateways = [];
  for (let at = 0; at < 3; at += 1) gateways.push(parts.use(await startGateway(sandbox, env)));
});
afterAll(() => parts.disposeAsync());

async function ask<T>(at: number, viewer: string, query: string, variables: unknown = {}): Promise<T> {
  const answer = await gateways[at % 3]?.ask(query, variables, { authorization: bearer(viewer) });
  if (!answer?.data) throw new Error(JSON.stringify(answer?.errors));
  return Object.values(answer.data)[0] as T;
}

const FAULTS = [
  null,
  null,
  { kind: "status", status: 429 },
  { kind: "reset", processed: true },
  { kind: "status", status: 422 },
] as const;

it("A proposal that is approved, declined, erased and put on the never-call list at once is sent once or never", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const number = `+1202555${1000 + round}`;
    const name = `Round ${round}`;
    const input = taskInput(sandbox, { name, numbers: [{ number }] });
    const { id } = (await ask<{ submission: { id: string } }>(round, "web", CREATE, { input })).submission;
    const fault = FAULTS[round % FAULTS.length];
    const match = { method: "POST", path: "/openapi/tasks" };
    if (fault) sandbox.control.addFault({ match, times: 1, ...fault });
    const approvals = ["boss", "other", "boss"].map((viewer, at) => ask<Decision>(round + at, viewer, APPROVE, { id }));
    const declined = round % 2 === 0 ? [ask<Decision>(round + 1, "boss", DECLINE, { id })] : [];
    const others = [
      ...(round % 3 === 0 ? [ask(round + 2, "ops", FORGET, { number })] : []),
      ...(round % 4 === 1 ? [ask(round, "ops", NEVER, { number })] : []),
    ];
    const decisions = await Promise.all([...approvals, ...declined]);
    await Promise.all(others);
    sandbox.control.clearFaults();

    const seen = await Promise.all([0, 1, 2].map((at) => ask<{ status: string }>(at, "boss", READ, { id })));
    const statuses = new Set(seen.map((each) => each.status));
    const status = seen[0]?.status ?? "";
    const requests = sandbox.control.requests().filter(({ method, body }) => {
      return method === "POST" && JSON.stringify(body).includes(`"${name}"`);
    });
    const sentCount = requests.filter((each) => each.status !== 429).length;
    const { nodes } = await ask<{ nodes: { action: string; subjectId: string }[] }>(0, "ops", AUDIT);
    const audit = nodes.filter(({ subjectId }) => subjectId === id).map(({ action }) => action);
    const what = JSON.stringify({ round, status, sentCount, audit, decisions });
    expect(statuses.size, what).toBe(1);
    expect(["PROPOSED", "DECLINED", ...SENT], what).toContain(status);
    expect(sentCount, what).toBe(SENT.includes(status) ? 1 : 0);
    const decision = SENT.includes(status) ? ["TASK_APPROVED"] : status === "DECLINED" ? ["TASK_DECLINED"] : [];
    expect(audit, what).toEqual([...decision, "TASK_PROPOSED"]);
    const isFirst = ({ replayed, errors }: Decision) => !replayed && errors.length === 0;
    expect(decisions.filter(isFirst).length, what).toBeLessThanOrEqual(1);
  }
});
