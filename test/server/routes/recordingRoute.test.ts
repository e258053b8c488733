import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { createRateLimits, noRateLimits } from "../../../src/auth/rateLimits.ts";
import { createPlayLimits, createPlayLog, PLAY_LIMITS } from "../../../src/server/routes/playLimits.ts";
import { createRecordingRoute } from "../../../src/server/routes/recordingRoute.ts";
import { createLogger } from "../../../src/logger.ts";
import type { AuditStore } from "../../../src/store/audit/auditStore.ts";
import type { RecordingRow } from "../../../src/store/recordings/recordingStore.ts";
import type { TimeSlices } from "../../../src/util/timeSlices.ts";
import { until } from "../../support/until.ts";
import { serve } from "../serve.ts";

const row: RecordingRow = {
  sessionId: "one",
  revision: 1,
  receivedAt: "2026-11-20T09:30:00.000Z",
  status: "ARCHIVED",
  url: null,
  failure: null,
  sha256: "a".repeat(64),
  contentType: "audio/wav",
  bytes: 100,
  archivedAt: "2026-11-20T09:30:00.000Z",
  lostAt: null,
  settled: 1,
};

/** The route of one archived recording, whose content `read` gives. */
function createRoute(
  read: () => Promise<Readable | null>,
  addPlay: AuditStore["addPlay"] = async () => true,
  rates = noRateLimits,
  waitForSlice: TimeSlices["waitForSlice"] = () => undefined,
) {
  const lines: string[] = [];
  const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
  const plays = createPlayLog(log);
  const route = createRecordingRoute({
    addresses: { verify: () => ({ sessionId: "one", viewer: "web", byToken: true, expiresAt: 0 }) },
    recordings: { bySessions: async () => new Map([["one", row]]) },
    storage: { read },
    holdsScope: () => true,
    audit: { addPlay },
    clock: () => Date.parse("2026-11-20T09:30:00.000Z"),
    connectionGuard: { recordAccepted() {} },
    limits: createPlayLimits(rates),
    plays,
    slices: { waitForSlice },
    trustedProxies: 0,
    log,
  });
  return { route, lines, plays };
}

describe("an archived recording that is missing in the storage", () => {
  it("is answered with 404 and logged as an error", async () => {
    const { route, lines } = createRoute(async () => null);
    await using server = await serve((request, response) => void route(request, response));
    expect((await fetch(`${server.url}/recordings/x`)).status).toBe(404);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining({ level: "error" }));
  });
});

describe("an archived recording", () => {
  it("is served whole, and the log says nothing of missing bytes", async () => {
    const { route, lines } = createRoute(async () => createReadStream(fileURLToPath(import.meta.url), { end: 99 }));
    await using server = await serve((request, response) => void route(request, response));
    const response = await fetch(`${server.url}/recordings/x`);
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, 100]);
    expect(lines.map((line) => (JSON.parse(line) as { level: string }).level)).toEqual(["info"]);
  });

  it("is cut off where the storage has less of it, and the log says so", async () => {
    const { route, lines } = createRoute(async () => createReadStream(fileURLToPath(import.meta.url), { end: 98 }));
    await using server = await serve((request, response) => void route(request, response));
    const response = await fetch(`${server.url}/recordings/x`);
    await expect(response.arrayBuffer()).rejects.toThrow("terminated");
    await until(() => lines.length === 3);
    expect(lines.join("")).toContain("shorter than its archived length");
  });
});

describe("the parts of a recording", () => {
  it("are each sent in a slice of the viewer, as is the head", async () => {
    const waiting: { viewer: string; start: () => void }[] = [];
    const content = async () => Readable.from([Buffer.alloc(60), Buffer.alloc(40)]);
    const { route } = createRoute(content, undefined, undefined, (viewer) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push({ viewer, start: resolve });
      return promise;
    });
    await using server = await serve((request, response) => void route(request, response));
    const startNext = async (count: number) => {
      await until(() => waiting.length === count);
      waiting.at(-1)?.start();
    };
    const answer = fetch(`${server.url}/recordings/x`);
    await startNext(1);
    await startNext(2);
    const parts = (await answer).body?.getReader();
    expect((await parts?.read())?.value).toHaveLength(60);
    await startNext(3);
    expect((await parts?.read())?.value).toHaveLength(40);
    expect(waiting.map(({ viewer }) => viewer)).toEqual(["web", "web", "web"]);
  });
});

