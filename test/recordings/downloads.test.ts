import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { MAX_DOWNLOADS, startDownloads } from "../../src/recordings/downloads.ts";
import { createFileStorage } from "../../src/recordings/fileStorage.ts";
import { openSpool } from "../../src/recordings/spool.ts";
import { storeError } from "../../src/store/storeError.ts";
import type { RecordingJob } from "../../src/store/recordings/recordingStore.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { SOUND } from "./hosts.ts";
import { sha256 } from "./world.ts";

const content = { sha256: sha256(SOUND), contentType: "audio/wav", bytes: SOUND.length };
const archived = { status: "ARCHIVED", ...content, archivedAt: "2026-11-20T09:31:00.000Z" } as const;
const jobOf = (sessionId: string): RecordingJob => ({
  sessionId,
  revision: 1,
  receivedAt: "2026-11-20T09:30:00.000Z",
  url: `https://files.example/${sessionId}`,
  attempts: 1,
});

/** One download of each call, all of the same sound, that last until they are let go. The database refuses the outcomes of `refused`. */
async function heldDownloads(sessionIds: readonly string[], renewMs = 10_000, refused: readonly string[] = []) {
  const { recordings } = await tempStore();
  const directory = tempFile("recordings");
  const held = Promise.withResolvers<void>();
  const fetching: string[] = [];
  const settled: boolean[] = [];
  const renewed: (readonly string[])[] = [];
  const downloads = startDownloads({
    recordings: {
      ...recordings,
      async settle(holder, job, outcome) {
        if (refused.includes(job.sessionId)) throw storeError(Object.assign(new Error("no"), { code: "22021" }));
        const isNew = await recordings.settle(holder, job, outcome);
        // A recording that a test adds later may be downloaded here too.
        if (sessionIds.includes(job.sessionId)) settled.push(isNew);
        return isNew;
      },
      async renew(holder, ids, leaseMs) {
        await recordings.renew(holder, ids, leaseMs);
        renewed.push(ids);
      },
    },
    fetcher: {
      async fetch(url, file) {
        fetching.push(url);
        await held.promise;
        await writeFile(file, SOUND);
        return content;
      },
    },
    spool: await openSpool(join(directory, "incoming")),
    storage: createFileStorage(directory),
    onSettled: () => undefined,
    onLost: () => undefined,
    clock: Date.now,
    log: silentLog,
    times: { leaseMs: 60_000, renewMs, pauseMs: 5, pollMs: 50, retryMs: 20 },
  });
  onTestFinished(async () => {
    held.resolve();
    await downloads[Symbol.asyncDispose]();
  });
  await recordings.add(sessionIds.map((sessionId) => ({ ...jobOf(sessionId), refusal: null })));
  await until(() => fetching.length === sessionIds.length);
  return {
    recordings,
    fetching,
    renewed,
    letGo: () => held.resolve(),
    /** Lets the downloads end; which of them wrote what became of the recording. */
    async finish() {
      held.resolve();
      await until(() => settled.length === sessionIds.length);
      await downloads[Symbol.asyncDispose]();
      return settled;
    },
    isKept: () => existsSync(join(directory, content.sha256.slice(0, 2), content.sha256)),
  };
}

describe("A download that ends after its recording was settled elsewhere", () => {
  it("keeps the content if another gateway has archived the same recording", async () => {
    const { recordings, finish, isKept } = await heldDownloads(["a"]);
    expect(await recordings.settle("another gateway", jobOf("a"), archived)).toBe(true);
    expect([await finish(), isKept()]).toEqual([[false], true]);
  });

  it("keeps the content if its call was erased and another call has the same content", async () => {
    const { recordings, finish, isKept } = await heldDownloads(["a"]);
    await recordings.add([{ ...jobOf("b"), refusal: null }]);
    expect(await recordings.settle("another gateway", jobOf("b"), archived)).toBe(true);
    await recordings.delete(["a"]);
    expect([await finish(), isKept()]).toEqual([[false], true]);
  });

  it("removes the content if its call was erased and no other call has it", async () => {
    const { recordings, finish, isKept } = await heldDownloads(["a"]);
    await recordings.delete(["a"]);
    expect([await finish(), isKept()]).toEqual([[false], false]);
  });
});

describe("A recording whose outcome the database refuses", () => {
  it("gives its place to the next one, and is tried again later", async () => {
    const ids = Array.from({ length: MAX_DOWNLOADS }, (_, at) => `s${at}`);
    const { recordings, fetching, letGo } = await heldDownloads(ids, 10_000, ids);
    await recordings.add([{ ...jobOf("next"), refusal: null }]);
    letGo();
    const rowOf = async (id: string) => (await recordings.bySessions([id])).get(id);
    await until(async () => (await rowOf("next"))?.status === "ARCHIVED");
    expect(await rowOf("s0")).toMatchObject({
      status: "PENDING",
      failure: "The database refuses the recording (SQLSTATE 22021).",
    });
    await until(() => fetching.length === MAX_DOWNLOADS + 1);
  });
});

describe("A long download", () => {
  it("renews its lease, so that no other gateway starts it", async () => {
    const { renewed } = await heldDownloads(["a", "b"], 10);
    await until(() => renewed.some((ids) => ids.length === 2));
    expect(renewed.find((ids) => ids.length === 2)?.toSorted()).toEqual(["a", "b"]);
  });
});

describe("A due download", () => {
  it("begins while all places but one are taken", async () => {
    const running = Array.from({ length: MAX_DOWNLOADS - 1 }, (_, at) => `s${at}`);
    const { recordings, fetching } = await heldDownloads(running);
    await recordings.add([{ ...jobOf("last"), refusal: null }]);
    await until(() => fetching.includes(jobOf("last").url));
    expect(fetching.length).toBe(MAX_DOWNLOADS);
  });
});
