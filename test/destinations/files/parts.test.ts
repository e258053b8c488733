// Files by hour in a folder and in a bucket: what is in them, and what a kill, a lost answer and another gateway leave.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { array, assert, asyncProperty, subarray } from "fast-check";
import { describe, expect, it } from "vitest";
import { createHourParts } from "../../../src/destinations/files/hourParts.ts";
import { startProgram } from "../../support/program.ts";
import { until } from "../../support/until.ts";
import { allIds, bucketPlace, folderPlace, linesOf, type Place } from "./targets.ts";

const HOUR = "2026-11-20T09";
const FIRST = `${HOUR}-0001`;
const { signal } = new AbortController();
const line = (id: string, timestamp = "2026-11-20T09:30:00.000Z") => ({
  id,
  text: JSON.stringify({ id, timestamp, data: { sessionId: id } }),
});
const lines = (...ids: string[]) => ids.map((id) => line(id));

const places: [string, () => Promise<Place>][] = [
  ["a folder", async () => folderPlace()],
  ["a bucket", bucketPlace],
];

describe.each(places)("The files of %s", (_, create) => {
  it("are whole, with a manifest, under names that sort by time", async () => {
    const place = await create();
    const parts = createHourParts(place.open());
    await parts.write(HOUR, [line("a"), line("b", "2026-11-20T09:59:59.999Z")], signal);
    await parts.write("2026-11-20T10", [line("c", "2026-11-20T10:00:00.000Z")], signal);
    const files = place.files();
    expect([...files.keys()].filter((name) => name.startsWith(HOUR))).toEqual([
      `${FIRST}.manifest.json`,
      `${FIRST}.ndjson.gz`,
    ]);
    expect(allIds(place)).toEqual(["a", "b", "c"]);
    const bytes = files.get(`${FIRST}.ndjson.gz`) ?? Buffer.alloc(0);
    expect(JSON.parse(String(files.get(`${FIRST}.manifest.json`)))).toEqual({
      file: `${FIRST}.ndjson.gz`,
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
    const place = await create();
    const parts = createHourParts(place.open());
    await parts.write(HOUR, lines("a"), signal);
    const before = place.files();
    await parts.write(HOUR, lines("late"), signal);
    await createHourParts(place.open()).write(HOUR, lines("later"), signal);
    expect(allIds(place)).toEqual(["a", "late", "later"]);
    expect(place.files().size).toBe(6);
    for (const [name, bytes] of before) expect(place.files().get(name)).toEqual(bytes);
  });

  it("have an event once that is written again, among others and where it looks different by then", async () => {
    const place = await create();
    const parts = createHourParts(place.open());
    await parts.write(HOUR, lines("a", "b", "b"), signal);
    await parts.write(HOUR, lines("a", "b", "c"), signal);
    await parts.write(HOUR, lines("b", "c"), signal);
    expect(allIds(place)).toEqual(["a", "b", "c"]);
    await parts.write(HOUR, [line("b", "2026-11-20T09:30:00.001Z")], signal);
    expect(allIds(place)).toEqual(["a", "b", "c"]);
  });

  it("get the manifest that is missing, where their writer was killed before it", async () => {
    const place = await create();
    await createHourParts(place.open()).write(HOUR, lines("a"), signal);
    const other = await create();
    other.add(`${FIRST}.ndjson.gz`, place.files().get(`${FIRST}.ndjson.gz`) ?? Buffer.alloc(0));
    await createHourParts(other.open()).write(HOUR, lines("a"), signal);
    expect(other.files()).toEqual(place.files());
  });

  it("leave what somebody else has put under their name as it is, and go on with the next number", async () => {
    const place = await create();
    const foreign = ["no gzip", gzipSync("no JSON\n"), gzipSync('{"id":"a"}\n'), gzipSync("null\n")].map((each) =>
      Buffer.from(each),
    );
    foreign.forEach((bytes, at) => place.add(`${HOUR}-000${at + 1}.ndjson.gz`, bytes));
    await createHourParts(place.open()).write(HOUR, lines("a"), signal);
    foreign.forEach((bytes, at) => expect(place.files().get(`${HOUR}-000${at + 1}.ndjson.gz`)).toEqual(bytes));
    expect(linesOf(place.files().get(`${HOUR}-0005.ndjson.gz`))).toMatchObject([{ id: "a" }]);
  });

  // As a disk that was full, or a copy that was cut, leaves one: https://github.com/fluent/fluentd/issues/1698
  it("hold each line though a file of their name is torn, which stays as it is and has no manifest", async () => {
    const place = await create();
    const whole = await create();
    await createHourParts(whole.open()).write(HOUR, lines("a", "b"), signal);
    const bytes = whole.files().get(`${FIRST}.ndjson.gz`) ?? Buffer.alloc(0);
    const torn = bytes.subarray(0, bytes.length - 9);
    place.add(`${FIRST}.ndjson.gz`, torn);
    await createHourParts(place.open()).write(HOUR, lines("a", "b"), signal);
    expect(place.files().get(`${FIRST}.ndjson.gz`)).toEqual(torn);
    expect([...place.files().keys()]).not.toContain(`${FIRST}.manifest.json`);
    expect(linesOf(place.files().get(`${HOUR}-0002.ndjson.gz`)).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("say so where a manifest that was left behind is of another file", async () => {
    const place = await create();
    place.add(`${FIRST}.manifest.json`, Buffer.from('{"file":"a","sha256":"of another file"}\n'));
    const write = () => createHourParts(place.open()).write(HOUR, lines("a"), signal);
    await expect(write()).rejects.toThrow(`${FIRST}.manifest.json is of another file: remove it`);
    // Also where the file is there already.
    await expect(write()).rejects.toThrow("of another file");
    expect(allIds(place)).toEqual(["a"]);
  });

  // Two writers of one compressed file break it: https://github.com/logstash-plugins/logstash-output-file/issues/79
  it("hold each line of two gateways that write the same hour at once", async () => {
    const lists = array(subarray(["a", "b", "c", "d", "e", "f"], { minLength: 1 }), { minLength: 2, maxLength: 5 });
    await assert(
      asyncProperty(lists, async (written) => {
        const place = await create();
        await Promise.all(written.map(async (ids) => createHourParts(place.open()).write(HOUR, lines(...ids), signal)));
        expect(new Set(allIds(place))).toEqual(new Set(written.flat()));
        const manifests = [...place.files().keys()].filter((name) => name.endsWith(".manifest.json"));
        expect(place.files().size).toBe(manifests.length * 2);
      }),
      { numRuns: 10 },
    );
  });
});

describe("The files of a folder", () => {
  it("are written once over kills, whole and with their manifests", { timeout: 300_000 }, async () => {
    const place = folderPlace();
    mkdirSync(place.folder, { recursive: true });
    const main = fileURLToPath(new URL("partsWriter.ts", import.meta.url));
    let written = -1;
    for (let kill = 0; kill < 5; kill += 1) {
      await using program = startProgram([main, place.folder, String(written + 1)], {});
      await until(() => program.output.length > 5 + kill * 3);
      program.process.kill("SIGKILL");
      await program.exited;
      written = Math.max(written, ...program.output.map(Number));
    }
    expect(written).toBeGreaterThan(20);
    const done = allIds(place).filter((id) => Number(id.slice(8, 10)) * 24 - 24 + Number(id.slice(11, 13)) <= written);
    expect(done).toHaveLength((written + 1) * 3);
    expect(new Set(done).size).toBe(done.length);
    // The hour at which the last kill came may lack a manifest.
    const names = [...place.files().keys()];
    const manifests = names.filter((name) => name.endsWith(".manifest.json"));
    expect(names.length - manifests.length * 2).toBeLessThanOrEqual(1);
  });

  it("leave nothing beside them, and what a killed process left there is removed after an hour", async () => {
    const { folder, open } = folderPlace();
    const beside = join(folder, ".parts");
    mkdirSync(beside, { recursive: true });
    for (const name of ["old", "new"]) writeFileSync(join(beside, name), "x");
    utimesSync(join(beside, "old"), 1, 1);
    const parts = createHourParts(open());
    await parts.write(HOUR, lines("a"), signal);
    expect(readdirSync(beside)).toEqual(["new"]);
    utimesSync(join(beside, "new"), 1, 1);
    await parts.write(HOUR, lines("a"), signal);
    expect(readdirSync(beside)).toEqual([]);
    expect(readdirSync(folder).sort()).toEqual([".parts", `${FIRST}.manifest.json`, `${FIRST}.ndjson.gz`]);
  });
});
