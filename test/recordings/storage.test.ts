import { readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { createBucketStorage } from "../../src/recordings/bucketStorage.ts";
import { createFileStorage } from "../../src/recordings/fileStorage.ts";
import type { RecordingStorage } from "../../src/recordings/recordingStorage.ts";
import { soundOfCall } from "../support/sandboxSound.ts";
import { tempFile } from "../store/tempStore.ts";
import { openBucket } from "./bucket.ts";
import { sha256 } from "./world.ts";

const storages: [string, () => Promise<RecordingStorage>][] = [
  ["a folder", async () => createFileStorage(dirname(tempFile()))],
  ["A bucket of recordings", async () => createBucketStorage((await openBucket()).config)],
];

/** A file on its way, and what it holds. */
function incoming(bytes = soundOfCall("s")) {
  const file = tempFile("incoming");
  writeFileSync(file, bytes, { mode: 0o600 });
  return { file, bytes, content: { sha256: sha256(bytes), contentType: "audio/wav", bytes: bytes.length } };
}

async function readAll(storage: RecordingStorage, name: string, first: number, last: number): Promise<Buffer | null> {
  const stream = await storage.read(name, { first, last });
  return stream && buffer(stream);
}

describe.each(storages)("The storage of contents: %s", (_, open) => {
  const opened = async () => {
    const storage = await open();
    onTestFinished(() => storage[Symbol.asyncDispose]());
    return storage;
  };

  it("returns a content byte for byte, whole and in part", async () => {
    const storage = await opened();
    const { file, bytes, content } = incoming();
    expect(await storage.read(content.sha256, { first: 0, last: 0 })).toBeNull();
    await storage.save(file, content);
    expect((await readAll(storage, content.sha256, 0, bytes.length - 1))?.equals(bytes)).toBe(true);
    expect(await readAll(storage, content.sha256, 4, 9)).toEqual(bytes.subarray(4, 10));
    expect(statSync(file).size).toBe(bytes.length);
  });

  it("keeps a content once that is stored many times at once", async () => {
    const storage = await opened();
    const { file, bytes, content } = incoming();
    await Promise.all(Array.from({ length: 5 }, () => storage.save(file, content)));
    await storage.save(file, content);
    expect((await readAll(storage, content.sha256, 0, bytes.length - 1))?.equals(bytes)).toBe(true);
  });

  it("removes a content, unless it was stored again in the meantime", async () => {
    const storage = await opened();
    const { file, content } = incoming();
    await storage.save(file, content);
    await storage.remove(content.sha256, Date.now() - 60_000);
    expect(await readAll(storage, content.sha256, 0, 0)).toHaveLength(1);
    await storage.remove(content.sha256, Date.now() + 60_000);
    expect(await storage.read(content.sha256, { first: 0, last: 0 })).toBeNull();
    await storage.remove(content.sha256, Date.now() + 60_000);
  });

  it("closes the file of a reader that leaves in the middle", async () => {
    const storage = await opened();
    const { file, bytes, content } = incoming(
      Buffer.concat(Array.from({ length: 100 }, (_each, at) => soundOfCall(`s${at}`))),
    );
    await storage.save(file, content);
    for (let time = 0; time < 20; time += 1) {
      const stream = await storage.read(content.sha256, { first: 0, last: bytes.length - 1 });
      stream?.on("error", () => undefined).destroy();
    }
    // Vitest compares byte by byte, which takes seconds for megabytes.
    expect((await readAll(storage, content.sha256, 0, bytes.length - 1))?.equals(bytes)).toBe(true);
  });
});

describe("A folder of recordings", () => {
  it("is readable by its owner only, and holds only whole contents", async () => {
    const directory = join(dirname(tempFile()), "recordings");
    const storage = createFileStorage(directory);
    const { file, content } = incoming();
    await storage.save(file, content);
    const path = join(directory, content.sha256.slice(0, 2), content.sha256);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    const unreadable = { ...content, sha256: "f".repeat(64) };
    await expect(storage.save(join(directory, "missing"), unreadable)).rejects.toThrow("ENOENT");
    expect(readdirSync(join(directory, "ff"))).toEqual([]);
  });
});

describe("A bucket of recordings", () => {
  it("gives an error with only the status if it refuses or fails", async () => {
    const bucket = await openBucket();
    const { file, content } = incoming();
    await using wrong = createBucketStorage({ ...bucket.config, secretAccessKey: "canary-secret" });
    await expect(wrong.save(file, content)).rejects.toThrow(/^the bucket answered 403$/);
    await expect(wrong.read(content.sha256, { first: 0, last: 1 })).rejects.toThrow(/^the bucket answered 403$/);
    await using storage = createBucketStorage(bucket.config);
    bucket.failing.status = 503;
    await expect(storage.save(file, content)).rejects.toThrow(/^the bucket answered 503$/);
    expect(bucket.objects.size).toBe(0);
  });

  it("takes temporary keys with their token, and the next ones while it is open", async () => {
    const bucket = await openBucket();
    bucket.keys.sessionToken = "canary-session/+=";
    const { file, content } = incoming();
    await using without = createBucketStorage(bucket.config);
    await expect(without.save(file, content)).rejects.toThrow(/^the bucket answered 403$/);
    await using storage = createBucketStorage(bucket.config, () => ({ ...bucket.keys }));
    await storage.save(file, content);
    bucket.keys.sessionToken = "another";
    await (await storage.read(content.sha256, { first: 0, last: 1 }))?.toArray();
    expect(bucket.objects.size).toBe(1);
  });

  // https://github.com/cloudquery/cloudquery/issues/13260
  it("may be named in the host of its address, which then has no path", async () => {
    const bucket = await openBucket();
    const { origin } = new URL(bucket.config.url);
    await using storage = createBucketStorage({ ...bucket.config, url: origin });
    const { file, content } = incoming();
    await storage.save(file, content);
    expect([...bucket.objects.keys()]).toEqual([`/${content.sha256.slice(0, 2)}/${content.sha256}`]);
  });

  it("may have any characters in its prefix", async () => {
    const bucket = await openBucket();
    for (const prefix of ["a+b", "a%2Bb", "a b", "ü", "a%25b", "(a)", "a//b"]) {
      await using storage = createBucketStorage({ ...bucket.config, url: `${bucket.config.url}/${prefix}` });
      const { file, content } = incoming();
      await storage.save(file, content);
    }
    expect(bucket.objects.size).toBe(6);
  });

  it("has its objects under the prefix, with their type", async () => {
    const bucket = await openBucket();
    await using storage = createBucketStorage(bucket.config);
    const { file, content } = incoming();
    await storage.save(file, content);
    const path = `/bucket/prefix/${content.sha256.slice(0, 2)}/${content.sha256}`;
    expect([...bucket.objects].map(([name, { type }]) => [name, type])).toEqual([[path, "audio/wav"]]);
  });
});
