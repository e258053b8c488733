// `npm run test:routers`: what clients get through Hive Gateway is what they get from the gateway itself.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { parse, print, type DocumentNode } from "graphql";
import type { Answer } from "../../test/support/gateway.ts";
import { until } from "../../test/support/until.ts";
import { as, startWorld, VIEWERS } from "./support/world.ts";

const ROOT = new URL("../../", import.meta.url);
const CUSTOMERS = [{ id: "1", name: "Li", phone: "+8613899990000" }];
/** For the queries of the documents. */
const VARIABLES = { first: 5, after: null };

/** Operations of the kind in the blocks of README and docs, but those of a larger graph. A router answers @defer itself. */
function operationsOfDocs(kind: "query" | "mutation"): string[] {
  const all = readdirSync(new URL("docs/", ROOT), { recursive: true, encoding: "utf8" });
  const docs = all.filter((name) => name.endsWith(".md") && name !== "federation.md");
  const paths = ["README.md", ...docs.map((name) => `docs/${name}`)];
  const texts = paths.map((path) => readFileSync(new URL(path, ROOT), "utf8"));
  const blocks = texts.flatMap((text) => [...text.matchAll(/```graphql\n(.*?)```/gs)].map(([, block = ""]) => block));
  return blocks
    .filter((block) => !block.includes("@defer"))
    .flatMap((block) => parse(block).definitions)
    .filter((definition) => definition.kind === "OperationDefinition" && definition.operation === kind)
    .map((definition) => print({ kind: "Document", definitions: [definition] } as DocumentNode));
}

/** What a client acts on. */
const comparable = ({ status, data, errors = [] }: Answer<Record<string, unknown>>) => ({
  status,
  // The router makes each field null of an operation that the gateway refuses whole, and names the field.
  data: Object.values(data ?? {}).every((field) => field === null) ? null : data,
  errors: errors.map(({ message, extensions }) => ({ message, code: extensions["code"] })),
});

test("the queries of README and docs have the same answers through the router", async (t) => {
  await using world = await startWorld();
  const { gateway, router, sandbox } = world;
  const ended = await Promise.all(Array.from({ length: 3 }, () => sandbox.endCall({})));
  const count = "{ callEndedEvents(first: 10) { nodes { sessionId } } }";
  type Events = { callEndedEvents: { nodes: object[] } };
  await until(async () => {
    const { data } = await gateway.ask<Events>(count, {}, as("all"));
    return data?.callEndedEvents.nodes.length === ended.length;
  });
  const queries = operationsOfDocs("query");
  assert.ok(queries.length > 10, `${queries.length} queries`);
  for (const viewer of Object.keys(VIEWERS) as (keyof typeof VIEWERS)[])
    for (const query of queries)
      await t.test(`of ${viewer}: ${query.slice(0, 90).replaceAll(/\s+/g, " ")}`, async () => {
        const direct = await gateway.ask(query, VARIABLES, as(viewer));
        const routed = await router.ask(query, VARIABLES, as(viewer));
        assert.deepEqual(comparable(routed), comparable(direct));
        if (viewer === "all") assert.equal(direct.errors, undefined);
      });
});

test("a task created through the router is sent once, and its repetition is the same at both", async () => {
  await using world = await startWorld();
  const { gateway, router, sandbox } = world;
  const create = operationsOfDocs("mutation").find((text) => /createTask\(\s*input: \{/.test(text)) ?? "";
  await sandbox.forget();
  type Created = { createTask: { submission: { id: string }; replayed: boolean; errors: unknown[] } };
  const first = (await router.ask<Created>(create, {}, as("all"))).data?.createTask;
  const again = (await router.ask<Created>(create, {}, as("all"))).data?.createTask;
  const direct = (await gateway.ask<Created>(create, {}, as("all"))).data?.createTask;
  assert.deepEqual(first?.errors, []);
  assert.equal(first?.replayed, false);
  assert.deepEqual([again?.replayed, again?.submission.id], [true, first?.submission.id]);
  assert.deepEqual(direct, again);
  const sent = (await sandbox.requests()).filter(({ method }) => method === "POST");
  assert.equal(sent.length, 1);
});

test("a customer of the CRM leads to the calls of the number", async () => {
  await using world = await startWorld(CUSTOMERS);
  const { router, sandbox } = world;
  const sessionId = await sandbox.endCall({ caller: "13899990000" });
  const query = `{ customer(id: "1") { name person { calls(first: 3) { nodes { sessionId } } lastCall { sessionId } } } }`;
  const { data, errors } = await router.ask(query, {}, as("all"));
  assert.equal(errors, undefined);
  assert.deepEqual(data, {
    customer: { name: "Li", person: { calls: { nodes: [{ sessionId }] }, lastCall: { sessionId } } },
  });
});

test("scopes are those of the Authorization header that the router forwards", async () => {
  await using world = await startWorld(CUSTOMERS);
  const { router, sandbox } = world;
  const callers = async (viewer: keyof typeof VIEWERS) => {
    const { data } = await router.ask<{ callEndedEvents: { nodes: { caller: string }[] } }>(
      "{ callEndedEvents(first: 1) { nodes { caller } } }",
      {},
      as(viewer),
    );
    return data?.callEndedEvents.nodes.map(({ caller }) => caller);
  };
  await sandbox.endCall({ caller: "13899990000" });
  await until(async () => (await callers("all"))?.length === 1);
  assert.deepEqual(await callers("all"), ["13899990000"]);
  const [masked = "13899990000"] = (await callers("masked")) ?? [];
  assert.notEqual(masked, "13899990000");

  const refused = await router.ask(`{ customer(id: "1") { name person { calls { totalCount } } } }`, {}, as("masked"));
  assert.ok(JSON.stringify(refused).includes("Li"), "the CRM's part is answered");
  assert.ok(!JSON.stringify(refused).includes("totalCount"));
  assert.deepEqual(codesOf(refused), ["FORBIDDEN"]);
  assert.deepEqual(codesOf(await router.ask("{ callLogs(first: 1) { totalCount } }")), ["UNAUTHENTICATED"]);
});

test("errors keep their codes", async () => {
  await using world = await startWorld();
  const { gateway, router } = world;
  const cases: [string, object][] = [
    [`{ task(taskId: "seven") { name } }`, {}],
    [`{ callLogs(first: 1, after: "canary") { totalCount } }`, {}],
    [`{ callLogs(first: 5000) { totalCount } }`, {}],
    [
      `query ($ids: [ID!]!) { tasksByIds(taskIds: $ids) { name } }`,
      { ids: Array.from({ length: 101 }, (_, at) => at + 1) },
    ],
    [`{ doNotCall { count } }`, {}],
  ];
  for (const [query, variables] of cases)
    for (const viewer of ["all", "masked"] as const) {
      const direct = await gateway.ask(query, variables, as(viewer));
      assert.deepEqual(codesOf(await router.ask(query, variables, as(viewer))), codesOf(direct), query);
    }
});

const codesOf = ({ errors = [] }: Answer<unknown>) => errors.map(({ extensions }) => extensions["code"]);
