// How the gateway serves the documentation: without credentials, with a strict policy, compressed, and only with DOCS=on.
import { join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDocsRoute } from "../../src/server/routes/docsRoute.ts";
import { createStaticFiles } from "../../src/server/staticFiles.ts";
import { openServer } from "../graphql/openServer.ts";
import { ROOT } from "../house/sources.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { ensureBuilt, filesOf, pageAt } from "./builtSite.ts";

beforeAll(ensureBuilt);

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, { headers: { "accept-encoding": "identity", ...headers }, redirect: "manual" });

describe("A gateway with DOCS=on", () => {
  it("serves each file of the site to anybody, with its type and a policy for files of its own alone", async () => {
    await using keys = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(keys.path, { web: ["calls:read"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE, DOCS: "on" });
    const types = {
      ".html": "text/html; charset=utf-8",
      ".png": "image/png",
      ".svg": "image/svg+xml",
      ".json": "application/json",
    };
    for (const [extension, type] of Object.entries(types))
      for (const name of filesOf(extension)) {
        const response = await get(`${gateway.url}/docs/${name}`);
        await response.arrayBuffer();
        expect([name, response.status, response.headers.get("content-type")]).toEqual([name, 200, type]);
        expect([name, response.headers.get("content-security-policy")]).toEqual([name, POLICY]);
      }
    const home = await get(`${gateway.url}/docs/`);
    expect(await home.text()).toBe(pageAt("index.html"));
    expect(home.headers.get("cache-control")).toBe("no-cache");
    expect(await (await get(`${gateway.url}/docs/frontends/`)).text()).toBe(pageAt("frontends/index.html"));
  });

  it("redirects to the first page, and answers what is not there, or not read, without it", async () => {
    await using gateway = await startGateway(NO_SERVICE, { DOCS: "on" });
    const bare = await get(`${gateway.url}/docs?from=here`);
    expect([bare.status, bare.headers.get("location")]).toEqual([302, "docs/"]);
    for (const path of ["nothing.html", "assets/", "assets/..%2fsources.txt", "%2e%2e/sources.txt", "sources.txt"])
      expect([path, (await get(`${gateway.url}/docs/${path}`)).status]).toEqual([path, 404]);
    const posted = await fetch(`${gateway.url}/docs/`, { method: "POST", body: "x" });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    const head = await fetch(`${gateway.url}/docs/queries.html`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  it("sends pages compressed and once by their entity tag, and assets to be kept for ever", async () => {
    await using gateway = await startGateway(NO_SERVICE, { DOCS: "on" });
    const page = await get(`${gateway.url}/docs/queries.html`, { "accept-encoding": "gzip, br" });
    expect([page.headers.get("content-encoding"), await page.text()]).toEqual(["br", pageAt("queries.html")]);
    const withoutBrotli = await get(`${gateway.url}/docs/queries.html`, { "accept-encoding": "gzip" });
    expect([withoutBrotli.headers.get("content-encoding"), await withoutBrotli.text()]).toEqual([
      "gzip",
      pageAt("queries.html"),
    ]);
    const again = await get(`${gateway.url}/docs/queries.html`, {
      "accept-encoding": "br",
      "if-none-match": page.headers.get("etag") ?? "",
    });
    expect(again.status).toBe(304);
    const assets = [...pageAt("index.html").matchAll(/"(assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(assets.length).toBe(5);
    for (const path of assets) {
      const { status, headers } = await get(`${gateway.url}/docs/${path}`);
      expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    }
  });
});

it("A gateway without DOCS has no documentation at /docs", async () => {
  await using gateway = await startGateway(NO_SERVICE, { CONSOLE: "off" });
  for (const path of ["/docs", "/docs/", "/docs/queries.html"])
    expect([path, (await get(gateway.url + path)).status]).toEqual([path, 404]);
});

it("A gateway whose documentation is not built says so, and how to build it", async () => {
  const directory = await temporaryDirectory();
  onTestFinished(() => directory[Symbol.asyncDispose]());
  const { url } = await openServer({ docs: createDocsRoute(createStaticFiles(join(directory.path, "dist"))) });
  const missing = await get(`${url}/docs/`);
  expect([missing.status, missing.headers.get("refresh")]).toEqual([503, "3"]);
  expect(await missing.text()).toContain("node site/build/buildSite.ts");
});

it("npm run docs serves the same pages, and says where", async () => {
  await using program = startProgram([join(ROOT, "site/build/serve.ts")], { PORT: "0" });
  await until(() => program.output.length > 0);
  const url = /http:\S+\/docs\//.exec(program.output[0] ?? "")?.[0] ?? "";
  const page = await get(`${url}queries.html`);
  expect([page.status, page.headers.get("content-security-policy")]).toEqual([200, POLICY]);
  expect(await page.text()).toBe(pageAt("queries.html"));
  expect((await get(new URL("/", url).href)).headers.get("location")).toBe("/docs/");
});
