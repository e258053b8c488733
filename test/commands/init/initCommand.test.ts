import { appendFileSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readApiKeys } from "../../../src/auth/apiKeys.ts";
import { readConfig } from "../../../src/config/config.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import type { Environment } from "../../support/program.ts";
import { TIME_ZONE, TOKEN } from "../../support/sandbox.ts";
import { init, SERVICE, settingsIn, textIn, WITH_TOKEN } from "./initFolder.ts";

const modeOf = (folder: string, path: string) => (statSync(join(folder, path)).mode & 0o777).toString(8);

describe("switchboard init", () => {
  it("writes settings, a first key and secrets that their owner alone may read, and prints the key alone", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    const { code, out, stderr } = await init(
      path,
      ["--yes", ...SERVICE, "--public-host", "calls.mine.example"],
      WITH_TOKEN,
    );
    expect([code, stderr]).toEqual([0, ""]);
    expect(readdirSync(path).toSorted()).toEqual([".env", "keys.json", "secrets"]);
    expect([modeOf(path, "secrets"), modeOf(path, ".env"), modeOf(path, "keys.json")]).toEqual(["700", "600", "600"]);
    const secrets = ["upstream-token", "webhook-authorization"].map((name) => {
      expect(modeOf(path, `secrets/${name}`)).toBe("600");
      return textIn(path, `secrets/${name}`).trim();
    });
    expect(secrets[0]).toBe(TOKEN);
    expect(secrets[1]).toMatch(/^[\w-]{43}$/);
    const [key = ""] = /swb_[\w-]{43}/.exec(out) ?? [];
    expect(await readApiKeys(join(path, "keys.json"))).toMatchObject([{ name: "admin" }]);
    expect(textIn(path, "keys.json")).not.toContain(key);
    for (const secret of secrets) expect(out + textIn(path, ".env")).not.toContain(secret);
    expect(out).toContain("Address         https://calls.mine.example/calllog");
    expect(out).toContain("Authorization   the text in secrets/webhook-authorization");
    // A folder of secrets is not committed with what is around it.
    expect(textIn(path, "secrets/.gitignore")).toBe("*\n");
  });

  it.each([
    ["the sandbox", [], { HOST: "127.0.0.1" }, "http://127.0.0.1:4000/calllog"],
    [
      "a proxy",
      [...SERVICE, "--public-host", "a.example"],
      { HOST: "127.0.0.1", TRUST_PROXY: "1" },
      "https://a.example/calllog",
    ],
    [
      "no proxy",
      [...SERVICE, "--public-host", "a.example", "--tls-proxy", "no"],
      { HOST: "0.0.0.0" },
      "http://a.example:4000/calllog",
    ],
    [
      "an address for a name",
      [...SERVICE, "--public-host", "https://a.example:8443/"],
      { TRUST_PROXY: "1" },
      "https://a.example:8443/calllog",
    ],
    [
      "a server",
      [...SERVICE, "--database", "postgres://u@db/calls"],
      { DATABASE_URL: "postgres://u@db/calls" },
      "4000/calllog",
    ],
  ])("writes settings that a start accepts, for %s", async (_, args, expected, address) => {
    await using directory = await temporaryDirectory();
    const { code, out } = await init(directory.path, ["--yes", ...args], { ...WITH_TOKEN, PGPASSWORD: "p'a $s" });
    expect(code).toBe(0);
    expect(out).toContain(address);
    const settings = settingsIn(directory.path);
    expect(settings).toMatchObject(expected);
    const isFile = (name: string) => name.endsWith("_FILE");
    const absolute = Object.entries(settings).map(([name, value]) => [
      name,
      isFile(name) ? join(directory.path, value) : value,
    ]);
    expect(() => readConfig(Object.fromEntries(absolute) as Environment)).not.toThrow();
  });

  it("leaves a token where it is, and names its file", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "of the vault");
    writeFileSync(file, `${TOKEN}\n`);
    const { code } = await init(directory.path, ["--yes", ...SERVICE, "--token-file", "of the vault"]);
    expect(code).toBe(0);
    expect(settingsIn(directory.path)["UPSTREAM_TOKEN_FILE"]).toBe(file);
    expect(existsSync(join(directory.path, "secrets/upstream-token"))).toBe(false);
  });

  // https://github.com/enviodev/hyperindex/issues/1035
  it.each([".env", "keys.json"])("replaces no %s that is there, also as a link to nowhere", async (name) => {
    await using directory = await temporaryDirectory();
    symlinkSync("nowhere", join(directory.path, name));
    const { code, stderr } = await init(directory.path, ["--yes"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^${name.replace(".", "\\.")} is there already .* nothing was written`));
    expect(readdirSync(directory.path)).toEqual([name]);
  });

  // https://github.com/owncloud/docs-ocis/issues/182
  it("keeps keys and secrets with --force, and replaces what is given anew", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await init(path, ["--yes", ...SERVICE], WITH_TOKEN);
    const before = [textIn(path, "keys.json"), textIn(path, "secrets/webhook-authorization")];
    const again = ["--yes", "--force", ...SERVICE, "--public-host", "a.example"];
    const { code, out } = await init(path, again, { UPSTREAM_TOKEN: "another token" });
    expect(code).toBe(0);
    expect(out).toContain("keys.json stays as it is");
    expect(out).not.toContain("swb_");
    expect([textIn(path, "keys.json"), textIn(path, "secrets/webhook-authorization")]).toEqual(before);
    expect(textIn(path, "secrets/upstream-token")).toBe("another token\n");
    expect(settingsIn(path)["TRUST_PROXY"]).toBe("1");
    expect((await init(path, again)).code).toBe(0);
    expect(textIn(path, "secrets/upstream-token")).toBe("another token\n");
  });

  it("keeps the old .env with --force, names what the new one lacks, and changes no database by a missing answer", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    const header = join(path, "own-header");
    writeFileSync(header, "a header of one's own\n");
    const database = ["--database", "postgres://me@db.example/calls"];
    await init(path, ["--yes", ...SERVICE, ...database, "--webhook-header-file", header], WITH_TOKEN);
    appendFileSync(join(path, ".env"), "RECORDINGS_DIR=/srv/recordings\nRECORDINGS_S3_SECRET_ACCESS_KEY=canary\n");
    const before = textIn(path, ".env");
    const again = ["--yes", "--force", ...SERVICE, "--deploy", "compose"];
    const refused = await init(path, again);
    expect([refused.code, textIn(path, ".env")]).toEqual([64, before]);
    expect(refused.stderr).toContain("--database is needed");
    const { code, out } = await init(path, [...again, ...database]);
    expect([code, textIn(path, ".env.old"), modeOf(path, ".env.old")]).toEqual([0, before, "600"]);
    expect(out).toContain("Gone, or other than in .env.old: RECORDINGS_DIR, RECORDINGS_S3_SECRET_ACCESS_KEY\n");
    expect(out).toContain(`the text in ${header}`);
    expect(`${textIn(path, "compose.yml")}${textIn(path, ".env")}`).not.toContain("canary");
  });

  it("keeps each .env that --force replaces", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await init(path, ["--yes"]);
    const texts = [];
    for (const host of ["a.example", "b.example"]) {
      texts.push(textIn(path, ".env"));
      const { code } = await init(path, ["--yes", "--force", ...SERVICE, "--public-host", host], WITH_TOKEN);
      expect(code).toBe(0);
    }
    appendFileSync(join(path, ".env"), "RECORDINGS_DIR=/srv/recordings\n");
    texts.push(textIn(path, ".env"));
    const { out } = await init(path, ["--yes", "--force"]);
    expect([".env.old", ".env.old.2", ".env.old.3"].map((name) => textIn(path, name))).toEqual(texts);
    expect(out).toContain("other than in .env.old.3: ");
    expect(modeOf(path, ".env.old.3")).toBe("600");
  });

  it.each([
    ["none", { PORT: "8080", WEBHOOK_PATH: "/ended" }, "127.0.0.1:8080/ended"],
    ["systemd", { PORT: "8080", WEBHOOK_PATH: "/ended" }, "127.0.0.1:8080/ended"],
    ["compose", { WEBHOOK_PATH: "/ended" }, "127.0.0.1:4000/ended"],
  ])(
    "keeps an own port and path of the webhook with --force, and prints their address: %s",
    async (deploy, kept, address) => {
      await using directory = await temporaryDirectory();
      const { path } = directory;
      await init(path, ["--yes"]);
      appendFileSync(join(path, ".env"), "PORT=8080\nWEBHOOK_PATH=/ended\n");
      const { out } = await init(path, ["--yes", "--force", "--deploy", deploy]);
      expect(out).toContain(`Address         http://${address}\n`);
      const { PORT, WEBHOOK_PATH } = settingsIn(path);
      expect({ ...(PORT && { PORT }), WEBHOOK_PATH }).toEqual(kept);
      expect(out.includes("Gone, or other than in .env.old: PORT\n")).toBe(deploy === "compose");
    },
  );

  it("does not keep a port that a start would refuse", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await init(path, ["--yes"]);
    appendFileSync(join(path, ".env"), "PORT=many\n");
    const { out } = await init(path, ["--yes", "--force"]);
    expect(out).toContain("Address         http://127.0.0.1:4000/calllog");
    expect(out).toContain("Gone, or other than in .env.old: PORT\n");
  });

  it("replaces nothing where one of the files is a folder", async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    mkdirSync(join(path, "environment"));
    const { code, stderr } = await init(path, ["--yes", "--force", "--deploy", "systemd"]);
    expect([code, readdirSync(path)]).toEqual([78, ["environment"]]);
    expect(stderr).toContain("environment is a folder there: move it away");
  });

  it("writes nothing at all where one file cannot be written", async () => {
    await using directory = await temporaryDirectory();
    // The folder of secrets is a file.
    writeFileSync(join(directory.path, "secrets"), "");
    expect((await init(directory.path, ["--yes", ...SERVICE], WITH_TOKEN)).code).toBe(1);
    expect(readdirSync(directory.path)).toEqual(["secrets"]);
  });

  // https://github.com/profullstack/sh1pt/pull/992, https://github.com/serverpod/serverpod/issues/5639
  it.each([
    [["--service", "https://calls.example"], {}, "There is no terminal to ask on"],
    [["--yes", ...SERVICE], {}, "--token-file or UPSTREAM_TOKEN is needed"],
    [["--yes", "--service", "https://calls.example"], WITH_TOKEN, "--time-zone has no default"],
    [["--yes", "--time-zone", TIME_ZONE], {}, "--time-zone needs --service"],
    [["--yes", "--service", "https://user:canary@calls.example"], {}, "--service must be an http or https address"],
    [["--yes", ...SERVICE], { UPSTREAM_TOKEN: "'canary'" }, "UPSTREAM_TOKEN must not stand in quotes"],
    [["--yes", ...SERVICE, "--token-file", "none"], {}, "--token-file names a file that cannot be read (ENOENT)"],
    [["--yes", "--public-host", "a.example/path"], {}, "--public-host must be a host name"],
    [["--yes", "--deploy", "docker"], {}, "--deploy must be one of none, systemd, compose, kubernetes"],
    [["--yes", "--deploy", "kubernetes", "--database", "sqlite"], {}, "--database must be a PostgreSQL for Kubernetes"],
    [["--yes", "--database", "postgres://u:canary@db/x"], {}, "--database must not have the password"],
    [["--yes", "--key-scopes", "canary"], {}, "--key-scopes must name some of"],
  ] as [string[], Environment, string][])("refuses %j with 64 and writes nothing", async (args, env, problem) => {
    await using directory = await temporaryDirectory();
    const { code, stderr } = await init(directory.path, args, env);
    expect([code, stderr.split("\n")[0]]).toEqual([64, expect.stringContaining(problem)]);
    expect(stderr).not.toContain("canary");
    expect(readdirSync(directory.path)).toEqual([]);
  });

  it("fits what people have changed: a folder that is there already, and one with other files", async () => {
    await using directory = await temporaryDirectory();
    mkdirSync(join(directory.path, "secrets"), { mode: 0o755 });
    writeFileSync(join(directory.path, "secrets/.gitignore"), "mine\n");
    const { code } = await init(directory.path, ["--yes", ...SERVICE], WITH_TOKEN);
    expect(code).toBe(0);
    expect(textIn(directory.path, "secrets/.gitignore")).toBe("mine\n");
  });
});
