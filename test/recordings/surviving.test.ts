import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import { spawnGateway, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { startPostgres } from "../support/postgres/postgresServer.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { openBucket } from "./bucket.ts";
import { host, type Host } from "./hosts.ts";
import { allowing, fetchDigest, mortalSandbox, settled, sandboxDigest, findEvent } from "./world.ts";

async function mortal() {
  const sandbox = await mortalSandbox();
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  return sandbox;
}

/** The service's own file, handed on by a host that stops in the middle for as long as it is told to. */
async function stopping(
  sandbox: Sandbox,
): Promise<{ files: Host; resume: () => void; isInMiddle: () => Promise<void> }> {
  let isHeld = true;
  let inMiddle = 0;
  const waiting: (() => void)[] = [];
  const files = await host((request, response) => {
    void fetch(new URL(request.url ?? "", sandbox.url)).then(async (answer) => {
      const bytes = await answer.bytes();
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      if (!isHeld) return void response.end(bytes);
      response.write(bytes.subarray(0, bytes.length / 2), () => (inMiddle += 1));
      return void waiting.push(() => response.end(bytes.subarray(bytes.length / 2)));
    });
  });
  return {
    files,
    resume() {
      isHeld = false;
      for (const go of waiting) go();
    },
    isInMiddle: async () => void (await until(() => inMiddle > 0)),
  };
}

/** Tells the gateway of an ended call whose recording that host has. */
async function deliver(gateway: TestGateway, sandbox: Sandbox, files: Host): Promise<string> {
  const { sessionId } = sandbox.control.endCall({ webhook: false });
  const answer = await fetch(`${sandbox.url}/openapi/calllog?pageIndex=1&pageSize=10`, {
    headers: { authorization: "Bearer canary-upstream-token-5f1c" },
  });
  const link = /\/recordings\/[^"]+/.exec((await answer.text()).replaceAll("\\u0026", "&"))?.[0] ?? "";
  const event = callEndedEvent({ session_id: sessionId, record_url: files.url + link });
  // PostgreSQL ends the transaction of a gateway that its machine did not run for two seconds: the sender comes again after a 503.
  await until(async () => (await gateway.deliver(event)).status === 200);
  return sessionId;
}

describe("A recording survives, byte for byte,", () => {
  it.each(["SQLite", "PostgreSQL"])(
    "a kill in the middle of its download, on %s",
    { timeout: 300_000 },
    async (kind) => {
      const sandbox = await mortal();
      const { files, resume, isInMiddle } = await stopping(sandbox);
      await using directory = await temporaryDirectory();
      await using database = kind === "SQLite" ? { url: directory.database, ...noop } : await takeMigratedDatabase();
      const env = { ...allowing(files), DATABASE_URL: database.url, RECORDINGS_DIR: join(directory.path, "kept") };
      await using killed = await spawnGateway(sandbox, env);
      const sessionId = await deliver(killed, sandbox, files);
      await isInMiddle();
      killed.process.kill("SIGKILL");
      await killed.exited;
      await using next = await startGateway(sandbox, env);
      expect((await findEvent(next, sessionId))?.recording?.status).toBe("PENDING");
      resume();
      const recording = await settled(next, sessionId, "ARCHIVED");
      sandbox.linksDie();
      expect(await fetchDigest(next, recording)).toBe(sandboxDigest(sessionId));
    },
  );

  it("an outage of the database during which its link expires", { timeout: 300_000 }, async () => {
    await using server = await startPostgres({ fsync: false });
    const sandbox = await mortal();
    const { files, resume, isInMiddle } = await stopping(sandbox);
    await using gateway = await startGateway(sandbox, { ...allowing(files), DATABASE_URL: server.url });
    const sessionId = await deliver(gateway, sandbox, files);
    await isInMiddle();
    await server.kill();
    resume();
    await gateway.line(({ msg }) => msg === "a fetched recording cannot be saved; it is tried again");
    sandbox.linksDie();
    await server.start();
    expect(await fetchDigest(gateway, await settled(gateway, sessionId, "ARCHIVED"))).toBe(sandboxDigest(sessionId));
  });

  it("an outage of the bucket with a kill, after its link has expired", { timeout: 300_000 }, async () => {
    const bucket = await openBucket();
    const sandbox = await mortal();
    const { files, resume } = await stopping(sandbox);
    resume();
    await using directory = await temporaryDirectory();
    const env = {
      ...allowing(files),
      DATABASE_URL: directory.database,
      RECORDINGS_DIR: join(directory.path, "kept"),
      RECORDINGS_S3_URL: bucket.config.url,
      RECORDINGS_S3_REGION: bucket.config.region,
      RECORDINGS_S3_ACCESS_KEY_ID: bucket.config.accessKeyId,
      RECORDINGS_S3_SECRET_ACCESS_KEY: bucket.config.secretAccessKey,
    };
    bucket.failing.status = 503;
    await using killed = await spawnGateway(sandbox, env);
    const sessionId = await deliver(killed, sandbox, files);
    await killed.line(({ msg }) => msg === "a fetched recording cannot be saved; it is tried again");
    killed.process.kill("SIGKILL");
    await killed.exited;
    sandbox.linksDie();
    bucket.failing.status = null;
    await using next = await startGateway(sandbox, env);
    const recording = await settled(next, sessionId, "ARCHIVED");
    expect(await fetchDigest(next, recording)).toBe(sandboxDigest(sessionId));
    expect(bucket.objects.size).toBe(1);
    expect(await readdir(join(directory.path, "kept", "incoming"))).toEqual([]);
    expect(killed.output.join("")).not.toContain(bucket.config.secretAccessKey);
  });

  it("a folder that is not writable for a while", { timeout: 300_000 }, async () => {
    const sandbox = await mortal();
    const { files, resume } = await stopping(sandbox);
    await using directory = await temporaryDirectory();
    await using gateway = await startGateway(sandbox, { ...allowing(files), RECORDINGS_DIR: directory.path });
    const sessionId = await deliver(gateway, sandbox, files);
    const incoming = join(directory.path, "incoming");
    await until(async () => (await readdir(incoming)).length > 0);
    // The superuser ignores these permissions; the test is then an ordinary download.
    await chmod(directory.path, 0o500);
    resume();
    await until(async () => (await readdir(incoming)).every((name) => !name.endsWith(".part")));
    sandbox.linksDie();
    await chmod(directory.path, 0o700);
    expect(await fetchDigest(gateway, await settled(gateway, sessionId, "ARCHIVED"))).toBe(sandboxDigest(sessionId));
  });
});

const noop = { [Symbol.asyncDispose]: async () => undefined };

describe("A recording on several gateways", () => {
  it("is downloaded once, plays on each, and reaches the subscribers of all", { timeout: 300_000 }, async () => {
    const sandbox = await mortal();
    const { files, resume } = await stopping(sandbox);
    resume();
    await using database = await takeMigratedDatabase();
    await using directory = await temporaryDirectory();
    const env = { ...allowing(files), DATABASE_URL: database.url, RECORDINGS_DIR: directory.path };
    await using one = await startGateway(sandbox, env);
    await using other = await startGateway(sandbox, env);
    const streams = await Promise.all([one, other].map(({ url }) => openSettled(url)));
    const ended: string[] = [];
    for (let at = 0; at < 20; at += 1) ended.push(await deliver(at % 2 ? one : other, sandbox, files));
    for (const sessionId of ended) {
      const recording = await settled(one, sessionId, "ARCHIVED");
      expect(await fetchDigest(other, recording)).toBe(sandboxDigest(sessionId));
    }
    expect(files.seen).toHaveLength(20);
    for (const stream of streams) {
      const ids = new Set<unknown>();
      while (ids.size < 20) ids.add((await stream.next()).data?.recordingSettled.id);
    }
  });
});

async function openSettled(url: string) {
  const stream = await openSse<{ recordingSettled: { id: string } }>(url, {
    query: "subscription { recordingSettled { id } }",
  });
  onTestFinished(() => stream[Symbol.asyncDispose]());
  return stream;
}
