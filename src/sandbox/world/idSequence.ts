// Gives out ids: integers per kind, never the same twice, and (but for the history's) not the same after a restart.
import { randomUUID } from "node:crypto";

export type IdKind = "task" | "item" | "version";

export interface Ids {
  next(kind: IdKind): bigint;
  /** The next id of every kind is `first` or greater: how ids beyond 2^53 are asked for. */
  startAt(first: bigint): void;
  /** A session id is unique across restarts even with the same seed, for gateways keep the calls they have seen. */
  readonly session: () => string;
}

const EPOCH_2026 = 1_767_225_600_000;

/**
 * @param startedAt real epoch ms. Ids given out while the sandbox runs start from it (ten a second since 2026), so
 *   that a task created after a restart is not taken for one created before.
 */
export function createIds(startedAt: number): Ids {
  const first = BigInt(Math.max(1_000_000, Math.floor((startedAt - EPOCH_2026) / 100)));
  const next: Record<IdKind, bigint> = { task: first, item: first * 10n, version: first };
  return {
    next: (kind) => {
      const id = next[kind];
      next[kind] += 1n;
      return id;
    },
    startAt: (least) => {
      for (const kind of ["task", "item", "version"] as const) if (next[kind] < least) next[kind] = least;
    },
    session: () => randomUUID(),
  };
}
