import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { strayVariables } from "../../src/config/strayVariables.ts";
import { problems, upstream } from "./environment.ts";
import { samples } from "./samples.ts";

const real = { ...upstream, AUTH: "none" };

describe("A variable that is not used", () => {
  it("of the sandbox cannot end the start of a gateway with a service", () => {
    const sandbox = { SANDBOX_PORT: "tcp://10.0.0.1:4010", SANDBOX_SPEED: "canary", SANDBOX_TOKEN_FILE: "/nowhere" };
    expect(problems({ ...real, ...sandbox })).toEqual([]);
    expect(problems(sandbox)).toEqual([
      "SANDBOX_SPEED must be a whole number from 1 to 10000",
      "SANDBOX_TOKEN_FILE names a file that cannot be read (ENOENT)",
    ]);
  });

  it("of traces cannot end a start without a collector, or with traces switched off", () => {
    const injected = { OTEL_TRACES_SAMPLER: "xray", OTEL_BSP_MAX_QUEUE_SIZE: "many", OTEL_SERVICE_NAME: '"x"' };
    expect(problems(injected)).toEqual([]);
    const off = { OTEL_EXPORTER_OTLP_ENDPOINT: "canary", OTEL_SDK_DISABLED: "TRUE\n" };
    expect(problems({ ...injected, ...off })).toEqual([]);
    expect(readConfig({ ...injected, ...off }).tracing).toBeNull();
  });

  it("was set for a Service of Kubernetes and counts as not set, with a warning that names the Service", () => {
    const injected = { METRICS_PORT: "tcp://10.96.12.7:9464", SANDBOX_PORT: "tcp://10.96.12.8:80" };
    expect(readConfig(injected)).toEqual(readConfig({}));
    expect(strayVariables(injected)).toEqual([
      "METRICS_PORT was set for a Service called metrics and is ignored; enableServiceLinks: false in the pod keeps such variables out",
      "SANDBOX_PORT was set for a Service called sandbox and is ignored; enableServiceLinks: false in the pod keeps such variables out",
    ]);
  });
});

