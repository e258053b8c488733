// How the gateway serves the console: without credentials, with a strict policy, compressed, and not at all when it is off.
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { CONSOLE_PATHS } from "../../src/config/ownPaths.ts";
import { createConsoleRoutes } from "../../src/server/routes/consoleRoute.ts";
import { createStaticFiles } from "../../src/server/staticFiles.ts";
import { openServer } from "../graphql/openServer.ts";
import { startBoth } from "../support/startBoth.ts";
import { temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { exchange } from "../server/serve.ts";
import { buildConsole } from "./consoleStage.ts";

const { gateway } = await startBoth();
beforeAll(buildConsole);

const NOTHING = { docs: false, sandbox: false };
const get = (path: string, headers: Record<string, string> = {}, of: Pick<TestGateway, "url"> = gateway) =>
  fetch(of.url + path, { headers: { "accept-encoding": "identity", ...headers }, redirect: "manual" });

/** The paths of the page's scripts and styles. */
async function assetsOf(page: string): Promise<string[]> {
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
}

describe("The console's files", () => {
  it("are one page at each address of a view, fresh at each visit, with a policy without inline script or style", async () => {
    const page = await (await get("/")).text();
    for (const path of CONSOLE_PATHS) {
      const response = await get(path);
      expect([path, response.status, await response.text()]).toEqual([path, 200, page]);
      const policy = response.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
    expect(page).not.toMatch(/<style|<script(?![^>]*src)|style="|onload=/);
  });

  it("are kept for ever by browsers where their name holds their digest, and sent once by their entity tag", async () => {
    const assets = await assetsOf(await (await get("/")).text());
    expect(assets.length).toBeGreaterThan(3);
    for (const path of assets) {
      const response = await get(path);
      await response.arrayBuffer();
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      const again = await get(path, { "if-none-match": response.headers.get("etag") ?? "" });
      expect([path, response.status, again.status]).toEqual([path, 200, 304]);
    }
  });

  it("are compressed beforehand, by brotli where the browser takes it", async () => {
    const path = (await assetsOf(await (await get("/")).text())).find((each) => each.endsWith(".js")) ?? "";
    const plain = Buffer.from(await (await get(path)).arrayBuffer());
    const raw = async (encoding: string) => {
      const port = Number(new URL(gateway.url).port);
      const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\naccept-encoding: ${encoding}\r\n\r\n`;
      const [head = "", ...body] = (await exchange(port, request)).split("\r\n\r\n");
      return {
        encoding: /^content-encoding: (\w+)/im.exec(head)?.[1],
        body: Buffer.from(body.join("\r\n\r\n"), "latin1"),
      };
    };
    const [br, gzip] = [await raw("gzip, deflate, br"), await raw("gzip")];
    expect([br.encoding, gzip.encoding]).toEqual(["br", "gzip"]);
    expect(brotliDecompressSync(br.body).equals(plain)).toBe(true);
    expect(gunzipSync(gzip.body).equals(plain)).toBe(true);
    expect(br.body.length).toBeLessThan(gzip.body.length);
  });

  it("cannot be written to, and no other file of the disk is among them", async () => {
    expect((await fetch(gateway.url, { method: "POST", body: "x" })).status).toBe(405);
    const head = await fetch(gateway.url, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    for (const path of [
      "/assets/",
      "/assets/nothing.js",
      "/assets/%2e%2e/index.html",
      "/assets/..%2fsources.txt",
      "/live/x",
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it("shows its own page to a browser at an address that does not exist, with 404", async () => {
    const [home, typed] = [await get("/live"), await get("/live/x", { accept: "text/html,*/*;q=0.8" })];
    expect([typed.status, typed.headers.get("content-type")]).toEqual([404, home.headers.get("content-type")]);
    expect(typed.headers.get("content-security-policy")).toBe(home.headers.get("content-security-policy"));
    expect(await typed.text()).toBe(await home.text());
    for (const accept of ["application/json", "*/*"])
      expect([(await get("/live/x", { accept })).headers.get("content-type"), accept]).toEqual([
        "text/plain; charset=utf-8",
        accept,
      ]);
    const posted = await fetch(`${gateway.url}/live/x`, { method: "POST", headers: { accept: "text/html" } });
    expect([posted.status, posted.headers.get("content-type")]).toEqual([404, "text/plain; charset=utf-8"]);
  });
});

describe("A gateway with CONSOLE=off", () => {
  it("serves no console, and redirects to the graph", async () => {
    const { url } = await openServer({ console: createConsoleRoutes(null, NOTHING) });
    const response = await get("/", {}, { url });
    expect([response.status, response.headers.get("location")]).toEqual([302, "/graphql"]);
    for (const path of ["/live", "/assets/index.js"]) expect((await get(path, {}, { url })).status).toBe(404);
  });
});

describe("A gateway whose console is not built", () => {
  const folder = async () => {
    const directory = await temporaryDirectory();
    onTestFinished(() => directory[Symbol.asyncDispose]());
    return join(directory.path, "dist");
  };
  const build = (dist: string, version: string, seconds: number) => {
    rmSync(dist, { recursive: true, force: true });
    mkdirSync(join(dist, "assets"), { recursive: true });
    writeFileSync(join(dist, "index.html"), `<p>${version}</p>`);
    writeFileSync(join(dist, "assets", `${version}.js`), version);
    writeFileSync(join(dist, "assets", `${version}.js.gz`), gzipSync(version));
    utimesSync(join(dist, "index.html"), seconds, seconds);
  };

  it("does not take a file that cannot be read for one that is not there", async () => {
    const dist = await folder();
    build(dist, "one", 1000);
    // Reading a folder fails with another error than a missing file does.
    mkdirSync(join(dist, "assets", "one.css"));
    await expect(createStaticFiles(dist).page("index.html")).rejects.toThrow("EISDIR");
    rmSync(join(dist, "assets", "one.css"), { recursive: true });
    await expect(createStaticFiles(dist).page("index.html")).resolves.toMatchObject({
      contentType: "text/html; charset=utf-8",
    });
  });

  it("says so and how to build it, and serves it without a restart when it is there", async () => {
    const dist = await folder();
    const { url } = await openServer({ console: createConsoleRoutes(createStaticFiles(dist), NOTHING) });
    const missing = await get("/", {}, { url });
    expect([missing.status, missing.headers.get("refresh")]).toEqual([503, "3"]);
    expect(await missing.text()).toContain("npm run build -w switchboard-console");
    expect((await get("/assets/one.js", {}, { url })).status).toBe(404);
    build(dist, "one", 1000);
    expect(await (await get("/live", {}, { url })).text()).toBe("<p>one</p>");
    build(dist, "two", 2000);
    expect(await (await get("/live", {}, { url })).text()).toBe("<p>two</p>");
    expect(await (await get("/assets/two.js", {}, { url })).text()).toBe("two");
  });

  it("says in the page what the gateway has, in each build, and compressed where a browser asks for it", async () => {
    const dist = await folder();
    const built = (version: string, at: number) => {
      build(dist, version, at);
      writeFileSync(join(dist, "index.html"), `<meta name="switchboard" content="" /><p>${version}</p>`);
      utimesSync(join(dist, "index.html"), at, at);
    };
    built("one", 1000);
    const routes = createConsoleRoutes(createStaticFiles(dist), { docs: true, sandbox: true });
    const { url } = await openServer({ console: routes });
    const page = '<meta name="switchboard" content="docs sandbox" /><p>one</p>';
    expect(await (await get("/", {}, { url })).text()).toBe(page);
    const zipped = await get("/live", { "accept-encoding": "gzip" }, { url });
    expect([zipped.headers.get("content-encoding"), await zipped.text()]).toEqual(["gzip", page]);
    built("two", 2000);
    expect(await (await get("/", {}, { url })).text()).toBe(page.replace("one", "two"));
  });
});
