import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inspectDatabase } from "../../../src/store/inspectDatabase.ts";
import { DEBIAN_PROGRAMS, startDebianPostgres } from "../../support/postgres/debianPostgres.ts";
import { onSameClock } from "../../support/sameClock.ts";
import { open, tempFile } from "../tempStore.ts";

const env = onSameClock({ PATH: `${DEBIAN_PROGRAMS}:${process.env["PATH"]}` });
const run = (program: string, ...args: string[]) =>
  execFileSync(join(DEBIAN_PROGRAMS ?? "", program), args, { env, stdio: ["ignore", "ignore", "pipe"] });

it.skipIf(DEBIAN_PROGRAMS === null)(
  "a part of a dump of PostgreSQL is refused with what it lacks, and the whole dump is used (skipped where Debian's PostgreSQL is not installed)",
  async () => {
    using postgres = await startDebianPostgres();
    const source = postgres.createDatabase("source");
    await (await open(source))[Symbol.asyncDispose]();
    const dumped = (name: string, ...options: string[]) => {
      const [file, url] = [tempFile(), postgres.createDatabase(name)];
      run("pg_dump", "--format=custom", ...options, `--file=${file}`, source);
      run("pg_restore", "--no-owner", "--exit-on-error", `--dbname=${url}`, file);
      return url;
    };
    const refusal = async (url: string) => {
      const reason = await inspectDatabase(url, "elsewhere").then(
        () => null,
        ({ message }: Error) => message,
      );
      if (reason !== null) await expect(open(url)).rejects.toThrow(reason);
      else await (await open(url))[Symbol.asyncDispose]();
      return reason;
    };
    expect(await refusal(dumped("without_table", "--exclude-table=do_not_call"))).toMatch(
      /lacks the tables do_not_call of/,
    );
    const withoutKeys = dumped("without_keys", "--section=pre-data", "--section=data");
    expect(await refusal(withoutKeys)).toMatch(/lacks the unique keys events \(seq\), .* and \d+ more of/);
    expect(await refusal(dumped("without_version", "--exclude-table=schema_version"))).toMatch(
      /Wait until a restore has ended/,
    );
    expect(await refusal(dumped("whole"))).toBeNull();
  },
);
