// Refuses to measure a gateway that checks less than by default: sends it requests that each check must refuse. The client's
// rate limit is not tested: it counts as always, and is set higher than a load can reach.
import type { Environment } from "../../test/support/program.ts";
import { startGateway, type BenchGateway } from "../support/gateway.ts";
import { startBare } from "../support/metered.ts";
import { DAMAGED_DAY, rangeOf, rangeOn, type Range } from "../support/ranges.ts";

interface Check {
  name: string;
  query: string;
  range: Range;
  isAnonymous?: boolean;
  holds(answer: string): boolean;
}

const list = (fields: string) =>
  `query ($since: DateTime!, $until: DateTime!) { callLogs(filter: { since: $since, until: $until }) { nodes { ${fields} } } }`;
const has = (code: string) => (answer: string) => answer.includes(`"${code}"`) && !answer.includes('"nodes"');
/** Needs more requests to the service than a query may cause. */
const DEEP = "task { callLogs(first: 100) { nodes { task { callLogs(first: 100) { nodes { task { name } } } } } } }";
/** An unmasked callee of the stub. */
const A_NUMBER = /"1000000\d{4}"/;

const checks: readonly Check[] = [
  { name: "who asks", query: list("callee"), range: rangeOf(0), isAnonymous: true, holds: has("UNAUTHENTICATED") },
  { name: "what a query may cost", query: list(DEEP), range: rangeOf(0), holds: has("QUERY_TOO_COMPLEX") },
  {
    name: "what the service says",
    query: list("callee"),
    range: rangeOn(DAMAGED_DAY),
    holds: has("UPSTREAM_CONTRACT"),
  },
  {
    name: "who may see a number",
    query: list("callee"),
    range: rangeOf(0),
    holds: (answer) => answer.includes('"callee"') && !A_NUMBER.test(answer),
  },
  {
    name: "that the graph is shown to nobody",
    query: "{ __schema { types { name } } }",
    range: rangeOf(0),
    holds: (answer) => !answer.includes('"types"'),
  },
];

/** `settings`: variables of the gateway. Throws with the names of the missing checks. */
export async function refuseFewerChecks(settings: Environment): Promise<void> {
  await using service = await startBare("service");
  await using gateway = await startGateway({ service: service.url, settings, cacheMs: 0, scopes: ["calls:read"] });
  const missing: string[] = [];
  for (const check of checks) {
    const answer = await ask(gateway, check);
    if (!check.holds(answer)) missing.push(check.name);
  }
  if (missing.length > 0) throw new Error(`with these settings the gateway does not check ${missing.join(", ")}`);
}

async function ask({ url, authorization }: BenchGateway, { query, range, isAnonymous }: Check): Promise<string> {
  const headers = { "content-type": "application/json", ...(isAnonymous ? {} : { authorization }) };
  const body = JSON.stringify({ query, variables: query.startsWith("query") ? range : {} });
  return (await fetch(`${url}/graphql`, { method: "POST", headers, body })).text();
}
