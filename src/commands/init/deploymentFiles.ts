// The unit, the compose file or the manifest of `switchboard init`: those of ops/, with the answers filled in and each secret in a file.
import { readFileSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { envLine } from "../../config/envFile.ts";
import { FinalError } from "../../util/start/finalError.ts";
import { KEYS_FILE, type Setup, type SetupSecret } from "./setup.ts";
import type { NewFile } from "./writeNewFiles.ts";

export interface DeploymentFiles {
  files: NewFile[];
  /** The commands that come next, in order. */
  steps: string[];
}

/** The folder of the package, or of the checkout. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const template = (path: string) => readFileSync(new URL(`../../../ops/${path}`, import.meta.url), "utf8");
const PUBLIC_MODE = 0o644;

export function deploymentFiles(setup: Setup, folder: string): DeploymentFiles {
  if (setup.deployment === "systemd") return systemdFiles(setup);
  if (setup.deployment === "compose") return composeFiles(setup);
  if (setup.deployment === "kubernetes") return kubernetesFiles(setup, folder);
  return { files: [], steps: [] };
}

/** The text of a file of variables. */
export function envText(settings: readonly (readonly [string, string])[], comment: string): string {
  const lines = settings.map(([name, value]) => {
    const line = envLine(name, value);
    if (line === null) throw new FinalError(`The value of ${name} cannot stand in a file of variables.`);
    return line;
  });
  return [comment, ...lines, ""].join("\n");
}

const ETC = "/etc/switchboard";
const UNIT = "switchboard.service";

function systemdFiles({ settings, secrets, host }: Setup): DeploymentFiles {
  const installed = ({ file }: SetupSecret) => (isAbsolute(file) ? file : `${ETC}/${file}`);
  const credentials = secrets.flatMap((secret) => [
    `LoadCredential=${secret.name}:${installed(secret).replaceAll("%", "%%")}`,
    `Environment=${secret.variable}_FILE=%d/${secret.name}`,
  ]);
  const lines = [
    "# Read by root, and shown to the gateway alone. A changed file is read at the next restart.",
    ...credentials,
    `LoadCredential=keys:${ETC}/${KEYS_FILE}`,
    "Environment=API_KEYS_FILE=%d/keys",
  ];
  const unit = replaceOnce(template("systemd/switchboard.service"), /^EnvironmentFile=.*\n/m, (found) =>
    [found.trimEnd(), ...lines, ""].join("\n"),
  );
  const environment = envText([...settings, ["HOST", host]], "# Settings of the gateway, for its unit of systemd.");
  return {
    files: [
      { path: UNIT, content: unit, mode: PUBLIC_MODE },
      { path: "environment", content: environment, mode: 0o600 },
    ],
    steps: [
      "sudo npm install --prefix /opt/switchboard <the tarball of npm run package>",
      `sudo install -d -m 0700 ${ETC} ${ETC}/secrets`,
      `sudo install -m 0600 environment ${KEYS_FILE} ${ETC}`,
      ...ownFiles(secrets, (files) => `sudo install -m 0600 ${files.join(" ")} ${ETC}/secrets`),
      `sudo install -m 0644 ${UNIT} /etc/systemd/system/`,
      "sudo systemctl daemon-reload",
      "sudo systemctl enable --now switchboard",
    ],
  };
}

/** The user of the image, who owns nothing on this machine. */
const IMAGE_USER = 65_532;

function composeFiles({ settings, secrets, isOpenToOthers }: Setup): DeploymentFiles {
  const [uid, gid] = [process.getuid?.() || IMAGE_USER, process.getgid?.() || IMAGE_USER];
  const service = serviceBlock(template("compose.yml"), "gateway");
  const quoted = (text: string) => JSON.stringify(text).replaceAll("$", "$$$$");
  const environment = [
    ...settings.map(([name, value]) => `${name}: ${quoted(value)}`),
    ...secrets.map(({ variable, name }) => `${variable}_FILE: /run/secrets/${name}`),
    "API_KEYS_FILE: /run/secrets/keys",
  ];
  const own: Record<string, string> = {
    build: `    build:\n      context: ${quoted(ROOT)}\n      dockerfile: Containerfile\n`,
    // The files of secrets and the folder of data belong to this user.
    user: `    user: "${uid}:${gid}"\n`,
    ports: `    ports: ["${isOpenToOthers ? "" : "127.0.0.1:"}4000:4000"]\n`,
    environment: `    environment:\n${environment.map((line) => `      ${line}\n`).join("")}`,
    secrets: `    secrets: [${[...secrets.map(({ name }) => name), "keys"].join(", ")}]\n`,
    volumes: `    volumes: ["./data:/data"]\n`,
  };
  const kept = [...service].filter(([key]) => !["networks", "depends_on"].includes(key));
  const files = [...secrets.map(({ name, file }) => [name, file] as const), ["keys", KEYS_FILE] as const];
  const content = [
    "# The gateway, as switchboard init has set it up. ops/compose.yml has it beside PostgreSQL, Prometheus and Grafana.\n",
    "services:\n  gateway:\n",
    ...kept.map(([key, text]) => own[key] ?? text),
    "\nsecrets:\n",
    ...files.map(([name, file]) => `  ${name}:\n    file: ${quoted(isAbsolute(file) ? file : `./${file}`)}\n`),
  ].join("");
  const named = secrets.map(({ file }) => file).filter((file) => isAbsolute(file));
  const ownPaths = ["data", ...(named.length < secrets.length ? ["secrets"] : []), KEYS_FILE];
  const isRoot = process.getuid?.() === 0;
  return {
    files: [
      { path: "compose.yml", content, mode: PUBLIC_MODE },
      // The folder belongs to this user then, and not to root.
      { path: "data/.gitignore", content: "*\n", mode: 0o600 },
    ],
    steps: [
      ...(isRoot ? [`chown -R ${uid}:${gid} ${ownPaths.join(" ")}`] : []),
      ...(isRoot ? named.map((file) => `# User ${uid} must be able to read ${file}.`) : []),
      "docker compose up -d --build",
      "docker compose logs -f gateway",
    ],
  };
}

const MOUNT = "/run/secrets/switchboard";

function kubernetesFiles({ settings, secrets }: Setup, folder: string): DeploymentFiles {
  const quoted = (text: string) => JSON.stringify(text).replaceAll("$(", () => "$$(");
  const entries = [
    ...settings.map(([name, value]) => `- { name: ${name}, value: ${quoted(value)} }`),
    ...secrets.map(({ variable, name }) => `- { name: ${variable}_FILE, value: ${MOUNT}/${name} }`),
  ];
  const indented = entries.map((line) => `            ${line}\n`).join("");
  let manifest = template("kubernetes/switchboard.yaml");
  // The comment above it lists what the secret holds there.
  manifest = replaceOnce(manifest, /(?: {10}#.*\n)* {10}envFrom:\n {12}- secretRef: .*\n/, () =>
    [
      indented,
      "            # Pods share no folder: recordings need a bucket (RECORDINGS_S3_URL and its key, docs/recordings.md).\n",
    ].join(""),
  );
  manifest = replaceOnce(manifest, / {12}- \{ name: api-keys, mountPath: .*\n/, (found) =>
    [found, `            - { name: secrets, mountPath: ${MOUNT}, readOnly: true }\n`].join(""),
  );
  manifest = replaceOnce(manifest, / {8}- name: api-keys\n {10}secret: .*\n/, (found) =>
    [found, "        - name: secrets\n          secret: { secretName: switchboard }\n"].join(""),
  );
  const literals = secrets.map(({ name, file }) => `--from-file=${name}=${isAbsolute(file) ? file : `./${file}`}`);
  return {
    files: [{ path: "switchboard.yaml", content: manifest, mode: PUBLIC_MODE }],
    steps: [
      `cd ${resolve(folder)}    # and name your image in switchboard.yaml`,
      `kubectl create secret generic switchboard ${literals.join(" ")}`,
      `kubectl create secret generic switchboard-api-keys --from-file=api-keys.json=./${KEYS_FILE}`,
      "# Pods share no folder: for recordings name a bucket in switchboard.yaml (RECORDINGS_S3_URL).",
      "kubectl apply -f switchboard.yaml",
    ],
  };
}

const ownFiles = (secrets: readonly SetupSecret[], step: (files: string[]) => string): string[] => {
  const files = secrets.map(({ file }) => file).filter((file) => !isAbsolute(file));
  return files.length === 0 ? [] : [step(files)];
};

/** The settings of a service of a compose file, each with the comments above it. */
function serviceBlock(compose: string, name: string): Map<string, string> {
  const [, block = ""] = new RegExp(`^ {2}${name}:\\n((?: {4}.*\\n)+)`, "m").exec(compose) ?? [];
  const parts = block.matchAll(/(?: {4}#.*\n)* {4}(\w+):.*\n(?: {6}.*\n)*/g);
  return new Map(Array.from(parts, ([text, key = ""]) => [key, text]));
}

/** Throws where a file of ops/ has another form than this code expects. */
function replaceOnce(text: string, part: RegExp, by: (found: string) => string): string {
  const [found] = part.exec(text) ?? [];
  if (found === undefined) throw new Error(`A file of ops/ has no ${part.source}.`);
  return text.replace(found, () => by(found));
}
