// The client as a gateway serves it: installed by npm from /client.tgz, with its types, and nothing else from a network.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createClientFile } from "../../src/server/clientFile.ts";
import { createClientRoute } from "../../src/server/routes/clientRoute.ts";
import { readVersion } from "../../src/util/version.ts";
import { ROOT } from "../house/sources.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { npmCli } from "../support/npm.ts";
import { writeKeys } from "../support/keys.ts";

const run = promisify(execFile);

beforeAll(() => run(process.execPath, [join(ROOT, "client/build/packClient.js"), "--if-needed"]));

describe("GET /client.tgz", () => {
  it("needs no credentials, and answers 304 to a client that has it", async () => {
    await using directory = await temporaryDirectory();
    const API_KEYS_FILE = await writeKeys(directory.path, { ops: ["admin"] });
    await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE, CONSOLE: "off" });
    const address = `${gateway.url}/client.tgz`;
    const whole = await fetch(address);
    const bytes = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "application/gzip"]);
    expect(whole.headers.get("content-disposition")).toBe(
      `attachment; filename="switchboard-client-${await readVersion()}.tgz"`,
    );
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(whole.headers.get("content-security-policy")).toContain("default-src 'none'");
    // The two bytes of gzip.
    expect(bytes.subarray(0, 2).toString("hex")).toBe("1f8b");
    const etag = whole.headers.get("etag") ?? "";
    const known = await fetch(address, { headers: { "if-none-match": etag } });
    expect([known.status, await known.text()]).toEqual([304, ""]);
    const head = await fetch(address, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(bytes.length),
      "",
    ]);
    const post = await fetch(address, { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
    // Pages of other sites get nothing to read.
    expect(whole.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("says how to pack it where it was not, and serves one that is packed later or anew", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "client.tgz");
    const route = createClientRoute(createClientFile(file), "1.0.0");
    const server = createServer((request, response) => void route(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const get = async () => {
      const response = await fetch(`http://127.0.0.1:${port}/client.tgz`);
      return [response.status, await response.text()];
    };
    expect(await get()).toEqual([404, expect.stringContaining("client/build/packClient.js")]);
    writeFileSync(file, "first");
    expect(await get()).toEqual([200, "first"]);
    rmSync(file);
    writeFileSync(file, "second one");
    expect(await get()).toEqual([200, "second one"]);
  });
});

describe("npm install of the gateway's /client.tgz", () => {
  it("gives an app the client with its types, and asks no registry for it", async () => {
    await using gateway = await startGateway(NO_SERVICE, { CONSOLE: "off" });
    const app = mkdtempSync(join(tmpdir(), "switchboard-app-"));
    onTestFinished(() => rmSync(app, { recursive: true, force: true }));
    writeFileSync(join(app, "package.json"), '{ "name": "app", "type": "module", "private": true }');
    const peers = ["graphql-ws", "graphql"].map((name) => join(ROOT, "node_modules", name));
    // Nothing listens there: a package that is looked for by its name fails.
    const nowhere = ["--registry", "http://127.0.0.1:9", "--fetch-retries", "0", "--cache", join(app, "cache")];
    const install = ["install", "--no-audit", "--no-fund", ...nowhere, `${gateway.url}/client.tgz`, ...peers];
    await run(process.execPath, [npmCli(), ...install], { cwd: app });
    // The examples of its README, as they stand.
    const readme = readFileSync(join(app, "node_modules/switchboard-client/README.md"), "utf8");
    const [, first = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
    const [, query = ""] = /## Query and mutate\n\n```ts\n(.*?)```/s.exec(readme) ?? [];
    const [beginning = ""] = first.split("const { callEndedEvents");
    expect(query).toContain("client.query(`query ($phone: String!)");
    writeFileSync(join(app, "first.ts"), first);
    writeFileSync(
      join(app, "app.ts"),
      `${beginning.replace("http://127.0.0.1:4000", gateway.url)}${query}console.log(calls?.nodes.length, viewer.name.length > 0);`,
    );
    // A result that were unknown, or any, would let none of these pass.
    const wrong = ["calls?.nodes.length.trim()", "viewer.name.toFixed()", "calls?.nodes[0]?.endAt.slice()"];
    writeFileSync(
      join(app, "wrong.ts"),
      `${beginning}${query}${wrong.map((line) => `// @ts-expect-error It has another type.\n${line};\n`).join("")}`,
    );
    const flags = [
      "--strict",
      "--target",
      "esnext",
      "--module",
      "nodenext",
      "--lib",
      "esnext,dom,dom.iterable",
      "--types",
      "",
    ];
    await run(process.execPath, [join(ROOT, "node_modules/.bin/tsc"), ...flags, "first.ts", "app.ts", "wrong.ts"], {
      cwd: app,
    });
    expect((await run(process.execPath, ["app.js"], { cwd: app })).stdout).toBe("0 true\n");
  });
});
