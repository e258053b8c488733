// Files of an hour: `2026-11-20T09-0001.ndjson.gz`, and beside it a manifest. Each is written once. What is there already is read before more
// is written, so that a repeat after a kill or a lost answer doubles no line.
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { TargetError, type FileTarget } from "./fileTarget.ts";

/** What is known of a line, which is JSON. */
interface LineContent {
  /** Names the event and its revision. */
  id: string;
  /** RFC 3339. */
  timestamp: string;
}

export interface Line {
  id: string;
  /** Its JSON, with at least what `LineContent` has. */
  text: string;
}

export interface HourParts {
  /**
   * Resolves when each line is in a part of the hour, and each part that it met has a manifest. A line of which the id is there already is not
   * written again, also where it looks different by now. `hour`: `2026-11-20T09`. Rejects as the target does.
   */
  write(hour: string, lines: readonly Line[], signal: AbortSignal): Promise<void>;
}

const MAX_PARTS = 9999;
const compress = promisify(gzip);
const decompress = promisify(gunzip);
/** No file of this module has so many bytes. */
const MAX_BYTES = 128 * 1024 * 1024;

export function createHourParts(target: Pick<FileTarget, "put" | "get">): HourParts {
  async function putManifest(
    name: string,
    bytes: Uint8Array,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const timestamps = texts.map((text) => (JSON.parse(text) as LineContent).timestamp).sort();
    const manifest = {
      file: `${name}.ndjson.gz`,
      events: texts.length,
      bytes: bytes.length,
      sha256: createHash("sha256").update(bytes).digest("hex"),
      first: timestamps[0],
      last: timestamps.at(-1),
    };
    const own = Buffer.from(`${JSON.stringify(manifest)}\n`);
    if (await target.put(`${name}.manifest.json`, own, signal)) return;
    const there = await target.get(`${name}.manifest.json`, signal);
    // A receiver has taken the part and left its manifest, and a later call got the same number.
    if (there?.includes(manifest.sha256) === false)
      throw new TargetError(`${name}.manifest.json is of another file: remove it, or move it to where that file is.`);
  }
  return {
    async write(hour, lines, signal) {
      let left = [...new Map(lines.map((line) => [line.id, line])).values()];
      for (let part = 1; left.length > 0; part += 1) {
        if (part > MAX_PARTS) throw new TargetError("The hour has too many parts.");
        const name = `${hour}-${String(part).padStart(4, "0")}`;
        const bytes = await compress(left.map(({ text }) => `${text}\n`).join(""));
        if (await target.put(`${name}.ndjson.gz`, bytes, signal)) {
          const texts = left.map(({ text }) => text);
          await putManifest(name, bytes, texts, signal);
          return;
        }
        const there = await target.get(`${name}.ndjson.gz`, signal);
        // Somebody has removed it meanwhile.
        if (there === null) throw new TargetError("A file that was there is gone.");
        const texts = await textsIn(there);
        // Its manifest is missing where its writer was killed between the two.
        if (texts !== null && texts.length > 0) await putManifest(name, there, texts, signal);
        const known = new Set(texts?.map((text) => (JSON.parse(text) as LineContent).id));
        left = left.filter(({ id }) => !known.has(id));
      }
    },
  };
}

/** Null: it is none of our files. */
async function textsIn(bytes: Buffer): Promise<string[] | null> {
  try {
    const content = (await decompress(bytes, { maxOutputLength: MAX_BYTES })).toString("utf8");
    const texts = content.split("\n").filter((text) => text !== "");
    return texts.every(isOurs) ? texts : null;
  } catch {
    return null;
  }
}

function isOurs(text: string): boolean {
  const { id, timestamp } = (JSON.parse(text) ?? {}) as Partial<LineContent>;
  return typeof id === "string" && typeof timestamp === "string";
}
