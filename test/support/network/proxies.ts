// Runs nginx and Caddy with the files of ops/proxies/, in front of gateways. Of a file only these are replaced: the domain, the
// addresses of the gateways, ports, and paths, which lie in a temporary folder then.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { connect, getCACertificates, setDefaultCACertificates } from "node:tls";
import { textAt } from "../../house/sources.ts";
import { freePorts } from "./freePort.ts";
import { temporaryDirectory } from "../gateway.ts";
import { onSameClock } from "../sameClock.ts";
import { until } from "../until.ts";

export interface Proxy extends AsyncDisposable {
  /** https://localhost:PORT */
  url: string;
  /** http://localhost:PORT, which leads to `url`. */
  plainUrl: string;
  /** Everything that it has logged. */
  logs(): string;
}

export interface ProxyKind {
  name: string;
  isInstalled: boolean;
  /** Whether it repeats a webhook that a gateway did not answer. Caddy 2.6 cannot repeat a body: its file repeats no POST. */
  repeatsWebhooks: boolean;
  /** `gateways`: the addresses that stand for the two of the file. Resolves when the proxy listens, and this process trusts it. */
  start(gateways: readonly [{ url: string }, { url: string }]): Promise<Proxy>;
}

interface Ports {
  http: number;
  https: number;
  admin: number;
}

/** Makes the proxy's files in `folder`, where its certificate and key are. Returns the program's arguments. */
type Prepare = (folder: string, ports: Ports, fill: (text: string) => string) => string[];

const [CERTIFICATE, KEY] = ["fullchain.pem", "privkey.pem"] as const;

/** For localhost, signed by itself. */
function makeCertificate(folder: string): void {
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const files = ["-keyout", join(folder, KEY), "-out", join(folder, CERTIFICATE)];
  execFileSync("openssl", [...request, ...names, ...files], { stdio: "ignore" });
}

/** As Debian's own nginx.conf, with all paths in the folder. */
const nginxMain = (folder: string): string => `
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 768; }
http {
  gzip on;
  access_log ${folder}/access.log;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}
  include ${folder}/switchboard.conf;
}
`;

const prepareNginx: Prepare = (folder, { http, https }, fill) => {
  const site = fill(textAt("ops/proxies/nginx.conf"))
    .replace("listen 80;", `listen 127.0.0.1:${http};`)
    .replace("listen 443 ssl", `listen 127.0.0.1:${https} ssl`)
    .replaceAll(/\/etc\/letsencrypt\/live\/localhost|\/var\/log\/nginx/g, folder);
  writeFileSync(join(folder, "switchboard.conf"), site);
  writeFileSync(join(folder, "nginx.conf"), nginxMain(folder));
  return ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log")];
};

const prepareCaddy: Prepare = (folder, { http, https, admin }, fill) => {
  const file = fill(textAt("ops/proxies/Caddyfile"))
    .replace("http_port 80\n", `http_port ${http}\n`)
    .replace("https_port 443\n", `https_port ${https}\n`)
    .replace("admin localhost:2019", `admin localhost:${admin}`)
    // A certificate that Caddy signed would begin by its own clock, which the test run may not have.
    .replace("localhost {", `localhost {\n\ttls ${join(folder, CERTIFICATE)} ${join(folder, KEY)}`);
  writeFileSync(join(folder, "Caddyfile"), file);
  return ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
};

export const proxyKinds: readonly ProxyKind[] = [kindOf("nginx", prepareNginx), kindOf("caddy", prepareCaddy)];

function kindOf(name: string, prepare: Prepare): ProxyKind {
  const program = findProgram(name);
  const isInstalled = program !== null && findProgram("openssl") !== null;
  return {
    name,
    isInstalled,
    repeatsWebhooks: name === "nginx",
    start: (gateways) => startProxy(program ?? name, prepare, gateways),
  };
}

/** nginx lies where only an administrator's PATH leads. */
function findProgram(name: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

async function startProxy(
  program: string,
  prepare: Prepare,
  gateways: readonly [{ url: string }, { url: string }],
): Promise<Proxy> {
  await using parts = new AsyncDisposableStack();
  const { path } = parts.use(await temporaryDirectory());
  const [http = 0, https = 0, admin = 0] = await freePorts(3);
  const ports = { http, https, admin };
  const [first, second] = gateways.map(({ url }) => new URL(url).host);
  const fill = (text: string) =>
    text
      .replaceAll("switchboard.example", "localhost")
      .replaceAll("10.0.0.11:4000", first ?? "")
      .replaceAll("10.0.0.12:4000", second ?? "");
  makeCertificate(path);
  const args = prepare(path, ports, fill);
  await mkdir(join(path, "home"));
  const child = spawn(program, args, {
    env: onSameClock({ HOME: join(path, "home"), XDG_DATA_HOME: path, XDG_CONFIG_HOME: path }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, "exit");
  parts.defer(async () => {
    // nginx ends its workers at this signal. At SIGKILL they would stay.
    if (child.exitCode === null) child.kill("SIGTERM");
    await exited;
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${output}${logsIn(path)}`);
    return acceptsTls(ports.https);
  });
  setDefaultCACertificates([...getCACertificates("default"), readFileSync(join(path, CERTIFICATE), "utf8")]);
  const running = parts.move();
  return {
    url: `https://localhost:${ports.https}`,
    plainUrl: `http://localhost:${ports.http}`,
    logs: () => output + logsIn(path),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

function logsIn(folder: string): string {
  const files = readdirSync(folder).filter((name) => name.endsWith(".log"));
  return files.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
}

function acceptsTls(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port, servername: "localhost", rejectUnauthorized: false });
  return once(socket, "secureConnect").then(
    () => Boolean(socket.destroy()),
    () => false,
  );
}
