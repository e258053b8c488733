import { truncateSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { connectSandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { soundOfCall } from "../support/sandboxSound.ts";
import { allowing, mortalSandbox, settled, sandboxDigest, findEvent, type Recording } from "./world.ts";

const SCOPES = ["calls:read", "recordings:read"] as const;
let sandbox: Sandbox;
let directory: Directory;
let gateway: TestGateway;
let sessionId: string;
let recording: Recording;

const as = (name: string) => ({ authorization: bearer(name) });
const recordingFor = (name: string) =>
  until(async () => {
    const found = (await findEvent(gateway, sessionId, as(name)))?.recording;
    return found?.status === "ARCHIVED" && found;
  });

beforeAll(async () => {
  sandbox = await mortalSandbox();
  directory = await temporaryDirectory();
  const file = await writeKeys(directory.path, { web: SCOPES, leaving: SCOPES, deaf: ["calls:read"], ops: ["admin"] });
  gateway = await startGateway(sandbox, { ...allowing(sandbox), API_KEYS_FILE: file });
  connectSandbox(sandbox, gateway);
  ({ sessionId } = sandbox.control.endCall());
  recording = await recordingFor("web");
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
});

const play = (headers: Record<string, string> = {}, method = "GET", url = recording.url) =>
  fetch(new URL(url ?? "", gateway.url), { method, headers });

describe("The address of an archived recording", () => {
  it("serves the whole file with its type", async () => {
    const response = await play();
    const bytes = soundOfCall(sessionId);
    expect([response.status, Buffer.from(await response.arrayBuffer())]).toEqual([200, bytes]);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "audio/wav",
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": expect.stringMatching(/^attachment; filename="recording-[0-9a-f]{12}\.wav"$/),
      "cache-control": "private, no-cache",
      "referrer-policy": "no-referrer",
    });
    expect(recording).toMatchObject({ bytes: bytes.length, contentType: "audio/wav" });
  });

  it.each([
    ["bytes=0-0", 0, 0],
    ["bytes=100-199", 100, 199],
    ["bytes=100-", 100, null],
    ["bytes=-100", -100, null],
    ["Bytes=7-", 7, null],
    ["bytes=0-999999999", 0, null],
  ])("serves the range %s", async (range, first, last) => {
    const bytes = soundOfCall(sessionId);
    const from = first < 0 ? bytes.length + first : first;
    const to = last ?? bytes.length - 1;
    const response = await play({ range });
    expect([response.status, response.headers.get("content-range")]).toEqual([
      206,
      `bytes ${from}-${to}/${bytes.length}`,
    ]);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(from, to + 1));
  });

  it("serves the whole file for an unknown range, and 416 beyond the end", async () => {
    for (const range of ["bytes=5-4", "bytes=0-1,3-4", "lines=1-2", "bytes=-"]) {
      expect((await play({ range })).status).toBe(200);
    }
    const beyond = await play({ range: "bytes=999999999-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([
      416,
      `bytes */${soundOfCall(sessionId).length}`,
    ]);
    expect((await play({ range: "bytes=-0" })).status).toBe(416);
  });

  it("serves headers alone to HEAD, and 304 to a client that has the file", async () => {
    const head = await play({}, "HEAD");
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(soundOfCall(sessionId).length),
      "",
    ]);
    const etag = head.headers.get("etag") ?? "";
    expect((await play({ "if-none-match": etag })).status).toBe(304);
    expect((await play({ "if-range": etag, range: "bytes=0-1" })).status).toBe(206);
    expect((await play({ "if-range": '"other"', range: "bytes=0-1" })).status).toBe(200);
    expect((await play({}, "POST")).status).toBe(405);
    const ranged = await play({ range: "bytes=999999999-" }, "HEAD");
    expect([ranged.status, ranged.headers.get("content-length")]).toEqual([200, String(soundOfCall(sessionId).length)]);
  });
});

