// `npm run test:routers`: two libraries that routers use compose the subgraph with a CRM, without an error or a hint.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import apollo from "@apollo/composition";
import { composeServices } from "@theguild/federation-composition";
import { parse, validate, buildSchema } from "graphql";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const calls = execFileSync(process.execPath, [at("../../src/cli.ts"), "schema", "--federation"], { encoding: "utf8" });
const crm = readFileSync(at("crm.graphql"), "utf8");
const subgraphs = [
  { name: "switchboard", url: "http://127.0.0.1:4000/graphql", typeDefs: parse(calls) },
  { name: "crm", url: "http://127.0.0.1:5000/graphql", typeDefs: parse(crm) },
];

test("@theguild/federation-composition composes the subgraph with a CRM", () => {
  const result = composeServices(subgraphs);
  assert.deepEqual(result.errors ?? [], []);
  const query = parse(
    `{ customer(id: "1") { name person { lastCall { startAt } calls(first: 3) { nodes { task { name } } } } } }`,
  );
  assert.deepEqual(validate(buildSchema(result.publicSdl ?? ""), query), []);
});

test("@apollo/composition composes the subgraph with a CRM, without a hint", () => {
  const result = apollo.composeServices(subgraphs);
  assert.deepEqual(result.errors ?? [], []);
  assert.deepEqual((result.hints ?? []).map(String), []);
  assert.match(result.supergraphSdl ?? "", /type Person\s+@join__type\(graph: CRM, key: "phone", resolvable: false\)/);
});
