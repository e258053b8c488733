// Tasks whose hours are over, or which the service has stopped, while people are still to be called. What the service does not tell is a doubt, and
// neither somebody nor nobody.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import type { Ending } from "./callWindow.ts";
import type { Finding, Over } from "./conditions.ts";
import type { TaskNote } from "../store/alerts/taskLookStore.ts";
import {
  type HeardEnds,
  type Judged,
  type LooksOf,
  type SeenHours,
  type SeenTask,
  type TaskLook,
  unsureDay,
} from "./taskLook.ts";

/** How many are still to be called: a percentage does not say it exactly. */
export interface PeopleLeft {
  least: number;
  most: number;
}

type PeopleLeftRule = Extract<AlertRule, { kind: "peopleLeft" }>;
export const isPeopleLeft = (rule: AlertRule): rule is PeopleLeftRule => rule.kind === "peopleLeft";

/** Calls that go on when the hours end may still reach somebody: it is judged so long after the last of them. */
export const GRACE_MS = 5 * MINUTE_MS;
/** And so long after the hours ended, whatever calls go on. */
export const LATEST_MS = HOUR_MS;
/** An alert of the last hours of a task is open over a weekend, and not for ever. */
export const KEPT_MS = 3 * DAY_MS;
/** Also where nobody could look for a night. */
const TOLD_MS = 12 * HOUR_MS;
/** A percentage with all its decimals is not exact either. */
const LEAST_OFF = 1e-6;

/** Services cut, round or raise a percentage: it is off by less than one of its last digit. Null: it cannot be told. */
export function leftOf(total: number | null, progress: number | null): PeopleLeft | null {
  if (total === 0) return { least: 0, most: 0 };
  if (total === null || progress === null || total < 0 || progress < 0 || progress > 100) return null;
  const [, decimals = ""] = String(progress).split(".");
  const off = Math.max(10 ** -decimals.length, LEAST_OFF);
  const fewest = Math.max(0, Math.floor((total * (progress - off)) / 100) + 1);
  const most = Math.min(total, Math.ceil((total * (progress + off)) / 100) - 1);
  // No number of people has this share.
  return fewest > most ? null : { least: total - most, most: total - fewest };
}

type StopNote = Pick<TaskNote, "stop" | "goneOnAt">;

const isStopped = ({ stop, goneOnAt = -1 }: StopNote): boolean => stop !== undefined && stop > goneOnAt;

/** Whether a task is stopped of which people are told. */
export const isStoppedLately = (note: TaskNote): boolean => isStopped(note) && note.at < (note.stop ?? 0) + KEPT_MS;

/**
 * What looks know of stops by the service. The first look that sees one decides when it was: services change `updatedAt` later, by a clock that is
 * ahead, or not at all. `seen` null: it could not be seen.
 */
export function stopNoteOf(before: TaskNote | undefined, seen: SeenTask | null, at: number): StopNote {
  const { stop, goneOnAt } = before ?? {};
  const known = { ...(stop !== undefined && { stop }), ...(goneOnAt !== undefined && { goneOnAt }) };
  const kind = seen?.people.kind;
  // Also by a clock that is behind that of the look before.
  if (kind === "open" || kind === "stopped") return { ...known, goneOnAt: Math.max(at, stop ?? at) };
  if (!seen || kind !== "ended" || isStopped(known)) return known;
  return { ...known, stop: Math.max((goneOnAt ?? -1) + 1, Math.min(seen.changedAt ?? at, at)) };
}

/** The instants from which ends of calls are needed: where nobody says whether a task calls on a day, and of those that went on. */
export function peopleHeardSince({ people, note: { at } }: TaskLook): number[] {
  if (people.kind === "ended") return [at - GRACE_MS];
  if (people.kind !== "open") return [];
  const unsure = [people.last, people.current].flatMap((own) => (own && !own.isSure ? [own.begin] : []));
  return people.current ? unsure : [at - GRACE_MS, ...unsure];
}

/** The tasks of each rule. */
export const judgePeople = (rules: readonly PeopleLeftRule[], looksOf: LooksOf, { ends }: HeardEnds) =>
  rules.flatMap((rule) =>
    looksOf(rule)
      .filter(({ isNow }) => isNow)
      .map((look) => ({
        rule,
        subject: `task ${look.taskId}`,
        ...judgeTask(rule, look, ends.get(look.taskId)),
      })),
  );

