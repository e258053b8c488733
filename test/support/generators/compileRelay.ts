// Runs relay-compiler on one document and loads the artifact that it writes.
import { execFile } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ConcreteRequest } from "relay-runtime";
import { temporaryDirectory } from "../gateway.ts";

const COMPILER = fileURLToPath(import.meta.resolve("relay-compiler/cli.js"));
const SCHEMA = fileURLToPath(new URL("../../../src/schema/schema.graphql", import.meta.url));
const CONFIG = {
  src: ".",
  schema: "schema.graphql",
  artifactDirectory: "artifacts",
  language: "javascript",
  eagerEsModules: true,
  excludes: ["**/artifacts/**"],
};

/** The operation's name begins with `calls`, because Relay takes the name of the file for the prefix. */
export async function compileRelay(document: string): Promise<ConcreteRequest> {
  await using directory = await temporaryDirectory();
  const at = (name: string) => join(directory.path, name);
  await mkdir(at("artifacts"));
  await copyFile(SCHEMA, at("schema.graphql"));
  await writeFile(at("relay.config.json"), JSON.stringify(CONFIG));
  await writeFile(at("calls.js"), `import { graphql } from "react-relay";\ngraphql\`${document}\`;\n`);
  await promisify(execFile)(process.execPath, [COMPILER, "--noWatchman"], { cwd: directory.path });
  const [artifact = ""] = await readdir(at("artifacts"));
  const text = await readFile(join(at("artifacts"), artifact), "utf8");
  const module = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { default: ConcreteRequest };
  return module.default;
}
