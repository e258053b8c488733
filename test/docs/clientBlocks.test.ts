// Runs the first examples of the pages: the client in Node, EventSource in Chromium; and compares the error that docs/errors.md shows.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { endCalls } from "../client/clients.ts";
import { ROOT } from "../house/sources.ts";
import { hasChromium, launchChromium } from "../support/chromium.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";
import { blocksOf } from "./blocks.ts";

const js = (page: string, holding: string) =>
  blocksOf(page).find(({ language, code }) => language === "js" && code.includes(holding))?.code ?? "";

it("docs/live-events.md begins with three lines that follow ended calls", async () => {
  await using gateway = await startGateway(NO_SERVICE);
  await using folder = await temporaryDirectory();
  const code = js("docs/live-events.md", "createSwitchboardClient")
    .replace('"switchboard-client"', `"${join(ROOT, "client/src/index.ts")}"`)
    .replace("127.0.0.1:4000", new URL(gateway.url).host);
  await writeFile(join(folder.path, "main.mjs"), code);
  await using program = startProgram([join(folder.path, "main.mjs")], {});
  let ended = 0;
  // The program subscribes at some time; each call that ends then arrives.
  await until(async () => {
    await endCalls(gateway, [`s-${(ended += 1)}`]);
    return program.output.length > 1;
  });
  const first = Number(program.output[0]?.slice(2));
  expect(program.output.slice(0, 2)).toEqual([`s-${first}`, `s-${first + 1}`]);
});

it.skipIf(!hasChromium)("README.md has a page that shows each ended call on top of the list", async () => {
  await using gateway = await startGateway(NO_SERVICE);
  await using parts = new AsyncDisposableStack();
  const browser = await launchChromium();
  parts.defer(() => browser.close());
  const page = await browser.newPage();
  const html = `<!doctype html><body></body><script type="module">${js("README.md", "EventSource")}</script>`;
  // A page of the gateway's own origin.
  await page.route(`${gateway.url}/calls.html`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  await page.goto(`${gateway.url}/calls.html`);
  let ended = 0;
  await until(async () => {
    await endCalls(gateway, [`s-${(ended += 1)}`]);
    return (await page.locator("li").count()) > 1;
  });
  expect(await page.locator("li").first().textContent()).toMatch(/^\d{4}-\d\d-\d\dT\S+Z \S+$/);
});

it("docs/errors.md shows an error as the gateway gives it", async () => {
  await using sandbox = await emptySandbox();
  await using gateway = await startGateway(sandbox, { UPSTREAM_TIMEOUT_MS: "300" });
  sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "hang" });
  const shown = JSON.parse(blocksOf("docs/errors.md")[0]?.code ?? "") as { data: unknown; errors: object[] };
  const { data, errors } = await gateway.ask("{ callLogs { totalCount } }");
  const [error] = errors ?? [];
  const given = {
    message: error?.message,
    path: error?.path,
    extensions: { ...error?.extensions, requestId: "01JD3ZK8V5" },
  };
  expect({ data, errors: [given] }).toEqual(shown);
});
