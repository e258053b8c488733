import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openArchive } from "../../src/recordings/archive.ts";
import { createFileStorage } from "../../src/recordings/fileStorage.ts";
import { callEnded, logOver } from "../events/callEnded.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { MAIN, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";
import { allNamed, audio, host, SOUND } from "./hosts.ts";
import { sha256 } from "./world.ts";

const DAY = 86_400_000;

/** An archive whose recordings all have the same sound, in the file `path`. */
async function archiveOf() {
  const store = await tempStore();
  const files = await host(audio);
  const directory = tempFile("recordings");
  const clock = () => Date.parse("2026-11-20T09:30:00.000Z");
  const events = await logOver(store.events, { clock });
  const { readers, leases, recordings } = store;
  const deps = { events, readers, leases, recordings, storage: createFileStorage(directory), directory };
  const times = { retentionMs: 90 * DAY, clock, cautiousClock: Date.now };
  const archive = await openArchive({ ...deps, ...times, fetcher: { rules: allNamed }, log: silentLog });
  onTestFinished(() => archive[Symbol.asyncDispose]());
  async function end(sessionId: string): Promise<void> {
    await events.append(callEnded({ sessionId, recordUrl: `${files.url}/${sessionId}.wav` }), "WEBHOOK");
    await until(async () => (await recordings.bySessions([sessionId])).get(sessionId)?.status === "ARCHIVED");
  }
  return { archive, store, directory, end, path: join(directory, sha256(SOUND).slice(0, 2), sha256(SOUND)) };
}

