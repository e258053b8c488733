import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openArchive } from "../../src/recordings/archive.ts";
import { createFileStorage } from "../../src/recordings/fileStorage.ts";
import { callEnded, logOver } from "../events/callEnded.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { allNamed, audio, host } from "./hosts.ts";

const DAY = 86_400_000;

/** An archive beside a host of recordings on which every link but the open ones is gone. */
async function archiveOf(open: Set<string>) {
  const store = await tempStore();
  const files = await host((request, response) =>
    open.has(request.url ?? "") ? audio(request, response) : response.writeHead(404).end(),
  );
  const events = await logOver(store.events);
  const directory = tempFile("recordings");
  const archive = await openArchive({
    events,
    readers: store.readers,
    leases: store.leases,
    recordings: store.recordings,
    storage: createFileStorage(directory),
    directory,
    fetcher: { rules: allNamed },
    retentionMs: DAY,
    clock: Date.now,
    cautiousClock: Date.now,
    log: silentLog,
    downloads: { retries: { delaysMs: [20], briefTries: 1_000_000, forMs: DAY } },
  });
  onTestFinished(() => archive[Symbol.asyncDispose]());
  const tell = (path: string | null, duration = 60) =>
    events.append(
      callEnded({ sessionId: "a", recordUrl: path === null ? null : `${files.url}${path}`, duration }),
      "WEBHOOK",
    );
  const statusOf = async () => (await store.recordings.bySessions(["a"])).get("a")?.status;
  const shown = async () => new URL((await events.bySession("a"))?.recordUrl ?? "").pathname;
  return { tell, statusOf, shown, asked: () => files.seen.length };
}

describe("The link of a later delivery", () => {
  it.each([
    ["/z", "/a"],
    ["/a", "/z"],
  ])("is downloaded if %s was first and is gone, and %s works", async (gone, fresh) => {
    const { tell, statusOf, shown, asked } = await archiveOf(new Set([fresh]));
    expect(await tell(gone)).toBe("appended");
    await until(() => asked() > 0);
    expect(await tell(fresh)).toBe("revised");
    await until(async () => (await statusOf()) === "ARCHIVED");
    expect(await shown()).toBe("/z");
  });

  it("is still used after a further delivery without a link", async () => {
    const open = new Set<string>();
    const { tell, statusOf, asked } = await archiveOf(open);
    await tell("/z");
    await tell("/a");
    expect(await tell(null, 61)).toBe("revised");
    const before = asked();
    await until(() => asked() > before + 2);
    open.add("/a");
    await until(async () => (await statusOf()) === "ARCHIVED");
  });
});
