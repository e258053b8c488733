import { appendFileSync, chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startIdentityProvider } from "../support/identityProvider.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { CLI, TIME_ZONE, TOKEN, WEBHOOK_AUTHORIZATION } from "../support/sandbox.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { emptyPage, serve } from "../upstream/service.ts";

async function run(args: string[], env: Environment, cwd?: string) {
  await using program = startProgram([CLI, ...args], env, cwd);
  return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
}

/** Root may write any file, so the program becomes another user. */
async function runAsNobody(args: string[], env: Environment, cwd: string) {
  const become = "data:text/javascript,if (process.getuid() === 0) process.setuid(65534)";
  await using program = startProgram(["--import", become, CLI, ...args], env, cwd);
  return { code: await program.exited, out: program.output.join("\n") };
}

const serviceWith = (token: string) =>
  serve((response, { headers }) => {
    response.writeHead(headers.authorization === `Bearer ${token}` ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(emptyPage));
  });

const environment = (url: string): Environment => ({
  UPSTREAM_URL: url,
  UPSTREAM_TOKEN: TOKEN,
  UPSTREAM_TIME_ZONE: TIME_ZONE,
  WEBHOOK_AUTHORIZATION,
  AUTH: "none",
  CONSOLE: "off",
});

describe("switchboard check", () => {
  it("says each result of settings that work, ends with 0 and changes nothing", async () => {
    await using directory = await temporaryDirectory();
    await using service = await serviceWith(TOKEN);
    const env = { ...environment(service.url), UPSTREAM_RETRIES: "canary", WEBHOOK_AUTHORIZATION: "canary" };
    const { code, out, stderr } = await run(["check"], env, directory.path);
    expect([code, stderr]).toEqual([0, ""]);
    expect(out).toContain("warning  configuration  UPSTREAM_RETRIES is no variable of the gateway and has no effect");
    expect(out).toContain("warning  configuration  WEBHOOK_AUTHORIZATION has a secret of fewer than 8 characters");
    expect(out).toContain("the start CREATES A NEW, EMPTY DATABASE");
    expect(out).toMatch(/^ok +service +it answers, and accepts the token$/m);
    expect(out).toMatch(/^ok +recordings /m);
    expect(service.asked.map(({ method }) => method)).toEqual(["GET"]);
    expect(readdirSync(directory.path)).toEqual([]);
    expect(out).not.toMatch(/canary|FAILED/);
  });

  it("looks at the database of a running gateway without touching it", async () => {
    await using directory = await temporaryDirectory();
    await using service = await serviceWith(TOKEN);
    await using _gateway = await startGateway(NO_SERVICE, { DATABASE_URL: directory.database });
    const env = { ...environment(service.url), DATABASE_URL: directory.database, RECORDINGS_DIR: directory.path };
    const { code, out } = await run(["check"], { ...env, DATABASE_MUST_EXIST: "true" });
    expect(out).toMatch(/has schema version \d+$/m);
    expect(code).toBe(0);
  });

  it("ends with 78 where the service refuses the token, and looks at everything else all the same", async () => {
    await using directory = await temporaryDirectory();
    await using service = await serviceWith("another");
    const { code, out } = await run(["check"], environment(service.url), directory.path);
    expect(code).toBe(78);
    expect(out).toMatch(/^FAILED +service +the service refused UPSTREAM_TOKEN with HTTP 401$/m);
    expect(out).toMatch(/^ok +recordings /m);
    expect(out).not.toContain(TOKEN);
  });

  it("ends with 1 where waiting may help: files that are not mounted, a service and a provider that do not answer", async () => {
    await using directory = await temporaryDirectory();
    await using service = await serve((response) => response.writeHead(503).end());
    const { UPSTREAM_TOKEN: _, AUTH: __, ...others } = environment(service.url);
    const env = {
      ...others,
      UPSTREAM_TOKEN: TOKEN,
      API_KEYS_FILE: join(directory.path, "keys.json"),
      JWT_JWKS_URL: "http://127.0.0.1:9/keys",
      JWT_ISSUER: "https://id.example/",
      JWT_AUDIENCE: "calls",
    };
    const first = await run(["check"], env, directory.path);
    expect(first.code).toBe(1);
    expect(first.out).toMatch(/^FAILED +configuration +API_KEYS_FILE cannot be read \(ENOENT\)$/m);
    expect(first.out).toMatch(/^FAILED +service +the service answered the list of calls with HTTP 503$/m);
    expect(first.out).toMatch(/^FAILED +identity +JWT_JWKS_URL does not answer/m);
    const { UPSTREAM_TOKEN: ___, ...withoutToken } = env;
    const second = await run(["check"], { ...withoutToken, UPSTREAM_TOKEN_FILE: "missing" }, directory.path);
    expect(second.code).toBe(1);
    expect(second.out).toMatch(/^FAILED +configuration +UPSTREAM_TOKEN_FILE names a file that cannot be read/m);
    expect(second.out).not.toMatch(/ service /);
  });

  it("asks the identity provider for its keys, and ends with 78 where the address has none", async () => {
    await using directory = await temporaryDirectory();
    await using provider = await startIdentityProvider();
    await using other = await serve((response) => response.end('{"keys": 7}'));
    const found = await run(["check"], provider.env, directory.path);
    expect([found.code, found.out]).toEqual([0, expect.stringMatching(/^ok +identity +it publishes \d+ keys?$/m)]);
    const wrong = await run(["check"], { ...provider.env, JWT_JWKS_URL: other.url }, directory.path);
    expect(wrong.out).toMatch(/^FAILED +identity +JWT_JWKS_URL answers with no JSON Web Key Set$/m);
    expect(wrong.code).toBe(78);
  });

  it("ends with 78 for a file that is no database, and for one that a newer version wrote", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "calls.db");
    const env = { DATABASE_URL: `file:${file}` };
    writeFileSync(file, "This is a letter, and it is long enough to have a header of 16 bytes.");
    const letter = await run(["check"], env, directory.path);
    expect([letter.code, letter.out]).toEqual([78, expect.stringContaining("file is not a database")]);
    rmSync(file);
    using database = new DatabaseSync(file);
    database.exec("create table schema_version (version integer); insert into schema_version values (1000)");
    const newer = await run(["check"], env, directory.path);
    expect([newer.code, newer.out]).toEqual([78, expect.stringContaining("has schema version 1000")]);
  });

  it.each(["", "-wal", "-lock"])(
    "ends with 1 for a database whose file%s is another user's, in a folder of one's own",
    async (suffix) => {
      await using directory = await temporaryDirectory();
      const file = join(directory.path, "calls.db");
      const env = { DATABASE_URL: `file:${file}` };
      expect((await run(["migrate"], env, directory.path)).code).toBe(0);
      for (const each of ["", suffix]) appendFileSync(file + each, "", { mode: 0o666 });
      for (const each of readdirSync(directory.path)) chmodSync(join(directory.path, each), 0o666);
      chmodSync(directory.path, 0o777);
      const check = () => runAsNobody(["check"], env, directory.path);
      expect((await check()).out).toMatch(/^ok +database /m);
      chmodSync(file + suffix, 0o444);
      const { code, out } = await check();
      expect(out).toMatch(
        new RegExp(
          `^FAILED +database +the file \\S+calls\\.db${suffix} of DATABASE_URL may not be read and written \\(EACCES\\)`,
          "m",
        ),
      );
      expect(code).toBe(1);
    },
  );

  it("ends with 78 for bad variables, and with 1 for a database that must exist and may be mounted later", async () => {
    await using directory = await temporaryDirectory();
    const bad = await run(["check"], { PORT: "canary", UPSTREAM_TOKEN: '"canary"' }, directory.path);
    expect([bad.code, bad.out]).toEqual([78, ""]);
    expect(bad.stderr).toMatch(/PORT must be a whole number[^]*UPSTREAM_TOKEN/);
    const missing = await run(["check"], { DATABASE_MUST_EXIST: "true" }, directory.path);
    expect(missing.code).toBe(1);
    expect(missing.out).toMatch(/^FAILED +database +DATABASE_URL names no database of a gateway/m);
    expect(readdirSync(directory.path)).toEqual([]);
  });
});

