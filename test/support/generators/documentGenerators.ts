// Runs the generators of trusted documents as an app does: two documents in its sources, and a manifest as the outcome.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryDirectory } from "../gateway.ts";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const run = promisify(execFile);

export interface Generator {
  name: string;
  /** The text of the manifest. */
  generate(): Promise<string>;
}

interface App {
  /** Name → text. */
  files: Record<string, string>;
  command: string;
  args?: readonly string[];
  manifest: string;
}

const DOCUMENTS = {
  call: "fragment Call on CallEnded { sessionId }",
  zone: "query Zone { serviceTimeZone }",
  ended: "subscription Ended { callEnded { cursor ...Call } }",
};

const TYPESCRIPT = `
import { graphql } from "./generated";
graphql(\`${DOCUMENTS.call}\`);
graphql(\`${DOCUMENTS.zone}\`);
graphql(\`${DOCUMENTS.ended}\`);`;

const APOLLO = `
import { gql } from "@apollo/client";
export const call = gql\`${DOCUMENTS.call}\`;
export const zone = gql\`${DOCUMENTS.zone}\`;
export const ended = gql\`${DOCUMENTS.ended} \${call}\`;`;

/** Relay wants names that begin with the module's. */
const RELAY = `
import { graphql } from "react-relay";
graphql\`fragment app_call on CallEnded { sessionId }\`;
graphql\`query appZoneQuery { serviceTimeZone }\`;
graphql\`subscription appEndedSubscription { callEnded { cursor ...app_call } }\`;`;

function codegen(hashAlgorithm: string): App {
  const presetConfig = { persistedDocuments: { hashAlgorithm } };
  const generates = { "generated/": { preset: "client", presetConfig } };
  const config = { schema: "schema.graphql", documents: "src/app.ts", generates };
  return {
    files: { "src/app.ts": TYPESCRIPT, "codegen.json": JSON.stringify(config) },
    command: "graphql-codegen",
    args: ["--config", "codegen.json"],
    manifest: "generated/persisted-documents.json",
  };
}

function relay(algorithm: string): App {
  const persistConfig = { file: "./documents.json", algorithm };
  const config = { src: "./src", schema: "./schema.graphql", language: "javascript", persistConfig };
  return {
    files: { "src/app.js": RELAY, "documents.json": "{}", "relay.config.json": JSON.stringify(config) },
    command: "relay-compiler",
    manifest: "documents.json",
  };
}

const apollo: App = {
  files: { "src/app.ts": APOLLO },
  command: "generate-persisted-query-manifest",
  manifest: "persisted-query-manifest.json",
};

async function generate({ files, command, args = [], manifest }: App): Promise<string> {
  await using folder = await temporaryDirectory();
  const path = (name: string) => join(folder.path, name);
  await mkdir(path("src"));
  await symlink(at("node_modules"), path("node_modules"));
  await cp(at("src/schema/schema.graphql"), path("schema.graphql"));
  for (const [name, text] of Object.entries(files)) await writeFile(path(name), text);
  const runGenerator = () => run(at(`node_modules/.bin/${command}`), args, { cwd: folder.path });
  await runGenerator();
  // Seen once on a busy machine: graphql-codegen ended with 0 and had written no file.
  if (!existsSync(path(manifest))) {
    const { stdout, stderr } = await runGenerator();
    if (!existsSync(path(manifest))) throw new Error(`${command} wrote no ${manifest}:\n${stdout}${stderr}`);
  }
  return readFile(path(manifest), "utf8");
}

/**
 * gql.tada needs the programming interface of TypeScript, which version 7 does not have. Its manifest was written by
 * `gql.tada generate-persisted` of gql.tada 1.11.3 with TypeScript 5.9.3, from the same documents under the IDs
 * "sha256:9fa1…" and "ended".
 */
const gqlTada = () => readFile(at("test/support/generators/manifests/gqlTada.json"), "utf8");

export const generators: readonly Generator[] = [
  { name: "graphql-codegen with sha256", generate: () => generate(codegen("sha256")) },
  { name: "graphql-codegen with sha1", generate: () => generate(codegen("sha1")) },
  { name: "relay-compiler with MD5", generate: () => generate(relay("MD5")) },
  { name: "relay-compiler with SHA256", generate: () => generate(relay("SHA256")) },
  { name: "generate-persisted-query-manifest", generate: () => generate(apollo) },
  { name: "gql.tada", generate: gqlTada },
];
