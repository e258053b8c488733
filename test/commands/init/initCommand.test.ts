import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readApiKeys } from "../../../src/auth/apiKeys.ts";
import { readConfig, variables } from "../../../src/config/config.ts";
import { parseEnvFile } from "../../../src/config/envFile.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { startProgram, type Environment } from "../../support/program.ts";
import { CLI, TIME_ZONE, TOKEN } from "../../support/sandbox.ts";

const SERVICE = ["--service", "https://calls.example", "--time-zone", TIME_ZONE];
const WITH_TOKEN = { UPSTREAM_TOKEN: TOKEN };

async function init(folder: string, args: readonly string[], env: Environment = {}) {
  await using program = startProgram([CLI, "init", ...args], env, folder);
  return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
}

const textIn = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");
const settingsIn = (folder: string, path = ".env") => parseEnvFile(textIn(folder, path), path);
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
    [["--yes", "--key-scopes", "canary"], {}, "--key-scopes has unknown ones"],
  ] as [string[], Environment, string][])("refuses %j with 64 and writes nothing", async (args, env, problem) => {
    await using directory = await temporaryDirectory();
    const { code, stderr } = await init(directory.path, args, env);
    expect([code, stderr.split("\n")[0]]).toEqual([64, expect.stringContaining(problem)]);
    expect(stderr).not.toContain("canary");
    expect(readdirSync(directory.path)).toEqual([]);
  });
});

describe("what switchboard init writes to run the gateway", () => {
  const POSTGRES = [...SERVICE, "--database", "postgres://u@db/calls", "--public-host", "a.example"];
  const secrets = { ...WITH_TOKEN, PGPASSWORD: "password of the database" };
  const expectNoSecrets = (text: string) => expect(text).not.toMatch(new RegExp(`${TOKEN}|password of the database`));

  it("is a compose file of the gateway alone, with secrets in files and this user's folder", async () => {
    await using directory = await temporaryDirectory();
    const { out } = await init(directory.path, ["--yes", ...POSTGRES, "--deploy", "compose"], secrets);
    const text = textIn(directory.path, "compose.yml");
    expectNoSecrets(text + out);
    const { services, secrets: files } = parse(text) as {
      services: Record<string, Record<string, unknown> & { environment: Environment; secrets: string[] }>;
      secrets: Record<string, { file: string }>;
    };
    const { gateway } = services;
    expect(Object.keys(services)).toEqual(["gateway"]);
    expect(gateway).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      ports: ["127.0.0.1:4000:4000"],
      volumes: ["./data:/data"],
    });
    expect(gateway).not.toHaveProperty("networks");
    expect(gateway?.["user"]).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(existsSync(join((gateway?.["build"] as { context: string }).context, "Containerfile"))).toBe(true);
    for (const [name, value] of Object.entries(gateway?.environment ?? {})) {
      expect(Object.keys(variables)).toContain(name);
      if (name.endsWith("_FILE")) expect(gateway?.secrets).toContain(value.replace("/run/secrets/", ""));
    }
    for (const name of gateway?.secrets ?? [])
      expect(existsSync(join(directory.path, files[name]?.file ?? "-"))).toBe(true);
    expect(existsSync(join(directory.path, "data"))).toBe(true);
    expect(out).toContain("docker compose up -d --build");
  });

  it("is a unit that shows the gateway its secrets as credentials", async () => {
    await using directory = await temporaryDirectory();
    writeFileSync(join(directory.path, "100%"), TOKEN);
    const { out } = await init(
      directory.path,
      ["--yes", ...POSTGRES, "--token-file", "100%", "--deploy", "systemd"],
      secrets,
    );
    const unit = textIn(directory.path, "switchboard.service");
    expectNoSecrets(unit + out + textIn(directory.path, "environment"));
    // A percent sign begins a specifier.
    expect(unit).toContain(
      `LoadCredential=upstream-token:${directory.path}/100%%\nEnvironment=UPSTREAM_TOKEN_FILE=%d/upstream-token\n`,
    );
    expect(unit).toContain("LoadCredential=keys:/etc/switchboard/keys.json\nEnvironment=API_KEYS_FILE=%d/keys\n");
    // In such a file, settings replace those of the unit. A secret must not stand in a variable and in a file.
    expect(settingsIn(directory.path, "environment")).toEqual({
      UPSTREAM_URL: "https://calls.example",
      UPSTREAM_TIME_ZONE: TIME_ZONE,
      DATABASE_URL: "postgres://u@db/calls",
      TRUST_PROXY: "1",
      HOST: "127.0.0.1",
    });
    expect(out).toContain(
      "sudo install -m 0600 secrets/webhook-authorization secrets/database-password /etc/switchboard/secrets",
    );
    if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return;
    const file = join(directory.path, "switchboard.service");
    writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    expect(spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" }).stderr).toBe("");
  });

  it("is a manifest that mounts the secrets", async () => {
    await using directory = await temporaryDirectory();
    const { out } = await init(directory.path, ["--yes", ...POSTGRES, "--deploy", "kubernetes"], secrets);
    const text = textIn(directory.path, "switchboard.yaml");
    expectNoSecrets(text + out);
    const [deployment] = parseAllDocuments(text).map((each) => each.toJS() as Deployment);
    const { containers, volumes } = deployment?.spec.template.spec ?? { containers: [], volumes: [] };
    const [{ env, envFrom, volumeMounts } = { env: [], envFrom: undefined, volumeMounts: [] }] = containers;
    expect(envFrom).toBeUndefined();
    const settings = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    expect(settings).toMatchObject({ UPSTREAM_URL: "https://calls.example", DATABASE_URL: "postgres://u@db/calls" });
    for (const [name, value] of Object.entries(settings)) {
      expect(Object.keys(variables)).toContain(name);
      if (name.endsWith("_FILE"))
        expect(volumeMounts.some(({ mountPath }) => value.startsWith(`${mountPath}/`))).toBe(true);
    }
    for (const { name } of volumeMounts) expect(volumes.map((volume) => volume.name)).toContain(name);
    expect(out).toContain("--from-file=database-password=./secrets/database-password");
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

interface Deployment {
  spec: {
    template: {
      spec: {
        containers: {
          env: { name: string; value: string }[];
          envFrom?: unknown;
          volumeMounts: { name: string; mountPath: string }[];
        }[];
        volumes: { name: string }[];
      };
    };
  };
}
