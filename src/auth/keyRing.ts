// The keys of API_KEYS_FILE as they are now: the file is looked at each second, and a key that is gone lets nobody in.
import { timingSafeEqual } from "node:crypto";
import { stat } from "node:fs/promises";
import { DIGEST_BYTES, writeDigest } from "../util/digest.ts";
import type { Log } from "../log.ts";
import { readApiKeys, type ApiKey } from "./apiKeys.ts";
import type { Grant } from "./grant.ts";
import type { Viewer } from "./scopes.ts";

export interface KeyRing extends AsyncDisposable {
  /** All are compared in constant time, whichever fits. */
  find(key: string): Grant | null;
  /** Whose key has this name, as of now. */
  byName(name: string): Viewer | null;
  /** Whether a key has this name. */
  has(name: string): boolean;
}

export interface KeyRingOptions {
  file: string;
  log: Log;
  /** How often the file is looked at: by its place, size and time, for a mounted secret is changed by moving a link. */
  pollIntervalMs?: number;
}

const LOOK_MS = 1000;

/** By digest, in lower case. */
type Viewers = ReadonlyMap<string, Viewer>;

/** A key, and what it gives for as long as it stands in the file: whoever comes with it gets the same. */
interface Entry {
  digest: Buffer;
  grant: Grant;
}

/** Throws as readApiKeys does. A file that cannot be used later changes nothing: it is logged, and its last keys hold. */
export async function openKeyRing({ file, log, pollIntervalMs: lookMs = LOOK_MS }: KeyRingOptions): Promise<KeyRing> {
  let seen = await marksOf(file);
  let viewers = viewersOf(await readApiKeys(file));
  let entries = entriesOf(viewers);
  const listeners = new Set<() => void>();
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    const marks = await marksOf(file);
    if (marks === seen) return;
    seen = marks;
    try {
      viewers = viewersOf(await readApiKeys(file));
      entries = entriesOf(viewers);
      log.info({ keys: viewers.size }, "the file of keys was read again");
    } catch (err) {
      log.error({ err }, "the file of keys cannot be used: the keys it held before go on");
    }
    for (const listener of listeners) listener();
  }
  function entriesOf(known: Viewers): readonly Entry[] {
    return [...known.keys()].map((sha256) => ({
      digest: Buffer.from(sha256, "hex"),
      grant: {
        viewer: () => viewers.get(sha256) ?? null,
        onChange(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
    }));
  }
  const byName = (name: string) => [...viewers.values()].find((viewer) => viewer.name === name) ?? null;
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, lookMs);

  /** The digest that is looked for. */
  const given = Buffer.alloc(DIGEST_BYTES);

  return {
    find(key) {
      writeDigest(given, key);
      let found: Grant | null = null;
      for (const entry of entries) if (timingSafeEqual(entry.digest, given)) found = entry.grant;
      return found;
    },
    byName,
    has: (name) => byName(name) !== null,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await looking;
    },
  };
}

function viewersOf(keys: readonly ApiKey[]): Viewers {
  return new Map(
    keys.map(({ sha256, name, scopes }) => [sha256.toLowerCase(), { name, scopes: new Set(scopes) } satisfies Viewer]),
  );
}

async function marksOf(file: string): Promise<string> {
  const marks = await stat(file, { bigint: true }).catch(() => null);
  return marks ? [marks.dev, marks.ino, marks.size, marks.mtimeNs, marks.ctimeNs].join() : "missing";
}
