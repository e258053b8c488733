// A copy of the repository in a temporary folder, whose sources may be changed.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runProgram } from "../runProgram.ts";

/** What is mutated. */
export const SOURCES = ["src/**/*.ts", "sandbox/src/**/*.ts"];

export interface TestRun {
  /** "slow": the time was over. */
  outcome: "passed" | "failed" | "slow";
  /** Test files with a failed test, relative to the repository. */
  failedFiles: string[];
}

export interface WorkingCopy extends Disposable {
  folder: string;
  read(file: string): string;
  write(file: string, content: string): void;
  /** Runs test files, or all of them where the list is empty. */
  runTests(files: readonly string[], options: RunOptions): Promise<TestRun>;
  /** Whether `tsc` finds no fault. */
  passesTypes(): Promise<boolean>;
}

export interface RunOptions {
  seconds: number;
  /** End with the first failed test. */
  bail: boolean;
  config?: string;
  env?: Record<string, string>;
}

interface Report {
  testResults: { name: string; status: string }[];
}

export function createWorkingCopy(repository: string): WorkingCopy {
  const folder = mkdtempSync(join(tmpdir(), "mutation-"));
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository, encoding: "utf8" });
  for (const file of listed.split("\n").filter(Boolean)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(join(repository, file), join(folder, file));
  }
  symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
  const reportFile = join(folder, "report.json");

  return {
    folder,
    read: (file) => readFileSync(join(folder, file), "utf8"),
    write: (file, content) => writeFileSync(join(folder, file), content),
    async runTests(files, { seconds, bail, config = "vitest.config.ts", env = {} }) {
      rmSync(reportFile, { force: true });
      const args = ["run", ...files, "--config", config, "--reporter=json", `--outputFile=${reportFile}`];
      if (bail) args.push("--bail=1", "--maxWorkers=1");
      const code = await runProgram("vitest", args, { folder, seconds, env });
      if (code === null) return { outcome: "slow", failedFiles: [] };
      return { outcome: code === 0 ? "passed" : "failed", failedFiles: failedFilesOf(reportFile, folder) };
    },
    async passesTypes() {
      const args = ["--incremental", "--tsBuildInfoFile", join(folder, "types.tsbuildinfo")];
      return (await runProgram("tsc", args, { folder, seconds: 120 })) === 0;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function failedFilesOf(reportFile: string, folder: string): string[] {
  const { testResults } = JSON.parse(readFileSync(reportFile, "utf8")) as Report;
  return testResults.filter(({ status }) => status === "failed").map(({ name }) => name.slice(folder.length + 1));
}