describe("The warning about variables without effect", () => {
  it.each([
    ["UPSTREAM_TIMEOUT", "UPSTREAM_TIMEOUT_MS"],
    ["UPSTREM_TOKEN", "UPSTREAM_TOKEN"],
    ["WEBHOOK_AUTHORISATION", "WEBHOOK_AUTHORIZATION"],
    ["DATABSE_URL", "DATABASE_URL"],
    ["RECONCILE_INTERVAL", "RECONCILE_INTERVAL_S"],
    ["TRUSTED_DOCUMENT", "TRUSTED_DOCUMENTS"],
    ["RATE_LIMITS", "RATE_LIMIT"],
    ["METIRCS_PORT", "METRICS_PORT"],
    ["LOG_LEVLE", "LOG_LEVEL"],
    ["cors_origins", "CORS_ORIGINS"],
    ["SWITCHBOARD_UPSTREAM_TOKEN", "UPSTREAM_TOKEN"],
    ["SWITCHBOARD_KEYS", "SWITCHBOARD_KEY"],
    ["JWT_AUDIENCE_FILE", "JWT_AUDIENCE"],
    ["API_KEY_FILE", "API_KEYS_FILE"],
  ])("names for %s the variable %s, and no value", (name, meant) => {
    const expected = [`${name} is no variable of the gateway and has no effect; ${meant} is one`];
    expect(strayVariables({ [name]: "canary" })).toEqual(expected);
  });

  it("names a variable whose file begins with a byte order mark", () => {
    expect(strayVariables({ "\uFEFFPORT": "canary" })).toEqual([
      "a variable looks like PORT, but its name has an invisible character and it has no effect",
    ]);
  });

  it.each(["UPSTREAM_RETRIES", "WEBHOOK_SECRET", "RECORDINGS_BUCKET", "SANDBOX_HOST_NAME", "RECORDING_DIRECTORY_X"])(
    "names %s, which begins like variables of the gateway",
    (name) => {
      expect(strayVariables({ [name]: "canary" })).toEqual([`${name} is no variable of the gateway and has no effect`]);
    },
  );

  it("names no variable of the gateway, and none without a value", () => {
    expect(strayVariables({ ...samples, SWITCHBOARD_KEY: "k", UPSTREAM_RETRIES: " \n" })).toEqual([]);
  });

  it.each(["ALL_PROXY", "all_proxy"])(
    "says of %s that it is no proxy of the gateway, where no other is set",
    (name) => {
      const own = { [name]: "socks5://canary@127.0.0.1:1080" };
      const env = { ...upstream, ...own };
      expect(strayVariables(env)).toEqual([
        `${name} has no effect, because it often names a SOCKS proxy, which the gateway does not support: set HTTPS_PROXY or HTTP_PROXY for requests to the service`,
      ]);
      expect(strayVariables({ ...env, https_proxy: "http://proxy.example:3128" })).toEqual([]);
      expect(strayVariables(own)).toEqual([]);
    },
  );

  // What shells, service managers, platforms and other programs set.
  const others: Record<string, string> = {
    HOSTNAME: "gateway-0",
    HOSTTYPE: "x86_64-linux",
    HOME: "/root",
    PATH: "/bin",
    LOGNAME: "x",
    LANG: "C",
    LC_ALL: "C",
    JOURNAL_STREAM: "8:1",
    INVOCATION_ID: "x",
    LISTEN_FDS: "1",
    NOTIFY_SOCKET: "/run/x",
    CREDENTIALS_DIRECTORY: "/run/credentials",
    STATE_DIRECTORY: "/var/lib/x",
    RUNTIME_DIRECTORY: "/run/x",
    LOGS_DIRECTORY: "/var/log/x",
    NODE_ENV: "production",
    NODE_OPTIONS: "--no-warnings",
    NODE_COMPILE_CACHE: "/data",
    npm_package_name: "switchboard",
    npm_config_loglevel: "warn",
    http_proxy: "http://proxy.example:3128",
    KUBERNETES_SERVICE_HOST: "10.96.0.1",
    KUBERNETES_SERVICE_PORT_HTTPS: "443",
    KUBERNETES_PORT: "tcp://10.96.0.1:443",
    KUBERNETES_PORT_443_TCP_ADDR: "10.96.0.1",
    SWITCHBOARD_SERVICE_HOST: "10.96.0.2",
    SWITCHBOARD_SERVICE_PORT: "80",
    SWITCHBOARD_SERVICE_PORT_HTTP: "80",
    SWITCHBOARD_PORT: "tcp://10.96.0.2:80",
    SWITCHBOARD_PORT_80_TCP: "tcp://10.96.0.2:80",
    SWITCHBOARD_PORT_80_TCP_PROTO: "tcp",
    UPSTREAM_SERVICE_HOST: "10.96.0.3",
    UPSTREAM_PORT: "tcp://10.96.0.3:80",
    UPSTREAM_PORT_80_TCP_PORT: "80",
    RECORDINGS_SERVICE_PORT: "80",
    WEBHOOK_PORT_53_UDP_ADDR: "10.96.0.4",
    DATABASE_PORT: "tcp://10.96.0.5:5432",
    DATABASE_SERVICE_HOST: "10.96.0.5",
    DATABASE_PRIVATE_URL: "postgres://db.example/x",
    DATABASE_PUBLIC_URL: "postgres://db.example/x",
    POSTGRES_PASSWORD: "x",
    PGHOST: "db.example",
    REDIS_URL: "redis://x",
    DYNO: "web.1",
    K_SERVICE: "calls",
    K_REVISION: "calls-1",
    RAILWAY_SERVICE_ID: "x",
    FLY_APP_NAME: "x",
    WEBSITE_HOSTNAME: "x",
    AWS_REGION: "eu-central-1",
    AWS_SECRET_ACCESS_KEY: "x",
    GOOGLE_CLOUD_PROJECT: "x",
    NOMAD_PORT_http: "4000",
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://x",
    OTEL_NODE_RESOURCE_DETECTORS: "all",
    OTEL_METRICS_EXPORTER: "none",
    OTEL_LOGS_EXPORTER: "none",
    LOG_FORMAT: "json",
    LOG_FILE: "x",
    TZ: "UTC",
    TERM: "xterm",
    AUTHOR: "x",
    PORTS: "x",
    JWT_SECRET: "x",
    RATE_LIMITER: "x",
    CONSOLE_DEVICE: "x",
    SSH_AUTH_SOCK: "/tmp/x",
  };

  it.each(Object.entries(others))("does not name %s=%s", (name, value) => {
    expect(strayVariables({ [name]: value })).toEqual([]);
    expect(readConfig({ [name]: value })).toEqual(readConfig({}));
  });
});
