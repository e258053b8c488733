import { spawnSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { variables } from "../../../src/config/config.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import type { Environment } from "../../support/program.ts";
import { TIME_ZONE, TOKEN } from "../../support/sandbox.ts";
import { init, SERVICE, settingsIn, textIn, WITH_TOKEN } from "./initFolder.ts";

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
      services: Record<
        string,
        Record<string, unknown> & { build: { context: string }; environment: Environment; secrets: string[] }
      >;
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
    expect(existsSync(join(gateway?.build.context ?? "", "Containerfile"))).toBe(true);
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
