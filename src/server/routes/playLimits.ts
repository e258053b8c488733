// Limits and logs the plays of recordings. Each holds a file open until its client has taken it, and costs an entry of the audit log.
import type { RateLimits } from "../../auth/rateLimits.ts";
import { playLimitKey } from "../../auth/rateLimits.ts";
import type { Logger } from "../../logger.ts";
import type { RecordingGrant } from "../../recordings/recordingAddress.ts";
import { MINUTE_MS } from "../../util/durations.ts";
import { addressKey, createConnectionQuota, viewerKey } from "../connections/connectionQuota.ts";

export const PLAY_LIMITS = {
  /** Plays of one viewer's address of one recording: a player asks for a few ranges at once. */
  perRecording: 20,
  perViewer: 500,
  /** Plays from one client address: an office may have many clients behind one. */
  perClient: 500,
} as const;

export interface PlayLimits {
  /**
   * Counts a play until the returned function is called. Null: too many run at once. Rejects with RATE_LIMITED beyond RATE_LIMIT
   * plays of the viewer in a minute.
   */
  admit(grant: RecordingGrant, clientAddress: string): Promise<(() => void) | null>;
}

export function createPlayLimits(rates: RateLimits): PlayLimits {
  const perRecording = createConnectionQuota(PLAY_LIMITS.perRecording);
  const perViewer = createConnectionQuota(PLAY_LIMITS.perViewer);
  const perClient = createConnectionQuota(PLAY_LIMITS.perClient);
  return {
    async admit({ viewer, sessionId }, clientAddress) {
      await rates.consume(playLimitKey({ name: viewer }));
      const held = [
        perRecording.acquire(JSON.stringify([viewer, sessionId])),
        perViewer.acquire(viewerKey(viewer)),
        perClient.acquire(addressKey(clientAddress)),
      ];
      const release = () => held.forEach((free) => free?.());
      if (!held.includes(null)) return release;
      release();
      return null;
    },
  };
}

/** What is logged of a play. `recording`: as its address names it. */
export interface PlayEntry {
  viewer: string;
  recording: string;
  method: string;
  status: number;
  range: unknown;
}

/** Disposing it writes the counts that are left. */
export interface PlayLog extends Disposable {
  add(entry: PlayEntry): void;
}

/** The first play of a recording by a viewer is written at once, and further ones as a count once a minute. */
export function createPlayLog(log: Pick<Logger, "info">): PlayLog {
  let counts = new Map<string, Pick<PlayEntry, "viewer" | "recording"> & { plays: number }>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const counted = counts;
    counts = new Map();
    for (const count of counted.values()) if (count.plays > 0) log.info(count, "a recording was served again");
  }
  return {
    add(entry) {
      const { viewer, recording } = entry;
      const key = JSON.stringify([viewer, recording]);
      const count = counts.get(key);
      if (count) {
        count.plays += 1;
        return;
      }
      counts.set(key, { viewer, recording, plays: 0 });
      timer ??= setTimeout(flush, MINUTE_MS).unref();
      log.info({ ...entry }, "a recording was served");
    },
    [Symbol.dispose]: flush,
  };
}
