// The current keys of API_KEYS_FILE. The file is checked each second, so that a removed key stops working at once.
import { timingSafeEqual } from "node:crypto";
import { stat } from "node:fs/promises";
import { DIGEST_BYTES, writeDigest } from "../util/digest.ts";
import type { Log } from "../log.ts";
import { readApiKeys, type ApiKey } from "./apiKeys.ts";
import type { Grant } from "./grant.ts";
import type { Viewer } from "./scopes.ts";

export interface KeyRing extends AsyncDisposable {
  /** Compares with all keys in constant time. */
  find(key: string): Grant | null;
  /** The viewer whose key has this name now. */
  byName(name: string): Viewer | null;
  /** The key that has this name now: the hexadecimal digest of the key, and its grant. */
  entryOf(name: string): { sha256: string; grant: Grant } | null;
  /** Whether a key has this name. */
  has(name: string): boolean;
}

export interface KeyRingOptions {
  file: string;
  log: Log;
  /** How often the identity, size and times of the file are compared. Mounted secrets change by replacing a link. */
  pollIntervalMs?: number;
}

const POLL_INTERVAL_MS = 1000;

/** By the hexadecimal digest of the key, in lower case. */
type Viewers = ReadonlyMap<string, Viewer>;

/** A key and its grant. All requests with the key get the same grant while the key is in the file. */
interface Entry {
  digest: Buffer;
  grant: Grant;
}

/** Throws like readApiKeys. If a later version of the file is not usable, that is logged, and the last keys stay valid. */
export async function openKeyRing({ file, log, pollIntervalMs = POLL_INTERVAL_MS }: KeyRingOptions): Promise<KeyRing> {
  let version = await versionOf(file);
  let viewers = viewersOf(await readApiKeys(file));
  let entries = entriesOf(viewers);
  const listeners = new Set<() => void>();
  let polling: Promise<void> = Promise.resolve();

  async function poll(): Promise<void> {
    const current = await versionOf(file);
    if (current === version) return;
    version = current;
    try {
      viewers = viewersOf(await readApiKeys(file));
      entries = entriesOf(viewers);
      log.info({ keys: viewers.size }, "API_KEYS_FILE was read again");
    } catch (err) {
      log.error({ err }, "API_KEYS_FILE cannot be used; its previous keys stay valid");
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
    polling = polling.then(poll);
  }, pollIntervalMs);

  /** Reused for the digest of each presented key. */
  const digest = Buffer.alloc(DIGEST_BYTES);

  return {
    find(key) {
      writeDigest(digest, key);
      let found: Grant | null = null;
      for (const entry of entries) if (timingSafeEqual(entry.digest, digest)) found = entry.grant;
      return found;
    },
    byName,
    entryOf(name) {
      const entry = entries.find(({ grant }) => grant.viewer()?.name === name);
      return entry ? { sha256: entry.digest.toString("hex"), grant: entry.grant } : null;
    },
    has: (name) => byName(name) !== null,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await polling;
    },
  };
}

function viewersOf(keys: readonly ApiKey[]): Viewers {
  return new Map(
    keys.map(({ sha256, name, scopes }) => [sha256.toLowerCase(), { name, scopes: new Set(scopes) } satisfies Viewer]),
  );
}

/** Changes when the file is replaced or written. */
async function versionOf(file: string): Promise<string> {
  const stats = await stat(file, { bigint: true }).catch(() => null);
  return stats ? [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() : "missing";
}
