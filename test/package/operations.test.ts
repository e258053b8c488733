import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../../src/config/config.ts";

const OPS = fileURLToPath(new URL("../../ops", import.meta.url));
const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const configuration = textOf("docs/configuration.md");
const containerfile = textOf("Containerfile");
const unit = textOf("ops/systemd/switchboard.service");

/** Variables of Node and of the other programs. */
const OTHERS = /^(NODE_COMPILE_CACHE|PGPASSWORD|POSTGRES_\w+|GATEWAY_DATABASE_PASSWORD|GF_\w+)$/;

function undocumented(names: readonly string[]): string[] {
  expect(names.length).toBeGreaterThan(0);
  return names.filter((name) => !OTHERS.test(name) && !configuration.includes(`| \`${name}\` |`));
}

interface Workload {
  kind: string;
  spec: {
    template: {
      spec: {
        terminationGracePeriodSeconds: number;
        containers: {
          env: { name: string }[];
          ports: { name: string; containerPort: number }[];
          livenessProbe: Probe;
          readinessProbe: Probe;
          startupProbe: Probe;
          securityContext: { readOnlyRootFilesystem: boolean };
        }[];
      };
    };
  };
}
interface Probe {
  httpGet: { path: string; port: string };
}

interface Compose {
  secrets: Record<string, { file: string }>;
  services: Record<string, { environment?: Record<string, string>; volumes?: string[]; read_only?: boolean }>;
}

describe("the files that run the gateway", () => {
  it("name only variables that the configuration has", () => {
    const { services } = parse(textOf("ops/compose.yml")) as Compose;
    const [deployment] = parseAllDocuments(textOf("ops/kubernetes/switchboard.yaml")).map(
      (each) => each.toJS() as Workload,
    );
    expect(undocumented(Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment)))).toEqual(
      [],
    );
    const { containers } = deployment?.spec.template.spec ?? { containers: [] };
    expect(undocumented(containers.flatMap(({ env }) => env.map(({ name }) => name)))).toEqual([]);
    expect(undocumented([...unit.matchAll(/^Environment=(\w+)=/gm)].map(([, name = ""]) => name))).toEqual([]);
    const settings = /^ENV (.*)$/m.exec(containerfile)?.[1] ?? "";
    expect(undocumented(settings.split(" ").map((pair) => pair.split("=")[0] ?? ""))).toEqual([]);
  });

  it("compose mounts files that are there, but for the keys", () => {
    const { services, secrets } = parse(textOf("ops/compose.yml")) as Compose;
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((each) => each.split(":")[0] ?? ""),
    );
    const folders = mounted.filter((path) => path.startsWith("./"));
    expect(folders.length).toBe(6);
    for (const path of folders) expect(existsSync(join(OPS, path)), path).toBe(true);
    expect(secrets["api_keys"]?.file).toBe("./api-keys.json");
    const { rule_files } = parse(textOf("ops/prometheus/prometheus.yml")) as { rule_files: string[] };
    for (const path of rule_files) expect(existsSync(join(OPS, "prometheus", path)), path).toBe(true);
  });

  it("compose gives the gateway a database password with any characters", () => {
    const { services } = parse(textOf("ops/compose.yml")) as Compose;
    const { DATABASE_URL = "", PGPASSWORD } = services["gateway"]?.environment ?? {};
    expect(PGPASSWORD).toBe("${GATEWAY_DATABASE_PASSWORD:?}");
    expect(DATABASE_URL).not.toContain("$");
    // As the driver reads them.
    vi.stubEnv("PGPASSWORD", "p@ss/w?r#d:%");
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Client({ connectionString: readConfig({ DATABASE_URL }).databaseUrl })).toMatchObject({
      host: "postgres",
      user: "switchboard",
      database: "switchboard",
      password: "p@ss/w?r#d:%",
    });
  });

  it("compose takes each value that it needs from ops/example.env", () => {
    const asked = [...textOf("ops/compose.yml").matchAll(/\$\{(\w+)/g)].map(([, name = ""]) => name);
    const given = [...textOf("ops/example.env").matchAll(/^(\w+)=/gm)].map(([, name = ""]) => name);
    expect([...new Set(asked)].toSorted()).toEqual(given.toSorted());
  });

  it("leave more time to stop than it takes, and probe addresses that the gateway has", () => {
    const delays = [
      /^Environment=DRAIN_DELAY_SECONDS=(\d+)$/m.exec(unit),
      /^ENV .*DRAIN_DELAY_SECONDS=(\d+)/m.exec(containerfile),
    ];
    expect(delays.map((found) => found?.[1])).toEqual(["5", "5"]);
    const drain = 5 + Number(/\| `DRAIN_SECONDS` \| `(\d+)` \|/.exec(configuration)?.[1]);
    const [deployment] = parseAllDocuments(textOf("ops/kubernetes/switchboard.yaml")).map(
      (each) => each.toJS() as Workload,
    );
    const { terminationGracePeriodSeconds, containers } = deployment?.spec.template.spec ?? { containers: [] };
    expect(terminationGracePeriodSeconds).toBeGreaterThan(drain);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(drain);
    expect(Number(/stop_grace_period: (\d+)s/.exec(textOf("ops/compose.yml"))?.[1])).toBeGreaterThan(drain);
    const [container] = containers;
    expect(container?.env).toContainEqual({ name: "DRAIN_DELAY_SECONDS", value: "5" });
    // They may run a program such as sleep, which the image does not have.
    expect(container).not.toHaveProperty("lifecycle");
    expect(container?.livenessProbe.httpGet.path).toBe("/livez");
    expect(container?.startupProbe.httpGet.path).toBe("/livez");
    expect(container?.readinessProbe.httpGet.path).toBe("/readyz");
    expect(container?.securityContext.readOnlyRootFilesystem).toBe(true);
  });

  it("systemd starts the gateway again after each end but 78, however often", () => {
    expect(unit).toMatch(/^\[Unit\][^[]*^StartLimitIntervalSec=0$/m);
    expect(unit).toMatch(/^Restart=always$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=78$/m);
  });

  it("start Node with the options of npm start", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: { start: string } };
    const options = /exec node ([^;]*)/.exec(scripts.start)?.[1]?.match(/--[\w=-]+/g) ?? [];
    expect(options.length).toBeGreaterThan(0);
    for (const text of [containerfile, unit, textOf("bin/switchboard.js")]) {
      for (const option of options) expect(text).toContain(option);
    }
  });

  it.skipIf(spawnSync("systemd-analyze", ["--version"]).status !== 0)(
    "systemd accepts the unit, and finds it hardened",
    () => {
      const folder = mkdtempSync(join(tmpdir(), "switchboard-unit-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const file = join(folder, "switchboard.service");
      // systemd checks that the program is there.
      writeFileSync(file, unit.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
      expect(spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" }).stderr).toBe("");
      const report = execFileSync("systemd-analyze", ["security", "--offline=true", file], { encoding: "utf8" });
      expect(Number(/exposure level for switchboard.service: ([\d.]+)/.exec(report)?.[1])).toBeLessThan(2);
    },
  );
});
