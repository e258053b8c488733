// Rows of several teams behind one gateway, viewers with every kind of `access`, and the rule that says what each of them sees.
import * as fc from "fast-check";
import { scopes } from "../../src/auth/scopes.ts";
import { openStore } from "../../src/store/store.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { seedAlerts } from "../alerts/seeded.ts";
import { ANY_QUOTA, submission } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

export interface Access {
  taskIds?: string[];
  assistantIds?: string[];
  lineIds?: string[];
  submittedBy?: "self";
}

export interface WorldViewer {
  name: string;
  /** Null: everything. */
  access: Access | null;
  /** The tasks that it submitted through the gateway. */
  submitted: string[];
}

export interface Call {
  sessionId: string;
  taskId: string | null;
  assistants: string[];
  /** Whether the service lists it. The log has every call. */
  isListed: boolean;
}

/** Lines by task. */
export const TASKS: Record<string, string[]> = { "9001": ["60"], "9002": ["60", "61"], "9003": ["61"], "9004": [] };
export const AROUND = "2020-01-02T02:00:00.000Z";
export const RANGE = { since: "2020-01-01T00:00:00.000Z", until: "2020-01-03T00:00:00.000Z" };
/** IDs that the service does not know. */
export const NO_TASK = "9998";
export const NO_SESSION = "no such call";

export interface World extends AsyncDisposable {
  gateway: TestGateway;
  sandbox: TestSandbox;
  viewers: readonly WorldViewer[];
  calls: readonly Call[];
  /** Two assistants. */
  A: string;
  B: string;
  assistantOf: (taskId: string) => string;
  /** In the order in which they were raised. */
  alerts: readonly WorldAlert[];
}

export interface WorldAlert {
  id: string;
  taskId: string | null;
  assistantId: string | null;
}

/** Viewers for one run of a property: keys are read when the gateway starts. */
export function viewersOf(seed: number, count: number, [A, B]: readonly [string, string]): WorldViewer[] {
  const some = (ids: string[]) => fc.option(fc.subarray(ids, { minLength: 1 }), { nil: undefined, freq: 2 });
  const access = fc
    .record({
      taskIds: some([...Object.keys(TASKS), NO_TASK]),
      assistantIds: some([A, B, "999999"]),
      lineIds: some(["60", "61", "62"]),
      submittedBy: fc.option(fc.constant("self" as const), { nil: undefined, freq: 2 }),
    })
    .map((whole) => Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as Access)
    .filter((whole) => Object.keys(whole).length > 0);
  const drawn = fc.sample(fc.record({ access, submitted: fc.subarray(Object.keys(TASKS)) }), { seed, numRuns: count });
  const alone: Access[] = [{ taskIds: ["9001"] }, { assistantIds: [B] }, { lineIds: ["60"] }, { submittedBy: "self" }];
  const all = [...alone.map((access) => ({ access, submitted: ["9002"] })), ...drawn];
  return [
    { name: "everything", access: null, submitted: [] },
    ...all.map((one, at) => ({ name: `viewer-${at}`, ...one })),
  ];
}

