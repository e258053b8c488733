// Which tasks a look asks the service about. Those that rules name are asked about each time. A rule without tasks watches those that the gateway knows and
// that were active lately: in turn where they are many. One that has ended, or is of no assistant that a rule watches, is asked about seldom.
import type { TaskNote } from "../store/alerts/taskLookStore.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import { MAX_WATCHED_TASKS, type TaskRule } from "./alertFile.ts";

/** A task that was not active since is not watched by a rule without tasks. */
const LATELY_DAYS = 14;
/** More are not read. */
export const MAX_KNOWN = 1000;
/** So long after its last call or change a task that has ended is looked at as others: its calls end, and its people are judged. */
export const ENDING_MS = 15 * MINUTE_MS;
const SELDOM_MS = HOUR_MS;
/** So many places of a look are kept for those that are asked about seldom. They take free ones, too. */
const SELDOM_EACH_LOOK = 5;
const LOOKS_AN_HOUR = HOUR_MS / MINUTE_MS;
/** A silence counts on where a task is seen at least every five minutes (noCalls.ts), and a look may take a while. */
const MAX_TURNS = 3;

/** A task that the gateway knows. */
export interface ActiveTask {
  taskId: string;
  /** Its last known activity, in epoch milliseconds. */
  activeAt: number;
}

export interface WatchedTasks {
  /** To be asked about now. */
  asked: readonly string[];
  /** Those of rules without tasks, also where they are not asked about now: what looks have shown of them, and their alerts, are kept. */
  known: ReadonlySet<string>;
  /** Those that are asked about once an hour. The other known ones that are not asked about now wait for their turn. */
  seldom: ReadonlySet<string>;
  /** Why known tasks are not watched, in sentences. */
  doubts: readonly string[];
}

export interface Shown {
  at: number;
  assistantId: string | null;
  /** Null: it may still call. Undefined: it could not be read. `changedAt` null: it cannot be read. */
  over: { changedAt: number | null } | null | undefined;
  /** What looks know of stops by the service (peopleLeft.ts). Missing: nothing. */
  stops?: Pick<TaskNote, "stop" | "goneOnAt">;
}

export interface KnownState {
  /** The last active first. */
  known: readonly ActiveTask[];
  /** What the last look at each has shown. */
  notes: ReadonlyMap<string, TaskNote>;
  now: number;
}

export function watchedTasks(rules: readonly TaskRule[], { known, notes, now }: KnownState): WatchedTasks {
  const named = new Set(rules.flatMap(({ tasks }) => tasks ?? []));
  const wide = rules.filter(({ tasks }) => tasks === undefined);
  const none = new Set<string>();
  if (wide.length === 0) return { asked: [...named], known: none, seldom: none, doubts: [] };
  const isOfAny = (assistantId: string | null) =>
    assistantId === null || wide.some(({ assistants }) => assistants?.includes(assistantId) ?? true);
  function isSeldom({ taskId, activeAt }: ActiveTask): boolean {
    const note = notes.get(taskId);
    return note !== undefined && (hasEnded(note, activeAt) || !isOfAny(note.assistantId));
  }
  /** A note of later than now is of a clock that was set back: nobody knows how long ago that was. */
  function askedAt({ taskId }: ActiveTask): number {
    const at = notes.get(taskId)?.at ?? 0;
    return at > now ? 0 : at;
  }
  const inTurn = (tasks: readonly ActiveTask[]) => tasks.toSorted((a, b) => askedAt(a) - askedAt(b));
  const isLately = ({ activeAt }: ActiveTask) => activeAt > now - LATELY_DAYS * DAY_MS;
  const lately = known.slice(0, MAX_KNOWN).filter(isLately);
  const others = lately.filter(({ taskId }) => !named.has(taskId));
  const seldom = others.filter(isSeldom);
  const often = others.filter((task) => !isSeldom(task));

  const places = Math.max(0, MAX_WATCHED_TASKS - named.size);
  const most = MAX_TURNS * Math.max(0, places - SELDOM_EACH_LOOK);
  const [watched, left] = [often.slice(0, most), often.slice(most)];
  // Those that are left may have ended. An alert of them stays: their place may be free again with the next look.
  const rest = [...seldom, ...left];
  const due = rest.filter((task) => now - askedAt(task) >= SELDOM_MS);
  const forRest = Math.min(places, Math.max(SELDOM_EACH_LOOK, places - watched.length));
  const again = inTurn(due).slice(0, forRest);
  const next = inTurn(watched).slice(0, places - again.length);
  return {
    asked: [...named, ...idsOf(next), ...idsOf(again)],
    known: new Set(idsOf(lately)),
    seldom: new Set(idsOf(rest)),
    doubts: doubtsOf({
      left: left.length,
      isCut: known.slice(MAX_KNOWN).some(isLately),
      isLate: seldom.length > 0 && rest.length > forRest * LOOKS_AN_HOUR,
    }),
  };
}

const idsOf = (tasks: readonly ActiveTask[]): string[] => tasks.map(({ taskId }) => taskId);

const hasEnded = ({ at, overSince, stop = 0 }: TaskNote, activeAt: number): boolean =>
  overSince !== null && at >= Math.max(overSince, stop, activeAt) + ENDING_MS;

/** Whether a task had ended a while before the last look at it. One that was active since may go on. */
export const hasLongEnded = ({ note, activeAt }: { note: TaskNote; activeAt: number }): boolean =>
  hasEnded(note, activeAt);

/** What a look has shown, for the next ones. */
export function noteOf(before: TaskNote | undefined, { at, assistantId, over, stops }: Shown): TaskNote {
  const known = before?.overSince ?? null;
  const overSince = over === undefined ? known : over && (known ?? Math.min(over.changedAt ?? 0, at));
  return { at, overSince, assistantId: assistantId ?? before?.assistantId ?? null, ...stops };
}

function doubtsOf({ left, isCut, isLate }: { left: number; isCut: boolean; isLate: boolean }): string[] {
  const more = left === 1 ? "1 more task" : `${left} more tasks`;
  return [
    ...(left > 0
      ? [
          `${more} that the gateway knows cannot be watched: the service is asked about ${MAX_WATCHED_TASKS} tasks a minute.`,
        ]
      : []),
    ...(isCut
      ? [`More than ${MAX_KNOWN} tasks were active in the last ${LATELY_DAYS} days: the others are not watched.`]
      : []),
    ...(isLate
      ? ["Tasks that have ended are too many to be asked about each hour: one that goes on is found later."]
      : []),
  ];
}

/** A task that was created in this time, and is not known, is not watched. Its first call may come an hour later. */
export const unknownFor = (now: number): [since: number, before: number] => [now - LATELY_DAYS * DAY_MS, now - HOUR_MS];

/** The doubt about a rule that watches no task. */
export const nothingKnown = ({ assistants }: TaskRule): string =>
  `The gateway knows no task${assistants ? " of its assistants" : ""} that was active in the last ${LATELY_DAYS} days.`;
