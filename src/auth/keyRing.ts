// The current keys of API_KEYS_FILE. The file is checked each second, so that a removed key stops working at once.
import { timingSafeEqual } from "node:crypto";
import { DIGEST_BYTES, writeDigest } from "../util/digest.ts";
import { readApiKeys, type ApiKey } from "./apiKeys.ts";
import type { Grant } from "./grant.ts";
import type { Viewer } from "./scopes.ts";
import type { CombinePolicies } from "./viewerPolicy.ts";
import { watchFile, type WatchedFileOptions } from "./watchedFile.ts";

export interface KeyRing extends AsyncDisposable {
  /** Compares with all keys in constant time. */
  find(key: string): Grant | null;
  /** The viewer whose key has this name now. */
  byName(name: string): Viewer | null;
  /** The viewers of all keys now. */
  all(): readonly Viewer[];
  /** Calls the listener after each change of the file. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** The key that has this name now: the hexadecimal digest of the key, and its grant. */
  entryOf(name: string): { sha256: string; grant: Grant } | null;
  /** Whether a key has this name. */
  has(name: string): boolean;
}

export interface KeyRingOptions extends Pick<WatchedFileOptions<unknown>, "file" | "log" | "pollIntervalMs"> {
  combine: CombinePolicies;
}

/** By the hexadecimal digest of the key, in lower case. */
type Viewers = ReadonlyMap<string, Viewer>;

/** A key and its grant. All requests with the key get the same grant while the key is in the file. */
interface Entry {
  digest: Buffer;
  grant: Grant;
}

/** Rejects like readApiKeys. If a later version of the file is not usable, that is logged, and the last keys stay valid. */
export async function openKeyRing({ combine, ...options }: KeyRingOptions): Promise<KeyRing> {
  const watched = await watchFile({
    ...options,
    variable: "API_KEYS_FILE",
    read: async (file) => viewersOf(await readApiKeys(file), combine),
  });
  const viewers = () => watched.current();
  let entries = entriesOf(viewers());
  // Before the listeners of grants, which may look a key up.
  watched.onChange(() => (entries = entriesOf(viewers())));

  function entriesOf(known: Viewers): readonly Entry[] {
    return [...known.keys()].map((sha256) => ({
      digest: Buffer.from(sha256, "hex"),
      grant: {
        viewer: () => viewers().get(sha256) ?? null,
        onChange: (listener) => watched.onChange(listener),
      },
    }));
  }
  const byName = (name: string) => [...viewers().values()].find((viewer) => viewer.name === name) ?? null;

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
    all: () => [...viewers().values()],
    onChange: watched.onChange,
    entryOf(name) {
      const entry = entries.find(({ grant }) => grant.viewer()?.name === name);
      return entry ? { sha256: entry.digest.toString("hex"), grant: entry.grant } : null;
    },
    has: (name) => byName(name) !== null,
    [Symbol.asyncDispose]: () => watched[Symbol.asyncDispose](),
  };
}

function viewersOf(keys: readonly ApiKey[], combine: CombinePolicies): Viewers {
  return new Map(
    keys.map(({ sha256, name, scopes, ...policy }) => [
      sha256.toLowerCase(),
      { name, scopes: new Set(scopes), ...combine([policy]) } satisfies Viewer,
    ]),
  );
}
