// The rights and limits in the files of ops/ and the Containerfile: no program gets more than it needs.
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { openStore } from "../../src/store/store.ts";
import { textAt } from "../house/sources.ts";
import { openClient } from "../support/postgres/connections.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { silentLog } from "../support/silentLog.ts";

interface Service {
  image?: string;
  environment?: Record<string, string>;
  networks?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  read_only?: boolean;
  ports?: string[];
  mem_limit?: string;
}
interface Compose {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
}

const { services, networks } = parse(textAt("ops/compose.yml")) as Compose;
const manifest = parseAllDocuments(textAt("ops/kubernetes/switchboard.yaml")).map(
  (each) => each.toJS() as Record<string, never>,
);
const ofKind = (kind: string) => manifest.find((each) => each["kind"] === kind);

describe("Each image", () => {
  it("is named with the digest of its content, beside the tag that says what it is", () => {
    const names = [
      ...Object.values(services).flatMap(({ image = [] }) => image),
      ...[...textAt("Containerfile").matchAll(/^FROM (\S+)/gm)].map(([, name = ""]) => name),
    ];
    expect(names).toHaveLength(7);
    expect(names.filter((name) => !/^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/.test(name))).toEqual([]);
  });
});

describe("ops/compose.yml", () => {
  it("lets no program gain rights, and drops all capabilities where the program needs none", () => {
    for (const [name, { security_opt, cap_drop, ports = [] }] of Object.entries(services)) {
      expect([name, security_opt]).toEqual([name, ["no-new-privileges:true"]]);
      // The image of PostgreSQL changes the owner of its folder, then its user.
      if (name !== "postgres") expect([name, cap_drop]).toEqual([name, ["ALL"]]);
      expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
    }
    const writable = Object.entries(services).flatMap(([name, { read_only }]) => (read_only ? [] : name));
    expect(writable).toEqual(["postgres", "grafana"]);
  });

  it("lets the gateway alone reach PostgreSQL, and not as its superuser", () => {
    const reaching = Object.entries(services).flatMap(([name, each]) =>
      each.networks?.includes("database") ? name : [],
    );
    expect(reaching).toEqual(["gateway", "postgres"]);
    expect(services["postgres"]?.networks).toEqual(["database"]);
    expect(networks["database"]?.internal).toBe(true);
    const { POSTGRES_USER, POSTGRES_PASSWORD } = services["postgres"]?.environment ?? {};
    expect(POSTGRES_USER).toBeUndefined();
    expect(JSON.stringify(services["gateway"])).not.toContain(POSTGRES_PASSWORD);
  });

  it("gives the gateway a role that owns its database, with no other right, and the gateway works with it", async () => {
    await using server = await createPostgresDatabase();
    const admin = await openClient({ connectionString: server.url });
    const suffix = `_${process.pid}_${Date.now()}`;
    const own = `switchboard${suffix}`;
    const password = "p@ss'w?r#d:%";
    // As psql reads the file.
    const statements = textAt("ops/postgres/gatewayRole.sql")
      .replaceAll(/^(?:--|\\).*$/gm, "")
      .replaceAll(/\bswitchboard\b/g, own)
      .replaceAll(":'password'", () => admin.escapeLiteral(password))
      .split(";\n");
    try {
      for (const statement of statements) if (statement.trim() !== "") await admin.query(statement);
      const rights =
        "select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = $1";
      const [role] = (await admin.query(rights, [own])).rows as Record<string, boolean>[];
      expect(Object.values(role ?? {})).toEqual([false, false, false, false, false]);
      const url = Object.assign(new URL(server.url), {
        pathname: `/${own}`,
        username: own,
        password: encodeURIComponent(password),
      });
      {
        await using store = await openStore({ url: url.href, log: silentLog, fsync: "elsewhere" });
        expect(await store.submissions.counts()).toEqual([]);
      }
    } finally {
      await admin.query(`drop database if exists ${own} with (force)`);
      await admin.query(`drop role if exists ${own}`);
      await admin.end();
    }
  });
});

describe("The manifest for Kubernetes", () => {
  it("lets only Prometheus reach the port of the metrics", () => {
    const policy = ofKind("NetworkPolicy") as never as { spec: { policyTypes: string[]; ingress: Rule[] } };
    interface Rule {
      from?: object[];
      ports: { port: string }[];
    }
    expect(policy.spec.policyTypes).toEqual(["Ingress"]);
    const open = policy.spec.ingress.filter(({ from }) => from === undefined);
    expect(open.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(["http"]);
    const limited = policy.spec.ingress.filter(({ from }) => from !== undefined);
    expect(limited.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual(["metrics"]);
    // A rule with an empty selector would let every pod in.
    for (const { from = [] } of limited)
      for (const peer of from) expect(Object.keys(peer).toSorted()).toEqual(["namespaceSelector", "podSelector"]);
  });

  it("limits memory and disk, and gives no rights of the cluster", () => {
    const { spec } = (ofKind("Deployment") as never as { spec: { template: { spec: Pod } } }).spec.template;
    interface Pod {
      automountServiceAccountToken: boolean;
      securityContext: { runAsNonRoot: boolean };
      containers: { resources: { limits: Record<string, string> }; securityContext: object }[];
      volumes: { emptyDir?: { sizeLimit?: string } }[];
    }
    expect([spec.automountServiceAccountToken, spec.securityContext.runAsNonRoot]).toEqual([false, true]);
    expect(spec.volumes.flatMap(({ emptyDir }) => emptyDir ?? [])).toEqual([{ sizeLimit: "10Gi" }]);
    expect(spec.containers[0]?.resources.limits).toEqual({ memory: "1Gi", "ephemeral-storage": "11Gi" });
    expect(spec.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });
});

it("Every file that runs the gateway limits its memory to what docs/operating.md asks for", () => {
  expect(textAt("docs/operating.md")).toContain("Give a gateway 1 GiB");
  expect(services["gateway"]?.mem_limit).toBe("1g");
  expect(textAt("ops/systemd/switchboard.service")).toMatch(/^MemoryMax=1G$/m);
});
