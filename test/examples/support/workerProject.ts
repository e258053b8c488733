// The example worker as its users have it: a folder of its own, with switchboard-client installed.
import { execFile } from "node:child_process";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "../../house/sources.ts";
import { temporaryDirectory } from "../../support/gateway.ts";
import { startProgram, type Environment, type Program } from "../../support/program.ts";

const KILL_AT_STATEMENT = fileURLToPath(new URL("killAtStatement.ts", import.meta.url));

export interface WorkerProject extends AsyncDisposable {
  path: string;
  /** `killAt`: the worker kills itself before the statement of this number. */
  start(env: Environment, killAt?: number): Program;
  /** The session ids in the worker's table, in the order of their rows. */
  sessions(): string[];
}

export async function createWorkerProject(): Promise<WorkerProject> {
  await using parts = new AsyncDisposableStack();
  const { path } = parts.use(await temporaryDirectory());
  const at = (name: string) => join(path, name);
  const client = at("node_modules/switchboard-client");
  await mkdir(client, { recursive: true });
  await cp(join(ROOT, "examples/node-worker"), path, { recursive: true });
  await cp(join(ROOT, "client/package.json"), join(client, "package.json"));
  await symlink(join(ROOT, "node_modules/graphql-ws"), at("node_modules/graphql-ws"));
  await promisify(execFile)("tsc", ["-p", "client/tsconfig.json", "--outDir", join(client, "dist")], { cwd: ROOT });
  const owned = parts.move();
  return {
    path,
    start(env, killAt) {
      const args = [...(killAt === undefined ? [] : ["--import", KILL_AT_STATEMENT]), at("src/worker.js")];
      return owned.use(startProgram(args, { ...env, DATABASE: at("calls.db"), KILL_AT: String(killAt) }, path));
    },
    sessions() {
      const database = new DatabaseSync(at("calls.db"), { readOnly: true });
      const rows = database.prepare("SELECT session_id FROM calls ORDER BY rowid").all();
      database.close();
      return rows.map(({ session_id: sessionId }) => String(sessionId));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