/** `end`: of the newest call. */
function judgeTask(
  rule: PeopleLeftRule,
  { taskId, people, note: { at: now, stop } }: TaskLook,
  end: number | undefined,
): Omit<Judged, "subject"> {
  const about = { rule, subject: `task ${taskId}`, taskId };
  const over = (at: number, ending: Ending, which: Pick<Over, "isOfBefore" | "of"> = {}): Finding => ({
    ...about,
    condition: null,
    over: { at, ending, ...which },
  });
  const doubt = (text: string, findings: Finding[] = []) => ({ findings, doubts: [text] });
  if (people.kind === "unknown") return doubt(people.doubt);
  if (people.kind === "stopped" || people.kind === "gone") return { findings: [over(now, "NOT_RUNNING")], doubts: [] };
  const { total, progress } = people;
  const left = leftOf(total, progress);
  if (people.kind === "done")
    return left && left.least >= rule.atLeast
      ? doubt(contradicted(taskId, left))
      : { findings: [over(now, "RECOVERED")], doubts: [] };
  const isFew = left !== null && left.most < rule.atLeast;
  /** `of`: when the hours, or the task, ended. `before`: what is over then. */
  function judgeEnd(of: number, isStopped: boolean, before: Finding[]): Omit<Judged, "subject"> {
    if (now < Math.min(Math.max(of, end ?? 0) + GRACE_MS, of + LATEST_MS)) return { findings: before, doubts: [] };
    if (left === null) return doubt(`How many people of task ${taskId} are left cannot be read.`, before);
    if (left.least < rule.atLeast) return doubt(perhaps(taskId, left), before);
    const detail = { unit: "COUNT", total, most: left.most, isStopped };
    const times = { at: now, of, until: of + KEPT_MS, tellUntil: of + TOLD_MS };
    // One of an end of before is over.
    const others = over(of, isStopped ? "NOT_RUNNING" : "PERIOD_OVER", { isOfBefore: true });
    const condition = { ...times, value: left.least, threshold: rule.atLeast, detail };
    return { findings: [...before, others, { ...about, condition }], doubts: [] };
  }
  if (people.kind === "ended") {
    if (isFew) return { findings: [over(now, "RECOVERED")], doubts: [] };
    return judgeEnd(stop ?? now, true, []);
  }
  const { createdAt, current, last } = people;
  const isSure = (hours: SeenHours) => hours.isSure || (end !== undefined && end >= hours.begin);
  // An open alert is about hours that ended before these.
  const findings = [last, current].flatMap((hours) =>
    hours && isSure(hours) ? [over(hours.begin, "PERIOD_OVER", { isOfBefore: true })] : [],
  );
  // Somebody has let it go on since.
  if (stop !== undefined) findings.push(over(now, "PERIOD_OVER", { of: stop }));
  // Its hours were made longer.
  if (current && isSure(current)) findings.push(over(now, "PERIOD_OVER"));
  if (isFew) return { findings: [...findings, over(now, "RECOVERED")], doubts: [] };
  if (current) return isSure(current) ? { findings, doubts: [] } : doubt(unsureDay(taskId), findings);
  if (!last) return { findings, doubts: [] };
  if (!isSure(last)) return doubt(unsureDay(taskId), findings);
  if (createdAt === null) return doubt(`When task ${taskId} was created cannot be read.`, findings);
  const { next } = last;
  // It goes on after a break, or has not begun.
  if (next && (next.isBreak || createdAt >= last.end))
    return next.isSure ? { findings, doubts: [] } : doubt(unsureDay(taskId), findings);
  return judgeEnd(Math.max(last.end, createdAt), false, findings);
}

const perhaps = (taskId: string, { least, most }: PeopleLeft): string =>
  `Of task ${taskId} between ${least} and ${most} people are left: its percentage does not say it more exactly.`;
const contradicted = (taskId: string, { least }: PeopleLeft): string =>
  `The service says that task ${taskId} is done, and by its percentage at least ${least} people are left.`;