describe("A recording whose stored file was shortened", () => {
  it("ends its response at once", async () => {
    const own = await temporaryDirectory();
    onTestFinished(() => own[Symbol.asyncDispose]());
    const other = await startGateway(sandbox, { ...allowing(sandbox), RECORDINGS_DIR: own.path });
    onTestFinished(() => other[Symbol.asyncDispose]());
    connectSandbox(sandbox, other);
    onTestFinished(() => connectSandbox(sandbox, gateway));
    const call = sandbox.control.endCall();
    const { url } = await settled(other, call.sessionId, "ARCHIVED");
    const content = sandboxDigest(call.sessionId);
    truncateSync(join(own.path, content.slice(0, 2), content), 100);
    const response = await fetch(new URL(url ?? "", other.url), { signal: AbortSignal.timeout(60_000) });
    await expect(response.bytes()).rejects.toThrow("terminated");
    await other.line(({ msg }) => msg === "a recording in the storage is shorter than its archived length");
  });
});

describe("A58: the address of a recording", () => {
  it("gives 403 if it is changed, cut, guessed or another's", async () => {
    const url = recording.url ?? "";
    const other = Buffer.from("another session").toString("base64url");
    const changed = [
      url.replace(/.$/, (last) => (last === "A" ? "B" : "A")),
      url.replace(/recordings\/[^?]+/, `recordings/${other}`),
      url.split("?")[0] ?? "",
      `${url}x`,
      "/recordings/x",
    ];
    for (const each of changed) expect((await play({}, "GET", each)).status).toBe(403);
    expect((await play({ authorization: bearer("web") }, "GET", url.split("?")[0])).status).toBe(403);
  });

  it("has an expiry that is soon", () => {
    const left = Date.parse(recording.urlExpiresAt ?? "") - Date.now();
    expect(left).toBeGreaterThan(10 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000);
  });

  it("is shown only with the scope recordings:read", async () => {
    const { errors } = await gateway.ask(
      `{ callEnded(sessionId: "${sessionId}") { recording { url } } }`,
      {},
      as("deaf"),
    );
    expect(errors?.[0]).toMatchObject({ extensions: { code: "FORBIDDEN" } });
    const { data } = await gateway.ask(
      `{ callEnded(sessionId: "${sessionId}") { recording { status } } }`,
      {},
      as("deaf"),
    );
    expect(data).toEqual({ callEnded: { recording: { status: "ARCHIVED" } } });
  });

  it("expires with the key of its viewer", async () => {
    const { url } = await recordingFor("leaving");
    expect((await play({}, "HEAD", url)).status).toBe(200);
    await writeKeys(directory.path, { web: SCOPES, leaving: ["calls:read"], ops: ["admin"] });
    await until(async () => (await play({}, "HEAD", url)).status === 403);
    expect((await play({}, "HEAD")).status).toBe(200);
  });

  it("has one entry in the audit log for all requests of a viewer within an hour", async () => {
    for (const range of ["bytes=0-9", "bytes=10-19"]) expect((await play({ range })).status).toBe(206);
    const { data } = await gateway.ask<{ auditEvents: { nodes: { at: string; actor: string }[] } }>(
      "{ auditEvents(first: 100) { nodes { at actor action subjectId count } } }",
      {},
      as("ops"),
    );
    const hours = new Set(data?.auditEvents.nodes.map(({ at }) => at.slice(0, 13)));
    expect(data?.auditEvents.nodes.filter((entry) => entry.actor === "web")).toMatchObject(
      [...hours].map(() => ({ actor: "web", action: "RECORDING_PLAYED", subjectId: recording.id, count: 1 })),
    );
  });

  it("is logged with the viewer and the recording, without itself or a number", async () => {
    await play({ range: "bytes=0-9" });
    const line = await gateway.line(({ msg, viewer }) => msg === "a recording was served" && viewer === "web");
    expect(line).toMatchObject({ recording: Buffer.from(sessionId).toString("base64url") });
    const lines = gateway.output.join("\n");
    expect(lines).not.toContain(new URLSearchParams(recording.url?.split("?")[1]).get("grant"));
    const { data } = await gateway.ask<{ callEnded: { recordUrl: string } }>(
      `{ callEnded(sessionId: "${sessionId}") { recordUrl } }`,
      {},
      as("web"),
    );
    expect(lines).not.toContain(new URL(data?.callEnded.recordUrl ?? "").searchParams.get("signature"));
  });
});