export async function startWorld(databaseUrl: string | null, seed: number, count: number): Promise<World> {
  const parts = new AsyncDisposableStack();
  const sandbox = parts.use(await startSandbox());
  const { assistants } = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
  const [A, B] = assistants.map(({ id }) => id) as [string, string];
  const assistantOf = (taskId: string) => (taskId === "9001" || taskId === "9004" ? A : B);
  const calls: Call[] = [
    ["a1", "9001", [A]],
    ["b1", "9001", [B]],
    ["a2", "9002", [A]],
    ["ab2", "9002", [A, B]],
    ["b3", "9003", [B]],
    ["a4", "9004", [A]],
    ["inbound", null, [A]],
    ["only event", "9003", [A]],
    ["own event", "9001", [A]],
  ].map(([sessionId, taskId, of]) => ({
    sessionId: sessionId as string,
    taskId: taskId as string | null,
    assistants: of as string[],
    isListed: !String(sessionId).endsWith("event"),
  }));
  await sandbox.control("POST", "seed", {
    tasks: Object.entries(TASKS).map(([id, lines]) => ({
      id,
      lines,
      assistantId: assistantOf(id),
      name: `Task ${id}`,
    })),
    calls: calls
      .filter(({ isListed }) => isListed)
      .map(({ sessionId, taskId, assistants: of }) => ({
        sessionId,
        ...(taskId === null ? { direction: "inbound" } : { taskId }),
        startAt: "2020-01-02 10:00:00",
        assistant: of.map((id) => ({ id, vid: 1 })),
      })),
  });
  const directory = parts.use(await temporaryDirectory());
  const url = databaseUrl ?? directory.database;
  const viewers = viewersOf(seed, count, [A, B]);
  const subjects = [...Object.keys(TASKS).map((id) => `task ${id}`), `assistant ${A}`, "all", `assistant ${B}`];
  const alerts = await seedDatabase(url, viewers, [...subjects, "key tasksPerHour everything"]);
  const keys = await writeKeys(
    directory.path,
    Object.fromEntries(viewers.map(({ name }) => [name, scopes])),
    Object.fromEntries(viewers.flatMap(({ name, access }) => (access ? [[name, access]] : []))),
  );
  const limits = { FEDERATION: "on", QUERY_BUDGET: "1000", RATE_LIMIT: "1000000", LOG_RATE_LIMIT: "100000000" };
  const gateway = parts.use(await startGateway(sandbox, { DATABASE_URL: url, API_KEYS_FILE: keys, ...limits }));
  for (const call of calls) await gateway.deliver(eventOf(call));
  const whole = { authorization: bearer("everything") };
  const known = `{ tasks(first: 100) { edges { node { taskId } } } assistant(assistantId: "${A}") { assistantId } }`;
  await until(async () => {
    const { data } = await gateway.ask(known, {}, whole);
    const text = JSON.stringify(data);
    return Object.keys(TASKS).every((id) => text.includes(`"${id}"`)) && text.includes(`"assistantId":"${A}"`);
  });
  return {
    gateway,
    sandbox,
    viewers,
    calls,
    A,
    B,
    assistantOf,
    alerts,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** As the gateway stores alerts, and what the viewers submitted, each with the task that its correlation token proved. */
async function seedDatabase(
  url: string,
  viewers: readonly WorldViewer[],
  subjects: readonly string[],
): Promise<WorldAlert[]> {
  await using store = await openStore({ url, log: silentLog, fsync: "elsewhere" });
  for (const { name, submitted } of viewers) {
    for (const taskId of submitted) {
      const id = `${name} ${taskId}`;
      await store.submissions.claim(
        submission({ id, viewer: name, idempotencyKey: id, status: "ACCEPTED" }),
        ANY_QUOTA,
      );
      await store.submissions.resolve(id, taskId);
    }
  }
  await seedAlerts(store, ...subjects.map((subject) => ({ rule: "rule", subject })));
  const found = await store.alerts.page({}, { after: null, limit: 100 });
  return found
    .toReversed()
    .map(({ id, taskId, assistantId }) => ({ id: nodeId("Alert", String(id)), taskId, assistantId }));
}

export function eventOf({ sessionId, taskId, assistants }: Call, own: Record<string, unknown> = {}) {
  return callEndedEvent({
    session_id: sessionId,
    task_id: Number(taskId ?? 0),
    direction: taskId === null ? "inbound" : "outbound",
    assistant_infos: assistants.map((id) => ({ assistant_id: Number(id), assistant_vid: 1 })),
    ...own,
  });
}

// The rule.

const hasAny = (wanted: string[] | undefined, ids: readonly string[]) =>
  wanted === undefined || ids.some((id) => wanted.includes(id));

/** Whether calls of the task may be the viewer's, whatever their assistants. */
export function ownsTask({ access, submitted }: WorldViewer, taskId: string | null): boolean {
  if (!access) return true;
  const { taskIds, lineIds, submittedBy } = access;
  if (!taskIds && !lineIds && !submittedBy) return true;
  if (taskId === null || !(taskId in TASKS)) return false;
  const lines = TASKS[taskId] as string[];
  return (
    hasAny(taskIds, [taskId]) &&
    (!lineIds || (lines.length > 0 && lines.every((id) => lineIds.includes(id)))) &&
    (!submittedBy || submitted.includes(taskId))
  );
}

export const seesCall = (viewer: WorldViewer, { taskId, assistants }: Pick<Call, "taskId" | "assistants">): boolean =>
  ownsTask(viewer, taskId) && hasAny(viewer.access?.assistantIds, assistants);

/** It counts calls, and all of them must be the viewer's. */
export function seesAlert(viewer: WorldViewer, { taskId, assistantId }: WorldAlert): boolean {
  const { access } = viewer;
  if (!access) return true;
  const { assistantIds, ...others } = access;
  if (taskId !== null) return !assistantIds && ownsTask(viewer, taskId);
  return assistantId !== null && Object.keys(others).length === 0 && hasAny(assistantIds, [assistantId]);
}

export const seesTask = (viewer: WorldViewer, taskId: string, assistantId: string): boolean =>
  taskId in TASKS && ownsTask(viewer, taskId) && hasAny(viewer.access?.assistantIds, [assistantId]);
