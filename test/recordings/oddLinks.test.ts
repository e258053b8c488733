import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { openArchive } from "../../src/recordings/archive.ts";
import { createFileStorage } from "../../src/recordings/fileStorage.ts";
import { createHostRules } from "../../src/upstream/outside/hostRules.ts";
import { callEnded, logOver } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";

const DAY = 86_400_000;

describe.each(databases)("A recording with a refused link on %s", (_, { create }) => {
  it("is LOST at once with its reason, and delays no other", async () => {
    const store = await tempStore((await create()).url);
    const { readers, leases, recordings } = store;
    const events = await logOver(store.events);
    const directory = tempFile("recordings");
    const logged: unknown[] = [];
    const archive = await openArchive({
      events,
      readers,
      leases,
      recordings,
      storage: createFileStorage(directory),
      directory,
      fetcher: { rules: createHostRules([], []) },
      retentionMs: DAY,
      clock: Date.now,
      cautiousClock: Date.now,
      log: { ...silentLog, warn: (fields) => void logged.push(fields["reasons"]) },
    });
    onTestFinished(() => archive[Symbol.asyncDispose]());
    const links = [
      "https://elsewhere.example/a.wav",
      "half \ud800 a character",
      "a \0 in it",
      "not a link",
      "\u{1f600}",
    ];
    for (const [at, recordUrl] of links.entries()) {
      await events.append(callEnded({ sessionId: `s${at}`, recordUrl }), "WEBHOOK");
    }
    await until(async () => (await recordings.counts()).lost === links.length);
    const found = await recordings.bySessions(["s0", "s1"]);
    expect(found.get("s0")?.failure).toBe("The link is refused: its host is not one of RECORDING_HOSTS.");
    expect(found.get("s1")?.failure).toBe("The link is refused: it is not a web address.");
    await until(() => logged.length > 0);
    expect(logged.length).toBeLessThan(links.length);
  });
});
