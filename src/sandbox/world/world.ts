// Holds what the service knows, in memory and bounded: the oldest ended calls and finished tasks make room for new ones.
import { isOver, type Assistant, type AssistantVersion, type Call, type Task } from "./model.ts";
import { randomUUID } from "node:crypto";

export interface World {
  readonly assistants: ReadonlyMap<bigint, Assistant>;
  readonly tasks: ReadonlyMap<bigint, Task>;
  /** Oldest start first. */
  readonly calls: readonly Call[];
  addAssistant(assistant: Assistant): void;
  addTask(task: Task): void;
  /** A call of the same session is replaced. */
  addCall(call: Call): void;
  findCall(sessionId: string): Call | undefined;
  /** The assistant, and the version asked for or its newest; null when there is none. */
  findVersion(id: bigint, vid?: bigint): { assistant: Assistant; version: AssistantVersion } | null;
}

export function createWorld(limits: { calls: number; tasks: number }): World {
  const assistants = new Map<bigint, Assistant>();
  const tasks = new Map<bigint, Task>();
  const calls: Call[] = [];
  const bySession = new Map<string, Call>();

  const place = (call: Call) => {
    // Nearly always the end: only rows put in by a test or by the history lie before it.
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
      place(call);
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
