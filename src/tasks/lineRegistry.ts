// Remembers the outgoing lines that tasks and accepted submissions showed, because the service has no list of lines. They are
// known here at once and on other gateways a moment later.
import { instantOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { LineStore, SeenLine } from "../store/tasks/lineStore.ts";
import { HOUR_MS } from "../util/durations.ts";
import type { SubmitTask } from "./submitTask.ts";
import { createWriteBehind, saveInBatches, setNewest, WRITE_DELAY_MS } from "./writeBehind.ts";

export interface LineRegistry extends AsyncDisposable {
  /** Records the lines of a task. `read` is called when they are written; if it throws, they count as not seen. */
  observe(taskId: string, read: () => readonly string[]): void;
  /** Records the lines of a submission that the service accepted. */
  addSubmitted(lineIds: readonly string[]): void;
  /**
   * The `limit` lines that were seen last, newest first, and then those of `named` that are not among them. Everything that was recorded
   * here is included. Throws STORE_UNAVAILABLE.
   */
  list(request: { named: readonly string[]; limit: number }): Promise<SeenLine[]>;
}

export interface LineRegistryDeps {
  store: LineStore;
  clock: () => number;
  log: Logger;
  delayMs?: number;
}

/** Tasks whose lines wait or were read, and lines that wait. The oldest one beyond is forgotten and read again when it is seen. */
const MAX_CACHED = 10_000;
/** The lines of one task or submission that are recorded. */
const MAX_LINES = 100;
/** A task's lines are read again after this time, to store when they were last seen. */
const TOUCH_MS = HOUR_MS;

type Origin = "fromTask" | "fromSubmission";

/** Disposing it writes what still waits. */
export function createLineRegistry({ store, clock, log, delayMs = WRITE_DELAY_MS }: LineRegistryDeps): LineRegistry {
  const tasks = new Map<string, { seenAt: number; read: (() => readonly string[]) | null }>();
  const lines = new Map<string, SeenLine>();
  const writes = createWriteBehind({ write, delayMs, log });

  function add(lineId: string, seenAt: string, origin: Origin): void {
    const known = lines.get(lineId) ?? { lineId, seenAt, fromTask: false, fromSubmission: false };
    const latest = seenAt > known.seenAt ? seenAt : known.seenAt;
    setNewest(lines, lineId, { ...known, seenAt: latest, [origin]: true }, MAX_CACHED);
  }
  function readTasks(): void {
    for (const task of tasks.values()) {
      const { seenAt, read } = task;
      task.read = null;
      for (const lineId of linesOf(read)) add(lineId, instantOf(seenAt), "fromTask");
    }
  }
  async function write(): Promise<void> {
    readTasks();
    await saveInBatches(lines, (batch) => store.save(batch), log);
  }

  return {
    observe(taskId, read) {
      const seenAt = clock();
      const before = tasks.get(taskId);
      if (before && seenAt - before.seenAt < TOUCH_MS) return;
      setNewest(tasks, taskId, { seenAt, read }, MAX_CACHED);
      writes.schedule();
    },
    addSubmitted(lineIds) {
      const seenAt = instantOf(clock());
      for (const lineId of lineIds.slice(0, MAX_LINES)) add(lineId, seenAt, "fromSubmission");
      writes.schedule();
    },
    async list({ named, limit }) {
      await writes.flush();
      const [newest, found] = await Promise.all([store.newest(limit), store.byIds(named)]);
      const isListed = new Set(newest.map(({ lineId }) => lineId));
      return [...newest, ...found.filter(({ lineId }) => !isListed.has(lineId))];
    },
    [Symbol.asyncDispose]: () => writes[Symbol.asyncDispose](),
  };
}

function linesOf(read: (() => readonly string[]) | null): readonly string[] {
  try {
    return read?.().slice(0, MAX_LINES) ?? [];
  } catch {
    return [];
  }
}

/** Records the lines of each submission that the service accepts. */
export function recordLines(submit: SubmitTask, registry: Pick<LineRegistry, "addSubmitted">): SubmitTask {
  return async (viewer, input) => {
    // A copy, because the input need not stay in memory while the service answers.
    const lineIds = [...input.option.lineIds];
    const result = await submit(viewer, input);
    const status = result.submission?.status;
    if (status === "ACCEPTED" || status === "RESOLVED") registry.addSubmitted(lineIds);
    return result;
  };
}
