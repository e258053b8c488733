// `npm run test:routers`: runs the steps of docs/federation.md in an empty folder, with other ports.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { gatewayAt, temporaryDirectory } from "../../test/support/gateway.ts";
import { freePort } from "../../test/support/network/freePort.ts";
import { until } from "../../test/support/until.ts";
import { startCrm } from "./support/crm.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = readFileSync(at("../../docs/federation.md"), "utf8");
const STEPS = /\n## From your supergraph[^]*?(?=\n## )/.exec(PAGE)?.[0] ?? "";
/** The commands of the page, each on a line of its own. */
const COMMANDS = blocks("sh").flatMap((text) => text.replaceAll("\\\n", "").trim().split("\n"));

/** The blocks of a language in the steps, without their indent. */
function blocks(language: string): string[] {
  const found = STEPS.matchAll(new RegExp(`^ {3}\`\`\`${language}\n([^]*?)^ {3}\`\`\``, "gm"));
  return [...found].map(([, text = ""]) => text.replaceAll(/^ {3}/gm, ""));
}

/** The block after the file's last mention. */
function file(name: string): string {
  const [, text] = new RegExp(`\`${name}\`[^\`]*:\n\n {3}\`\`\`\\w+\n([^]*?)^ {3}\`\`\``, "m").exec(STEPS) ?? [];
  if (text === undefined) throw new Error(`The steps have no file ${name}.`);
  return text.replaceAll(/^ {3}/gm, "");
}

function command(holding: string): string {
  const [found, ...others] = COMMANDS.filter((each) => each.includes(holding));
  if (!found || others.length > 0) throw new Error(`The steps have not one command with ${holding}.`);
  return found;
}

test("the steps lead from a CRM to its customers' calls", async () => {
  await using parts = new AsyncDisposableStack();
  const { path: folder } = parts.use(await temporaryDirectory());
  const ports = { 4000: await freePort(), 5000: 0, 4100: await freePort() };
  const withPorts = (text: string) =>
    Object.entries(ports).reduce(
      (said, [of, port]) => said.replaceAll(new RegExp(`\\b${of}\\b`, "g"), String(port)),
      text,
    );
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // `npx --no-install switchboard` is this repository's.
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift 2\nexec node "${at("../../src/cli.ts")}" "$@"\n`);
  chmodSync(join(bin, "npx"), 0o755);
  const env = {
    PATH: [bin, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    PORT: String(ports[4000]),
    DATABASE_URL: `file:${join(folder, "switchboard.db")}`,
  };
  /** Resolves with what it printed. Does not block this process, which is the CRM. */
  const run = async (text: string, own: Record<string, string> = {}) =>
    promisify(execFile)("sh", ["-c", text], { cwd: folder, env: { ...env, ...own } });
  const start = (text: string) => {
    const child = spawn("sh", ["-c", `exec env ${text}`], { cwd: folder, env, stdio: "ignore" });
    const exited = once(child, "exit");
    parts.defer(async () => {
      child.kill("SIGKILL");
      await exited;
    });
  };
  const answers = (url: string) =>
    until(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );

  // Step 1
  const { stderr: shown } = await run(command("switchboard key"));
  const [key = ""] = /swb_\S+/.exec(shown) ?? [];
  assert.notEqual(key, "");
  start(command("switchboard start"));
  const gateway = gatewayAt(`http://127.0.0.1:${ports[4000]}`);
  await answers(`${gateway.url}/readyz`);
  // Step 2
  await run(command("schema --federation"));
  // Step 3: the CRM is the reader's own. Its customer is one that the sandbox called.
  writeFileSync(join(folder, "crm.graphql"), file("crm.graphql"));
  writeFileSync(join(folder, "resolvers.mjs"), file("resolvers.js"));
  const { resolvers } = (await import(pathToFileURL(join(folder, "resolvers.mjs")).href)) as {
    resolvers: { Customer: { person: (customer: { phone: string }) => { phone: string } } };
  };
  const phone = await calledNumber(gateway, key);
  const customers = [{ id: "1", name: "Li", phone }];
  const crm = parts.use(await startCrm(customers, file("crm.graphql"), resolvers.Customer.person));
  ports[5000] = Number(new URL(crm.url).port);
  // Step 4
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  checkVersions(command("npm install"));
  symlinkSync(at("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "compose.js"), withPorts(file("compose.js")));
  await run(command("node compose.js"));
  assert.ok(existsSync(join(folder, "supergraph.graphql")));
  // Step 5
  writeFileSync(join(folder, "router.js"), withPorts(file("router.js")));
  start("node router.js");
  const router = gatewayAt(`http://127.0.0.1:${ports[4100]}`);
  await until(() =>
    router.ask("{ __typename }").then(
      ({ data }) => data,
      () => null,
    ),
  );
  // Step 6, and the query at the top of the page.
  type Customer = { customer: { name: string; person: { calls: { nodes: { startAt: string }[] } } } };
  const { stdout: sent } = await run(withPorts(command("curl")), { KEY: key });
  const [query = ""] = /```graphql\n(query[^]*?)```/.exec(PAGE)?.slice(1) ?? [];
  const asked = await router.ask<Customer>(query, {}, { authorization: `Bearer ${key}` });
  for (const { data, errors } of [JSON.parse(sent) as typeof asked, asked]) {
    assert.equal(errors, undefined);
    assert.equal(data?.customer.name, "Li");
    assert.ok(data.customer.person.calls.nodes.length > 0, "the customer has calls");
  }
});

/** The number of a customer that the sandbox called, or that called. */
async function calledNumber(gateway: ReturnType<typeof gatewayAt>, key: string): Promise<string> {
  const query = `query ($since: DateTime!) {
    callLogs(first: 20, filter: { since: $since, direction: OUTBOUND }) { nodes { callee } }
  }`;
  type Calls = { callLogs: { nodes: { callee: string }[] } };
  const since = new Date(Date.now() - 20 * 86_400_000).toISOString();
  return until(async () => {
    const { data } = await gateway.ask<Calls>(query, { since }, { authorization: `Bearer ${key}` });
    return data?.callLogs.nodes.find(({ callee }) => /^\+?\d{7,20}$/.test(callee))?.callee;
  });
}

/** The versions that the page installs are the ones that this package tests. */
function checkVersions(install: string): void {
  const { dependencies } = JSON.parse(readFileSync(at("package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const named of install.split(/\s+/).slice(2)) {
    const split = named.lastIndexOf("@");
    assert.equal(dependencies[named.slice(0, split)], named.slice(split + 1), named);
  }
}
