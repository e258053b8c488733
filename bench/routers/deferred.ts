// `npm run test:routers`: @defer behind Hive Gateway. The router answers in parts itself: it asks the gateway for each deferred
// fragment in a query of its own, by `_entities`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../test/support/until.ts";
import { as, startWorld, VIEWERS, type World } from "./support/world.ts";

/** An answer in parts, in the format of 2022 that the router writes. */
interface Part {
  data?: Record<string, unknown> | null;
  incremental?: { data: object | null; path: (string | number)[]; errors?: PartError[] }[];
  errors?: PartError[];
  hasNext: boolean;
}
interface PartError {
  extensions: Record<string, unknown>;
}

const query = (taskId: string, defer: string, field = "status") => `{
  task(taskId: "${taskId}") { taskId ... ${defer} { callLogs(first: 5) { nodes { sessionId ... ${defer} { recording { ${field} } } } } } }
}`;

async function answerOf(url: string, text: string, accept: string, viewer: keyof typeof VIEWERS): Promise<Response> {
  const headers = { "content-type": "application/json", accept, ...as(viewer) };
  return fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query: text }) });
}

const formats: [string, (text: string) => Part[]][] = [
  [
    "text/event-stream",
    (text) => [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Part),
  ],
  [
    "multipart/mixed;incrementalSpec=v0.2, application/json",
    (text) => [...text.matchAll(/^\{.*$/gm)].map(([json]) => JSON.parse(json) as Part),
  ],
];

function merge([first, ...later]: readonly Part[]): unknown {
  const merged = structuredClone(first?.data);
  for (const { data, path } of later.flatMap(({ incremental = [] }) => incremental)) {
    const target = path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], merged);
    Object.assign(target as object, data);
  }
  return merged;
}

/** A task with two calls that have a recording, and the answer of the gateway without @defer. */
async function findTask({ gateway, sandbox }: World) {
  const since = new Date(Date.now() - 5 * 86_400_000).toISOString();
  const calls = `{ callLogs(first: 100, filter: { since: "${since}" }) { nodes { task { taskId } } } }`;
  type Calls = { callLogs: { nodes: { task: { taskId: string } | null }[] } };
  const { data } = await gateway.ask<Calls>(calls, {}, as("all"));
  const taskId = data?.callLogs.nodes.find(({ task }) => task)?.task?.taskId ?? "";
  await sandbox.endCall({ taskId });
  await sandbox.endCall({ taskId });
  type Whole = { task: { callLogs: { nodes: { recording: { status: string } | null }[] } } };
  // No host is allowed, so each recording is given up at once and stays as it is.
  const whole = await until(async () => {
    const answer = await gateway.ask<Whole>(query(taskId, ""), {}, as("all"));
    const given = answer.data?.task.callLogs.nodes.filter(({ recording }) => recording?.status === "LOST");
    return given && given.length >= 2 && answer.data;
  });
  return { taskId, whole };
}

for (const [accept, partsIn] of formats)
  test(`@defer is answered in parts, whole and right, as ${accept}`, async () => {
    await using world = await startWorld();
    const { taskId, whole } = await findTask(world);
    const response = await answerOf(world.router.url, query(taskId, "@defer"), accept, "all");
    assert.equal(response.status, 200);
    const parts = partsIn(await response.text());
    assert.deepEqual(parts[0], { data: { task: { taskId } }, hasNext: true });
    assert.equal(parts.length, 3);
    assert.equal(parts.at(-1)?.hasNext, false);
    assert.deepEqual(merge(parts), whole);
  });

test("a deferred part beyond the viewer's scopes is refused alone", async () => {
  await using world = await startWorld();
  const { taskId } = await findTask(world);
  const [[accept, partsIn]] = formats as [(typeof formats)[number]];
  const response = await answerOf(world.router.url, query(taskId, "@defer", "url"), accept, "masked");
  const parts = partsIn(await response.text());
  const errors = parts.flatMap(({ incremental = [] }) => incremental.flatMap(({ errors: found = [] }) => found));
  assert.deepEqual([...new Set(errors.map(({ extensions }) => extensions["code"]))], ["FORBIDDEN"]);
  type Merged = { task: { callLogs: { nodes: { sessionId: string; recording: unknown }[] } } };
  const { nodes } = (merge(parts) as Merged).task.callLogs;
  assert.ok(nodes.length >= 2);
  assert.ok(nodes.every(({ sessionId, recording }) => sessionId !== "" && recording === null));
});

test("a client that accepts JSON alone gets 406 for @defer", async () => {
  await using world = await startWorld();
  const { taskId } = await findTask(world);
  assert.equal((await answerOf(world.router.url, query(taskId, "@defer"), "application/json", "all")).status, 406);
});
