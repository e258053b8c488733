// `npm run test:router-cli`: Hive Gateway's command line, as docs/federation.md starts it for results by HTTP callback, with other
// ports.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gatewayAt, NO_SERVICE, startGateway, temporaryDirectory } from "../../test/support/gateway.ts";
import { bearer, writeKeys } from "../../test/support/keys.ts";
import { deliver, subscribers } from "../../test/support/network/callbackReceiver.ts";
import { freePort } from "../../test/support/network/freePort.ts";
import { openSse } from "../../test/support/streams.ts";
import { until } from "../../test/support/until.ts";
import { compose } from "./support/router.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = readFileSync(at("../../docs/federation.md"), "utf8");
const SECTION = /\n### Results by HTTP callback\n[^]*?(?=\n##)/.exec(PAGE)?.[0] ?? "";
const AUTHORIZATION = { authorization: bearer("web") };

function found(pattern: RegExp): string {
  const [, text] = pattern.exec(SECTION) ?? [];
  if (text === undefined) throw new Error(`The section has nothing like ${pattern.source}.`);
  return text;
}

test("the command line of the page delivers events by HTTP callback, with the client's rights", async () => {
  await using parts = new AsyncDisposableStack();
  const { path: folder } = parts.use(await temporaryDirectory());
  const port = await freePort();
  const withPort = (text: string) => text.replaceAll("4100", String(port));
  const install = found(/^npm install (.+)$/m).split(" ");
  const { dependencies } = JSON.parse(readFileSync(at("cli/package.json"), "utf8")) as { dependencies: object };
  assert.deepEqual(
    install,
    Object.entries(dependencies).map(([name, version]) => `${name}@${version}`),
  );

  const API_KEYS_FILE = await writeKeys(folder, { web: ["calls:read", "admin"] });
  const SUBSCRIPTION_CALLBACK_URLS = withPort(found(/SUBSCRIPTION_CALLBACK_URLS=(\S+)/));
  const env = { FEDERATION: "on", METRICS_PORT: "0", API_KEYS_FILE, SUBSCRIPTION_CALLBACK_URLS };
  const gateway = parts.use(await startGateway(NO_SERVICE, env));
  const { data } = await gateway.ask<{ _service: { sdl: string } }>("{ _service { sdl } }", {}, AUTHORIZATION);
  const subgraph = { name: "switchboard", url: `${gateway.url}/graphql`, sdl: data?._service.sdl ?? "" };
  writeFileSync(join(folder, "supergraph.graphql"), compose([subgraph]));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "gateway.config.js"), withPort(found(/`gateway\.config\.js`:\n\n```js\n([^]*?)```/)));
  symlinkSync(at("cli/node_modules"), join(folder, "node_modules"));

  const [, ...words] = withPort(found(/^npx (hive-gateway .+)$/m)).split(" ");
  const bin = at("cli/node_modules/.bin/hive-gateway");
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  const child = spawn(process.execPath, [bin, ...words], { cwd: folder, env: { PATH }, stdio: "ignore" });
  const exited = once(child, "exit");
  parts.defer(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const router = gatewayAt(`http://127.0.0.1:${port}`);
  const head = () => router.ask("{ callEndedEvents(first: 1) { headCursor } }", {}, AUTHORIZATION);
  const answer = await until(() => head().catch(() => null));
  assert.equal(answer.errors, undefined);
  const stranger = await router.ask("{ callEndedEvents(first: 1) { headCursor } }");
  assert.equal(stranger.errors?.[0]?.extensions["code"], "UNAUTHENTICATED");

  const query = "subscription { callEnded { sessionId } }";
  const stream = parts.use(await openSse(router.url, { query }, AUTHORIZATION));
  const first = stream.next();
  await until(async () => (await subscribers(gateway, AUTHORIZATION)) === 1);
  const sessionId = await deliver(gateway);
  assert.deepEqual((await first).data, { callEnded: { sessionId } });
  const { port: metricsPort } = await gateway.line(({ msg }) => msg === "metrics are served");
  const metrics = await (await fetch(`http://127.0.0.1:${String(metricsPort)}/metrics`)).text();
  assert.match(metrics, /operations_total\{transport="callback",kind="subscription",code="OK"\} 1\n/);

  await stream[Symbol.asyncDispose]();
  // The router answers 404 to the next message.
  await deliver(gateway);
  await until(async () => (await subscribers(gateway, AUTHORIZATION)) === 0);
});
