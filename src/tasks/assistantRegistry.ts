// Assistants as tasks showed them, by id and version: the service has no endpoint for one. What was seen is known at once
// here, and a moment later on other gateways.
import { createHash } from "node:crypto";
import { instantOf } from "../format/instant.ts";
import type { Log } from "../log.ts";
import type { AssistantVersion, StoredAssistant, AssistantStore } from "../store/tasks/assistantStore.ts";
import type { AssistantRecord } from "../upstream/upstream.ts";
import { createWriteBehind } from "./writeBehind.ts";

export interface AssistantRegistry extends AsyncDisposable {
  /** Notes what a task showed, at once. It is read when it is asked for or written: most are shown many times before. */
  observe(version: AssistantVersion, read: ReadAssistant): void;
  /**
   * Those of the versions that were seen, each as it was seen last, by `nameOf`; what cannot be read any more is its error.
   * Throws STORE_UNAVAILABLE.
   */
  byVersions(versions: readonly AssistantVersion[]): Promise<ReadonlyMap<string, AssistantRecord | Error>>;
  /** The version that was seen last; null where none was. Throws STORE_UNAVAILABLE. */
  latest(assistantId: string): Promise<AssistantRecord | null>;
}

export interface AssistantRegistryDeps {
  store: AssistantStore;
  clock: () => number;
  log: Log;
  delayMs?: number;
}

/** May throw: what cannot be read was not seen. */
export type ReadAssistant = () => AssistantRecord | null;

interface Seen {
  version: AssistantVersion;
  read: ReadAssistant;
  seenAt: string;
  /** What of it is in the store; null: nothing. */
  kept: { read: ReadAssistant; sha256: string; seenAt: string } | null;
}

/** In memory; the others are read from the store. */
const MOST = 200;
const DELAY_MS = 100;
/** A version that did not change is written again after so long: its being seen is what is new. */
const TOUCH_MS = 60_000;

export function nameOf({ assistantId, versionId }: AssistantVersion): string {
  return `${assistantId} ${versionId}`;
}

/** Disposing it writes what was seen. */
export function createAssistantRegistry({
  store,
  clock,
  log,
  delayMs = DELAY_MS,
}: AssistantRegistryDeps): AssistantRegistry {
  /** The one that was seen last is the last. */
  const seen = new Map<string, Seen>();
  const behind = createWriteBehind({ write, delayMs, log });

  async function write(isLast: boolean): Promise<void> {
    const written: { read: ReadAssistant; entry: Seen; row: StoredAssistant; sha256: string }[] = [];
    for (const entry of seen.values()) {
      const { version, read, seenAt, kept } = entry;
      const isRecent = kept !== null && Date.parse(seenAt) - Date.parse(kept.seenAt) < (isLast ? 1 : TOUCH_MS);
      if (isRecent && kept.read === read) continue;
      const record = recordSeen(entry);
      if (record === null) continue;
      const data = JSON.stringify(record);
      const sha256 = createHash("sha256").update(data).digest("base64");
      if (isRecent && kept.sha256 === sha256) continue;
      written.push({ read, entry, row: { ...version, seenAt, data }, sha256 });
    }
    await store.save(written.map(({ row }) => row));
    for (const { read, entry, row, sha256 } of written) entry.kept = { read, sha256, seenAt: row.seenAt };
  }

  return {
    observe({ assistantId, versionId }, read) {
      const version = { assistantId, versionId };
      const name = nameOf(version);
      const kept = seen.get(name)?.kept ?? null;
      seen.delete(name);
      seen.set(name, { version, read, seenAt: instantOf(clock()), kept });
      if (seen.size > MOST) seen.delete(oldestOf(seen));
      behind.schedule();
    },
    async byVersions(versions) {
      const found = new Map<string, AssistantRecord | Error>();
      const others: AssistantVersion[] = [];
      for (const version of versions) {
        const known = seen.get(nameOf(version));
        const record = known ? recordSeen(known) : null;
        if (record) found.set(nameOf(version), record);
        else others.push(version);
      }
      for (const row of await store.byVersions(others)) found.set(nameOf(row), recordOf(row));
      return found;
    },
    async latest(assistantId) {
      const here = [...seen.values()].findLast(
        (entry) => entry.version.assistantId === assistantId && recordSeen(entry) !== null,
      );
      const kept = await store.latest(assistantId);
      // Another gateway may have seen another version since.
      if (here && (kept === null || here.seenAt >= kept.seenAt)) return recordSeen(here);
      const record = kept && recordOf(kept);
      if (record instanceof Error) throw record;
      return record;
    },
    [Symbol.asyncDispose]: () => behind[Symbol.asyncDispose](),
  };
}

/** What is in the store already goes first. */
function oldestOf(seen: ReadonlyMap<string, Seen>): string {
  const [oldest = ""] = seen.keys();
  for (const [name, { kept }] of seen) if (kept) return name;
  return oldest;
}

function recordSeen({ read }: Seen): AssistantRecord | null {
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