describe("a recording whose call is erased while it is asked for", () => {
  it("is answered with 404, and its content is not read", async () => {
    const read = vi.fn(async () => null);
    const { route } = createRoute(read, async () => false);
    await using server = await serve((request, response) => void route(request, response));
    expect((await fetch(`${server.url}/recordings/x`)).status).toBe(404);
    expect(read).not.toHaveBeenCalled();
  });
});

describe("a client that disconnects", () => {
  it("holds no file open, also if it left before the storage found the recording", async () => {
    const content = createReadStream(fileURLToPath(import.meta.url), { end: 99 });
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const { route, lines } = createRoute(async () => {
      asked.resolve();
      await found.promise;
      return content;
    });
    await using server = await serve((request, response) => {
      response.once("close", left.resolve);
      void route(request, response);
    });
    const request = new AbortController();
    const answer = fetch(`${server.url}/recordings/x`, { signal: request.signal }).catch(() => null);
    await asked.promise;
    request.abort();
    await Promise.all([answer, left.promise]);
    found.resolve();
    await until(() => content.closed);
    expect(lines.join("")).not.toContain("a recording was served");
  });
});

describe("the audit log of a recording's route", () => {
  it("has an entry before the content is read, for a client with a copy and for HEAD too", async () => {
    const seen: unknown[] = [];
    const { route } = createRoute(
      async () => {
        seen.push("read");
        return null;
      },
      async (play) => seen.push(play) > 0,
    );
    await using server = await serve((request, response) => void route(request, response));
    const url = `${server.url}/recordings/x`;
    const play = { actor: "web", at: "2026-11-20T09:30:00.000Z", sessionId: "one" };
    await fetch(url);
    expect(seen.splice(0)).toEqual([play, "read"]);
    expect((await fetch(url, { headers: { "if-none-match": `"${row.sha256}"` } })).status).toBe(304);
    expect(seen.splice(0)).toEqual([play]);
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
    expect(seen.splice(0)).toEqual([play]);
    expect((await fetch(url, { headers: { range: "bytes=999-" } })).status).toBe(416);
    expect(seen).toEqual([]);
  });

  it("refuses with 503 to play what it cannot note, and says why", async () => {
    let reads = 0;
    const { route, lines } = createRoute(
      async () => ((reads += 1), null),
      () => Promise.reject(new Error("the disk is full")),
    );
    await using server = await serve((request, response) => void route(request, response));
    const response = await fetch(`${server.url}/recordings/x`);
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([
      503,
      "1",
      "The database cannot note now who plays the recording, so it is not served. Try again later.\n",
    ]);
    expect(reads).toBe(0);
    expect(lines.join("")).toContain("its entry in the audit log could not be written");
  });
});

describe("A86: many plays of one recording's address", () => {
  it("are refused beyond the limit while the others run, and open no file", async () => {
    let opened = 0;
    const { route } = createRoute(async () => {
      opened += 1;
      const begun = new Readable({ read: () => undefined });
      begun.push(Buffer.alloc(10));
      return begun;
    });
    await using server = await serve((request, response) => void route(request, response));
    const client = new AbortController();
    const play = () => fetch(`${server.url}/recordings/x`, { signal: client.signal });
    const running = await Promise.all(Array.from({ length: PLAY_LIMITS.perRecording }, play));
    expect(new Set(running.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await play();
    expect([refused.status, refused.headers.get("retry-after"), opened]).toEqual([429, "1", PLAY_LIMITS.perRecording]);
    client.abort();
    await until(async () => (await fetch(`${server.url}/recordings/x`, { method: "HEAD" })).status === 200);
  });

  it("count for the viewer's minute", async () => {
    const { route } = createRoute(async () => null, undefined, createRateLimits(3));
    await using server = await serve((request, response) => void route(request, response));
    const statuses: number[] = [];
    for (let at = 0; at < 5; at += 1) statuses.push((await fetch(`${server.url}/recordings/x`)).status);
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    const last = await fetch(`${server.url}/recordings/x`);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(1);
  });

  it("write one line, and then a count", async () => {
    const { route, lines, plays } = createRoute(async () => Readable.from([Buffer.alloc(100)]));
    await using server = await serve((request, response) => void route(request, response));
    for (let at = 0; at < 10; at += 1) await (await fetch(`${server.url}/recordings/x`)).arrayBuffer();
    expect(lines).toHaveLength(1);
    plays[Symbol.dispose]();
    expect(lines.slice(1).map((line) => JSON.parse(line) as object)).toMatchObject([
      { viewer: "web", recording: Buffer.from("one").toString("base64url"), plays: 9 },
    ]);
  });
});
