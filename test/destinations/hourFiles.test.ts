// Files by hour: what is in them, and what a killed process leaves.
import { createHash } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHourFiles, type HourFilesOptions } from "../../src/destinations/hourFiles.ts";
import { tempFile } from "../store/tempStore.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const NINE = Date.parse("2026-11-20T09:30:00.000Z");
const TEN = Date.parse("2026-11-20T10:30:00.000Z");
const line = (id: string, timestamp = "2026-11-20T09:30:00.000Z") => ({ id, timestamp, data: { sessionId: id } });

function openFiles(own: Partial<HourFilesOptions> = {}) {
  const folder = own.folder ?? join(dirname(tempFile("x")), "calls");
  const files = createHourFiles({ folder, clock: () => NINE, ...own });
  onTestFinished(() => files[Symbol.asyncDispose]());
  return { folder, files };
}
const namesIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.startsWith("."))
    .sort();
const idsIn = (folder: string, name: string) =>
  gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trimEnd()
    .split("\n")
    .map((text) => (JSON.parse(text) as { id: string }).id);
const allIds = (folder: string) =>
  namesIn(folder)
    .filter((name) => name.endsWith(".gz"))
    .flatMap((name) => idsIn(folder, name));

describe("The files of a folder", () => {
  it("appear when their hour is over, whole, with a manifest, under names that sort by time", async () => {
    let now = NINE;
    const { folder, files } = openFiles({ clock: () => now });
    await files.add(line("a"));
    await files.add(line("b", "2026-11-20T09:59:59.999Z"));
    await files.add(line("c", "2026-11-20T10:00:00.000Z"));
    await files.finish();
    expect(namesIn(folder)).toEqual([]);
    now = TEN;
    await files.finish();
    const names = ["2026-11-20T09-0001.manifest.json", "2026-11-20T09-0001.ndjson.gz"];
    expect(namesIn(folder)).toEqual(names);
    expect(idsIn(folder, "2026-11-20T09-0001.ndjson.gz")).toEqual(["a", "b"]);
    const bytes = readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"));
    expect(JSON.parse(readFileSync(join(folder, names[0] as string), "utf8"))).toEqual({
      file: "2026-11-20T09-0001.ndjson.gz",
      events: 2,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      first: "2026-11-20T09:30:00.000Z",
      last: "2026-11-20T09:59:59.999Z",
    });
  });

  // A number that begins anew after a restart overwrites files: https://github.com/fluent/fluent-bit/issues/11987
  // Two files of a second had one name: https://github.com/cosmo0920/fluent-bit-go-s3/pull/27
  it("get a further number for late events, also after a restart, and never change", async () => {
    const { folder, files } = openFiles({ clock: () => TEN });
    await files.add(line("a"));
    await files.finish();
    const before = readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"));
    await files.add(line("late"));
    await files.finish();
    const again = openFiles({ folder, clock: () => TEN });
    await again.files.add(line("later"));
    await again.files.finish();
    expect(namesIn(folder).filter((name) => name.endsWith(".gz"))).toEqual([
      "2026-11-20T09-0001.ndjson.gz",
      "2026-11-20T09-0002.ndjson.gz",
      "2026-11-20T09-0003.ndjson.gz",
    ]);
    expect(readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"))).toEqual(before);
    expect(allIds(folder)).toEqual(["a", "late", "later"]);
  });

  // The gateway that goes on may be another one: https://github.com/fluent/fluent-bit/issues/6995 lost what was under way at a power cut.
  it("hold what a killed process had taken, without its broken last line and its repeats", async () => {
    const { folder, files } = openFiles();
    await files.add(line("a"));
    await files.add(line("a"));
    await files.add(line("b"));
    appendFileSync(join(folder, ".open/2026-11-20T09.ndjson"), '\n{"id":"torn","timesta');
    const again = openFiles({ folder, clock: () => TEN });
    await again.files.add(line("c"));
    await again.files.finish();
    expect(allIds(folder)).toEqual(["a", "b", "c"]);
  });

  it("are written once where a process was killed at any step between its hour and the manifest", async () => {
    const { folder, files } = openFiles({ clock: () => TEN });
    await files.add(line("a"));
    const open = join(folder, ".open/2026-11-20T09.ndjson");
    const closed = join(folder, ".open/2026-11-20T09-0001.ndjson");
    copyFileSync(open, closed);
    await files.finish();
    // The same lines were closed as a second part before the first name of theirs was removed: repeats with the same id.
    expect(new Set(allIds(folder))).toEqual(new Set(["a"]));
    const gz = readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"));
    // Killed after the file had its name, and before its manifest.
    writeFileSync(closed, `${JSON.stringify(line("a"))}\n`);
    const manifest = readFileSync(join(folder, "2026-11-20T09-0001.manifest.json"), "utf8");
    await files.finish();
    expect(readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"))).toEqual(gz);
    expect(readFileSync(join(folder, "2026-11-20T09-0001.manifest.json"), "utf8")).toBe(manifest);
    expect(existsSync(closed)).toBe(false);
  });

  it("get a further number where another gateway has taken theirs for other lines", async () => {
    const { folder, files } = openFiles({ clock: () => TEN });
    await files.add(line("a"));
    await files.finish();
    const before = readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"));
    writeFileSync(join(folder, ".open/2026-11-20T09-0001.ndjson"), `${JSON.stringify(line("b"))}\n`);
    await files.finish();
    expect(idsIn(folder, "2026-11-20T09-0002.ndjson.gz")).toEqual(["b"]);
    expect(readFileSync(join(folder, "2026-11-20T09-0001.ndjson.gz"))).toEqual(before);
  });

  // Two writers of one compressed file break it: https://github.com/logstash-plugins/logstash-output-file/issues/79
  it("hold each line that was taken by either of two gateways at once", async () => {
    const { folder, files } = openFiles({ clock: () => TEN });
    const other = openFiles({ folder, clock: () => TEN });
    const taken: string[] = [];
    const write = async (own: typeof files, name: string) => {
      for (let at = 0; at < 40; at += 1) {
        const id = `${name}${at}`;
        if (await own.add(line(id))) taken.push(id);
        if (at % 7 === 0) await own.finish();
      }
    };
    await Promise.all([write(files, "a"), write(other.files, "b")]);
    await files.finish();
    await other.files.finish();
    const found = new Set(allIds(folder));
    expect(taken.filter((id) => !found.has(id))).toEqual([]);
    expect(taken.length).toBeGreaterThan(0);
  });

  it(
    "hold each line that a killed process had taken, and none has its name before it is whole",
    { timeout: 300_000 },
    async () => {
      const { folder, files } = openFiles({ clock: () => TEN });
      mkdirSync(folder, { recursive: true });
      const main = fileURLToPath(new URL("hourFilesWriter.ts", import.meta.url));
      const taken: string[] = [];
      for (let kill = 0; kill < 5; kill += 1) {
        await using program = startProgram([main, folder, `k${kill}-`], {});
        await until(() => program.output.length > 20 + kill * 15);
        program.process.kill("SIGKILL");
        await program.exited;
        taken.push(...program.output.filter((text) => text.startsWith("k")));
      }
      for (const name of namesIn(folder).filter((each) => each.endsWith(".gz")))
        expect(idsIn(folder, name)).not.toEqual([]);
      await files.finish();
      const found = new Set(allIds(folder));
      expect(taken.filter((id) => !found.has(id))).toEqual([]);
      expect(taken.length).toBeGreaterThan(100);
      const manifests = namesIn(folder).filter((name) => name.endsWith(".manifest.json"));
      expect(manifests).toHaveLength(namesIn(folder).filter((name) => name.endsWith(".gz")).length);
    },
  );
});
