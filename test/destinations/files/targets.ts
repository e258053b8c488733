// The places that get files, and what is in them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { createBucketTarget } from "../../../src/destinations/files/bucketTarget.ts";
import type { FilesDestination, FileTarget } from "../../../src/destinations/files/fileTarget.ts";
import { createFolderTarget } from "../../../src/destinations/files/folderTarget.ts";
import { createHostRules } from "../../../src/upstream/outside/hostRules.ts";
import { openBucket, type Bucket } from "../../recordings/bucket.ts";
import { tempFile } from "../../store/tempStore.ts";

export interface Place {
  /** Opens it, as another process would. */
  open(): FileTarget;
  /** Those that a receiver looks at, by name. */
  files(): Map<string, Buffer>;
  /** Puts something there by another way. */
  add(name: string, bytes: Uint8Array): void;
}

export function folderPlace(): Place & { folder: string } {
  const folder = join(dirname(tempFile("x")), "calls");
  return {
    folder,
    open: () => createFolderTarget(folder),
    files() {
      const names = readdirSync(folder).filter((name) => !name.startsWith("."));
      return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name))]));
    },
    add(name, bytes) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), bytes);
    },
  };
}

export const usualFiles = {
  name: "files",
  scopes: ["calls:read" as const],
  filter: {},
  revisions: false,
  imported: false,
  order: "free" as const,
  maxInFlight: 4,
  enabled: true,
  from: "oldest" as const,
};

export const bucketDestination = ({ config }: Bucket): Extract<FilesDestination, { kind: "bucket" }> => ({
  ...usualFiles,
  kind: "bucket",
  ...config,
});

export const folderDestination = (folder: string): Extract<FilesDestination, { kind: "folder" }> => ({
  ...usualFiles,
  kind: "folder",
  url: pathToFileURL(folder).href,
});

export async function bucketPlace(): Promise<Place & { bucket: Bucket }> {
  const bucket = await openBucket();
  const { host, hostname, port, pathname } = new URL(bucket.config.url);
  const rules = createHostRules([{ host: hostname, port: Number(port) }], [], "DESTINATION_HOSTS");
  const base = `${pathname}/`;
  return {
    bucket,
    open() {
      const target = createBucketTarget(bucketDestination(bucket), { rules });
      onTestFinished(() => target[Symbol.asyncDispose]());
      return target;
    },
    files() {
      const all = [...bucket.objects].map(([path, { body }]) => [path.replace(base, ""), body] as const);
      const shown = all.filter(([name]) => !basename(name).startsWith("."));
      return new Map(shown.sort(([one], [other]) => (one < other ? -1 : 1)));
    },
    add: (name, body) =>
      void bucket.objects.set(base + name, { body: Buffer.from(body), type: `of ${host}`, at: Date.now() }),
  };
}

export const linesOf = (file: Buffer | undefined): { id: string }[] =>
  gunzipSync(file ?? Buffer.alloc(0))
    .toString()
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text) as { id: string });

/** Those of all files, in the order of their names. */
export const allIds = ({ files }: Pick<Place, "files">): string[] =>
  [...files()].filter(([name]) => name.endsWith(".gz")).flatMap(([, bytes]) => linesOf(bytes).map(({ id }) => id));