describe("switchboard migrate", () => {
  it("brings a SQLite file up to date, then ends, and a second run changes nothing", async () => {
    await using directory = await temporaryDirectory();
    const env = { DATABASE_URL: directory.database };
    const first = await run(["migrate"], env, directory.path);
    expect(first.code).toBe(0);
    const { before, after } = JSON.parse(first.out) as { before: number; after: number };
    expect([before, after]).toEqual([0, expect.any(Number)]);
    const file = join(directory.path, "switchboard.db");
    const content = readFileSync(file);
    const second = await run(["migrate"], env, directory.path);
    expect(JSON.parse(second.out)).toMatchObject({ before: after, after });
    expect(readFileSync(file).equals(content)).toBe(true);
    expect(existsSync(`${file}-wal`)).toBe(false);
  });

  it("brings PostgreSQL up to date, which check then finds", async () => {
    await using directory = await temporaryDirectory();
    await using database = await createPostgresDatabase();
    // The server of the tests does not sync.
    const env = { DATABASE_URL: database.url, DATABASE_FSYNC: "elsewhere" };
    const empty = await run(["check"], env, directory.path);
    expect([empty.code, empty.out]).toEqual([0, expect.stringContaining("CREATES A NEW, EMPTY DATABASE")]);
    expect((await run(["migrate"], env, directory.path)).code).toBe(0);
    expect((await run(["check"], env, directory.path)).out).toMatch(/^ok +database +\S+ has schema version \d+$/m);
  });
});

describe("switchboard health", () => {
  it("ends with 0 for a gateway that is alive and ready, and with 1 where none answers", async () => {
    await using gateway = await startGateway(NO_SERVICE);
    const { port } = new URL(gateway.url);
    const env = { HOST: "0.0.0.0", PORT: port };
    expect(await run(["health"], env)).toEqual({ code: 0, out: "alive", stderr: "" });
    expect(await run(["health", "--ready"], env)).toEqual({ code: 0, out: "ready", stderr: "" });
    await gateway[Symbol.asyncDispose]();
    const gone = await run(["health"], env);
    expect([gone.code, gone.stderr]).toEqual([1, `No gateway answers at http://127.0.0.1:${port}/livez.\n`]);
  });
});
