// Remembers assistants as tasks showed them, by ID and version, because the service has no endpoint for them. They are known
// here at once and on other gateways a moment later.
import { createHash } from "node:crypto";
import { epochMsOf, instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { AssistantVersion, StoredAssistant, AssistantStore } from "../store/tasks/assistantStore.ts";
import type { AssistantRecord } from "../upstream/upstream.ts";
import { createWriteBehind, saveAcceptable, WRITE_DELAY_MS } from "./writeBehind.ts";

export interface AssistantRegistry extends AsyncDisposable {
  /** Records an assistant of a task. `read` is called when it is queried or written: most are seen many times before. */
  observe(version: AssistantVersion, read: ReadAssistant): void;
  /**
   * The versions that were seen, as they were seen last, by `nameOf`. A stored row that cannot be parsed is an Error.
   * Throws STORE_UNAVAILABLE.
   */
  byVersions(versions: readonly AssistantVersion[]): Promise<ReadonlyMap<string, AssistantRecord | Error>>;
  /** See AssistantStore.list. Everything that was observed here is included. Throws STORE_UNAVAILABLE. */
  list: AssistantStore["list"];
  /** The version that was seen last; null if none was. Throws STORE_UNAVAILABLE. */
  latest(assistantId: string): Promise<AssistantRecord | null>;
  /** Drops what is in memory. To be called when a phone number was erased: a name or a text may hold it. */
  forget(): void;
}

export interface AssistantRegistryDeps {
  store: AssistantStore;
  clock: () => number;
  log: Logger;
  delayMs?: number;
}

/** May throw; then the assistant counts as not seen. */
export type ReadAssistant = () => AssistantRecord | null;

interface CachedAssistant {
  version: AssistantVersion;
  read: ReadAssistant;
  seenAt: string;
  /** The state in the store; null: not stored. */
  kept: { read: ReadAssistant; sha256: string; seenAt: string } | null;
}

/** Versions in memory; others are read from the store. */
const MAX_CACHED = 200;
/** An unchanged version is written again after this time, to store when it was last seen. */
const TOUCH_MS = 60_000;

export function nameOf({ assistantId, versionId }: AssistantVersion): string {
  return `${assistantId} ${versionId}`;
}

/** Disposing it writes what still waits. */
export function createAssistantRegistry({
  store,
  clock,
  log,
  delayMs = WRITE_DELAY_MS,
}: AssistantRegistryDeps): AssistantRegistry {
  /** In the order in which they were last seen. */
  const cache = new Map<string, CachedAssistant>();
  const writes = createWriteBehind({ write, delayMs, log });

  async function write(isLast: boolean): Promise<void> {
    const written: { read: ReadAssistant; entry: CachedAssistant; row: StoredAssistant; sha256: string }[] = [];
    for (const entry of cache.values()) {
      const { version, read, seenAt, kept } = entry;
      const isRecent = kept !== null && epochMsOf(seenAt) - epochMsOf(kept.seenAt) < (isLast ? 1 : TOUCH_MS);
      if (isRecent && kept.read === read) continue;
      const record = recordOfEntry(entry);
      if (record === null) continue;
      const data = JSON.stringify(record);
      const sha256 = createHash("sha256").update(data).digest("base64");
      if (isRecent && kept.sha256 === sha256) continue;
      written.push({ read, entry, row: { ...version, seenAt, data }, sha256 });
    }
    await saveAcceptable(
      written.map(({ row }) => row),
      store.save,
      log,
    );
    for (const { read, entry, row, sha256 } of written) entry.kept = { read, sha256, seenAt: row.seenAt };
  }

  return {
    observe({ assistantId, versionId }, read) {
      const version = { assistantId, versionId };
      const name = nameOf(version);
      const kept = cache.get(name)?.kept ?? null;
      cache.delete(name);
      cache.set(name, { version, read, seenAt: instantOf(clock()), kept });
      if (cache.size > MAX_CACHED) cache.delete(oldestOf(cache));
      writes.schedule();
    },
    async byVersions(versions) {
      const found = new Map<string, AssistantRecord | Error>();
      const others: AssistantVersion[] = [];
      for (const version of versions) {
        const known = cache.get(nameOf(version));
        const record = known ? recordOfEntry(known) : null;
        if (record) found.set(nameOf(version), record);
        else others.push(version);
      }
      for (const row of await store.byVersions(others)) found.set(nameOf(row), recordOf(row));
      return found;
    },
    async list(queryOwner, request) {
      await writes.flush();
      return store.list(queryOwner, request);
    },
    async latest(assistantId) {
      const here = [...cache.values()].findLast(
        (entry) => entry.version.assistantId === assistantId && recordOfEntry(entry) !== null,
      );
      const kept = await store.latest(assistantId);
      // Another gateway may have seen a newer version.
      if (here && (kept === null || here.seenAt >= kept.seenAt)) return recordOfEntry(here);
      const record = kept && recordOf(kept);
      if (record instanceof Error) throw record;
      return record;
    },
    forget: () => cache.clear(),
    [Symbol.asyncDispose]: () => writes[Symbol.asyncDispose](),
  };
}

/** The oldest stored entry, because it can be read again; else the oldest one. */
function oldestOf(cache: ReadonlyMap<string, CachedAssistant>): string {
  const [oldest = ""] = cache.keys();
  for (const [name, { kept }] of cache) if (kept) return name;
  return oldest;
}

function recordOfEntry({ read }: CachedAssistant): AssistantRecord | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function recordOf({ data }: StoredAssistant): AssistantRecord | Error {
  try {
    return JSON.parse(data) as AssistantRecord;
  } catch (error) {
    return error as Error;
  }
}
