import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { inspectDatabase } from "../../../src/store/inspectDatabase.ts";
import { DEBIAN_PROGRAMS, startDebianPostgres } from "../../support/postgres/debianPostgres.ts";
import { FinalError } from "../../../src/util/start/finalError.ts";
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
    const dump = (...options: string[]) => {
      const file = tempFile();
      run("pg_dump", "--format=custom", ...options, `--file=${file}`, source);
      return file;
    };
    const restore = (url: string, file: string, ...options: string[]) =>
      run("pg_restore", "--no-owner", "--exit-on-error", ...options, `--dbname=${url}`, file);
    const dumped = (name: string, ...options: string[]) => {
      const url = postgres.createDatabase(name);
      restore(url, dump(...options));
      return url;
    };
    /** Null: a start uses it. */
    const refusal = async (url: string) => {
      const started = await open(url).then(
        (store) => store[Symbol.asyncDispose]().then(() => null),
        (error: Error) => error,
      );
      const checked = await inspectDatabase(url, "elsewhere").then(
        () => null,
        (error: Error) => error,
      );
      expect(started?.message ?? "").toContain(checked?.message ?? "");
      expect(started instanceof FinalError).toBe(checked instanceof FinalError);
      return checked && [checked.message, checked instanceof FinalError ? "ends" : "waits"];
    };
    expect(await refusal(dumped("without_table", "--exclude-table=do_not_call"))).toEqual([
      expect.stringMatching(/lacks the tables do_not_call of/),
      "ends",
    ]);
    expect(await refusal(dumped("without_version", "--exclude-table=schema_version"))).toEqual([
      expect.stringMatching(/Wait until a restore has ended/),
      "waits",
    ]);
    // As a gateway finds it that starts in the middle of a restore.
    const [restored, whole] = [postgres.createDatabase("restored"), dump()];
    restore(restored, whole, "--section=pre-data");
    expect((await refusal(restored))?.[1]).toBe("waits");
    restore(restored, whole, "--section=data");
    expect(await refusal(restored)).toEqual([
      expect.stringMatching(
        /lacks the unique keys events \(seq\), .* and \d+ more of .* Wait until a restore has ended/,
      ),
      "waits",
    ]);
    restore(restored, whole, "--section=post-data");
    expect(await refusal(restored)).toBeNull();
  },
);