describe("The folder of recordings", () => {
  it("keeps a file as long as one of its calls, also after a failed deletion", async () => {
    const store = await tempStore();
    const files = await host(audio);
    const directory = tempFile("recordings");
    const folder = createFileStorage(directory);
    let isAway = false;
    const remove = (content: string, unlessSince: number) =>
      isAway ? Promise.reject(new Error("the storage is away")) : folder.remove(content, unlessSince);
    const storage = { ...folder, remove };
    let now = Date.parse("2026-11-20T09:30:00.000Z");
    const clock = () => now;
    const events = await logOver(store.events, { clock });
    const deps = { events, readers: store.readers, leases: store.leases, recordings: store.recordings, storage };
    const fetcher = { rules: allNamed };
    const archive = await openArchive({
      ...deps,
      directory,
      fetcher,
      retentionMs: 90 * DAY,
      clock,
      cautiousClock: clock,
      log: silentLog,
    });
    onTestFinished(() => archive[Symbol.asyncDispose]());
    const end = async (sessionId: string) => {
      await events.append(callEnded({ sessionId, recordUrl: `${files.url}/${sessionId}.wav` }), "WEBHOOK");
      await until(async () => (await store.recordings.bySessions([sessionId])).get(sessionId)?.status === "ARCHIVED");
    };
    await end("old");
    now += DAY;
    await end("young");
    const path = join(directory, sha256(SOUND).slice(0, 2), sha256(SOUND));
    utimesSync(path, 0, 0);
    expect(await archive.purge("2026-11-21T00:00:00.000Z", 10)).toBe(1);
    expect(existsSync(path)).toBe(true);
    isAway = true;
    await expect(archive.purge("2026-11-22T00:00:00.000Z", 10)).rejects.toThrow("the storage is away");
    isAway = false;
    expect(await archive.purge("2026-11-22T00:00:00.000Z", 10)).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect(await store.recordings.counts()).toEqual({ pending: 0, archived: 0, lost: 0 });
  });

  it("keeps the row of an expired recording as long as its file is too recent to be deleted", async () => {
    const { archive, store, path, end } = await archiveOf();
    await end("young");
    expect(await archive.purge("2026-11-22T00:00:00.000Z", 10)).toBe(0);
    expect([existsSync(path), (await store.recordings.counts()).archived]).toEqual([true, 1]);
    utimesSync(path, 0, 0);
    expect(await archive.purge("2026-11-22T00:00:00.000Z", 10)).toBe(1);
    expect([existsSync(path), (await store.recordings.counts()).archived]).toEqual([false, 0]);
  });

  it("loses files older than the retention that belong to no recording, once a day, and no other file", async () => {
    const { archive, directory, path, end } = await archiveOf();
    await end("kept");
    utimesSync(path, 0, 0);
    const left = ["a", "b", "c"].map((digit) => join(directory, digit.repeat(2), digit.repeat(64)));
    const other = join(directory, "aa", "notes.txt");
    for (const file of [...left, other]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
      utimesSync(file, 0, 0);
    }
    utimesSync(left[2] as string, Date.now() / 1000, Date.now() / 1000);
    const before = new Date(Date.now() - 91 * DAY).toISOString();
    expect(await archive.sweep(before, 1)).toBe(1);
    expect([await archive.sweep(before, 5), await archive.sweep(before, 5)]).toEqual([1, 0]);
    expect([path, ...left, other].map((file) => existsSync(file))).toEqual([true, false, false, true, true]);
  });

  it("loses a file without a recording as soon as it is older than EVENT_RETENTION_DAYS", async () => {
    const directory = tempFile("recordings");
    const [old, young] = ["a", "b"].map((digit) => join(directory, digit.repeat(2), digit.repeat(64))) as [
      string,
      string,
    ];
    for (const [file, hours] of [
      [old, 49],
      [young, 47],
    ] as const) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
      utimesSync(file, Date.now() / 1000 - hours * 3600, Date.now() / 1000 - hours * 3600);
    }
    const env = { RECORDINGS_DIR: directory, EVENT_RETENTION_DAYS: "2" };
    await using _gateway = await startGateway(NO_SERVICE, env, { purgeTimes: { firstAfterMs: 0, intervalMs: 20 } });
    await until(() => !existsSync(old));
    expect(existsSync(young)).toBe(true);
  });

  it("loses old parts of downloads of a killed gateway, and keeps whole files", async () => {
    const store = await tempStore();
    const directory = tempFile("recordings");
    const open = async () => {
      const events = await logOver(store.events);
      const { readers, leases, recordings } = store;
      const storage = createFileStorage(directory);
      const deps = { events, readers, leases, recordings, storage, directory, fetcher: { rules: allNamed } };
      return openArchive({ ...deps, retentionMs: 90 * DAY, clock: Date.now, cautiousClock: Date.now, log: silentLog });
    };
    await (await open())[Symbol.asyncDispose]();
    const left = ["old.part", "young.part", "old.whole"].map((name) => join(directory, "incoming", name));
    for (const file of left) {
      writeFileSync(file, "");
      // By the clock of this process, which a test run may have set apart from that of the file system.
      const changedAt = Date.now() / 1000 - (file.includes("old") ? 7200 : 0);
      utimesSync(file, changedAt, changedAt);
    }
    await (await open())[Symbol.asyncDispose]();
    expect(left.map((file) => existsSync(file))).toEqual([false, true, true]);
  });
});

describe("A recording of the embedded sandbox", () => {
  it("is archived with any RECORDING_HOSTS", async () => {
    await using directory = await temporaryDirectory();
    for (const hosts of [{}, { RECORDING_HOSTS: "nowhere.invalid" }]) {
      const env = { PORT: "0", SANDBOX_PORT: "0", SANDBOX_TOKEN: "sandbox-token", ...hosts };
      await using program = startProgram([MAIN], env, directory.path);
      const { url, sandbox } = (await program.line(({ msg }) => msg === "the gateway listens")) as Record<
        string,
        string
      >;
      const call = await fetch(`${sandbox}/sandbox/calls`, {
        method: "POST",
        headers: { authorization: "Bearer sandbox-token", "content-type": "application/json" },
        body: "{}",
      });
      const { sessionId } = (await call.json()) as { sessionId: string };
      const query = `{ callEnded(sessionId: "${sessionId}") { recording { status } } }`;
      const status = () =>
        fetch(`${url}/graphql`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ query }),
        }).then((answer) => answer.text());
      await until(async () => (await status()).includes("ARCHIVED"));
      expect(JSON.parse(await status())).toMatchObject({ data: { callEnded: { recording: { status: "ARCHIVED" } } } });
    }
  });
});
