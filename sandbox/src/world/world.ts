// Holds the service's data in memory, up to a limit: new entries replace the oldest ended calls and finished tasks. Also
// assigns ids.
import { isOver, type Assistant, type AssistantVersion, type Call, type Task } from "./model.ts";
import { randomUUID } from "node:crypto";

export interface World {
  readonly assistants: ReadonlyMap<bigint, Assistant>;
  readonly tasks: ReadonlyMap<bigint, Task>;
  /** Oldest start first. */
  readonly calls: readonly Call[];
  addAssistant(assistant: Assistant): void;
  addTask(task: Task): void;
  /** Replaces a call with the same session id. */
  addCall(call: Call): void;
  findCall(sessionId: string): Call | undefined;
  /** The assistant with the given version, or its newest. Null: not found. */
  findVersion(id: bigint, vid?: bigint): { assistant: Assistant; version: AssistantVersion } | null;
}

export function createWorld(limits: { calls: number; tasks: number }): World {
  const assistants = new Map<bigint, Assistant>();
  const tasks = new Map<bigint, Task>();
  const calls: Call[] = [];
  const bySession = new Map<string, Call>();

  const insertByStart = (call: Call) => {
    // Nearly always at the end: only seeded calls and the history are older.
    let at = calls.length;
    while (at > 0 && (calls[at - 1] as Call).startAt > call.startAt) at -= 1;
    calls.splice(at, 0, call);
  };
  const remove = (call: Call) => {
    calls.splice(calls.indexOf(call), 1);
    bySession.delete(call.sessionId);
  };

  return {
    assistants,
    tasks,
    calls,
    addAssistant: (assistant) => void assistants.set(assistant.id, assistant),
    addTask: (task) => {
      tasks.set(task.id, task);
      if (tasks.size <= limits.tasks) return;
      const oldest = tasks.values().find((each) => isOver(each) && each !== task);
      if (oldest) tasks.delete(oldest.id);
    },
    addCall: (call) => {
      const before = bySession.get(call.sessionId);
      if (before) remove(before);
      insertByStart(call);
      bySession.set(call.sessionId, call);
      if (calls.length <= limits.calls) return;
      const oldest = calls.find((each) => each.endAt !== null && each !== call);
      if (oldest) remove(oldest);
    },
    findCall: (sessionId) => bySession.get(sessionId),
    findVersion: (id, vid) => {
      const assistant = assistants.get(id);
      const version =
        vid === undefined ? assistant?.versions.at(-1) : assistant?.versions.find((each) => each.vid === vid);
      return assistant && version ? { assistant, version } : null;
    },
  };
}

export type IdKind = "task" | "item" | "version";

export interface Ids {
  next(kind: IdKind): bigint;
  /** The next id of every kind is at least `first`, for instance beyond 2^53. */
  startAt(first: bigint): void;
  /** Unique across restarts even with the same seed, because gateways remember calls. */
  readonly session: () => string;
}

const EPOCH_2026 = 1_767_225_600_000;

/**
 * Assigns ids, unique for each kind.
 *
 * @param startedAt real epoch ms. Ids start at the tenths of a second since 2026, so that a task created after a restart has
 *   another id than one created before.
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
