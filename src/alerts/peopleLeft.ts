// Tasks whose hours are over while people are still to be called, as the service tells it. What it does not tell is a doubt, and neither somebody nor
// nobody.
import { DAY_MS, MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import type { Finding } from "./conditions.ts";
import { afterStartDate, type HeardEnds, type Judged, type SeenHours, type TaskLook } from "./taskLook.ts";

/** How many are still to be called: a percentage does not say it exactly. */
export interface PeopleLeft {
  least: number;
  most: number;
}

type PeopleLeftRule = Extract<AlertRule, { kind: "peopleLeft" }>;
export const isPeopleLeft = (rule: AlertRule): rule is PeopleLeftRule => rule.kind === "peopleLeft";

/** Calls that go on when the hours end may still reach somebody. */
export const GRACE_MS = 5 * MINUTE_MS;
/** An alert of the last hours of a task is open over a weekend, and not for ever. */
export const KEPT_MS = 3 * DAY_MS;
/** A percentage with all its decimals is not exact either. */
const LEAST_OFF = 1e-6;

/** Services cut, round or raise a percentage: it is off by less than one of its last digit. Null: it cannot be told. */
export function leftOf(total: number | null, progress: number | null): PeopleLeft | null {
  if (total === null || progress === null || total < 0 || progress < 0 || progress > 100) return null;
  if (total === 0) return { least: 0, most: 0 };
  const [, decimals = ""] = String(progress).split(".");
  const off = Math.max(10 ** -decimals.length, LEAST_OFF);
  const fewest = Math.max(0, Math.floor((total * (progress - off)) / 100) + 1);
  const most = Math.min(total, Math.ceil((total * (progress + off)) / 100) - 1);
  // No number of people has this share.
  return fewest > most ? null : { least: total - most, most: total - fewest };
}

/** The instants from which calls show that a task calls on a day of which nobody says it. */
export function shownSince({ people }: TaskLook): number[] {
  const hours = people.kind === "open" ? [people.last, people.current] : [];
  return hours.flatMap((own) => (own && !own.isSure ? [own.begin] : []));
}

/** The tasks of each rule. */
export const judgePeople = (rules: readonly PeopleLeftRule[], looks: readonly TaskLook[], { ends }: HeardEnds) =>
  rules.flatMap((rule) =>
    looks
      .filter(({ taskId }) => rule.tasks.includes(taskId))
      .map((look) => ({ rule, ...judgeTask(rule, look, ends.get(look.taskId) ?? null) })),
  );

/** `end`: of the newest call. */
function judgeTask(rule: PeopleLeftRule, { taskId, at: now, people }: TaskLook, end: number | null): Judged {
  const about = { rule, subject: `task ${taskId}`, taskId };
  const over = (at: number, ending: "NOT_RUNNING" | "RECOVERED" | "PERIOD_OVER", isOfBefore = false): Finding => ({
    ...about,
    condition: null,
    over: { at, ending, isOfBefore },
  });
  if (people.kind === "unknown") return { findings: [], doubts: [people.doubt] };
  if (people.kind === "stopped") return { findings: [over(now, "NOT_RUNNING")], doubts: [] };
  if (people.kind === "done") return { findings: [over(now, "RECOVERED")], doubts: [] };
  const { createdAt, current, last, total, progress } = people;
  const left = leftOf(total, progress);
  const isSure = (hours: SeenHours) => hours.isSure || (end !== null && end >= hours.begin);
  // An open alert is about hours that ended before these.
  const findings = [last, current].flatMap((hours) =>
    hours && isSure(hours) ? [over(hours.begin, "PERIOD_OVER", true)] : [],
  );
  if (left && left.most < rule.atLeast) return { findings: [...findings, over(now, "RECOVERED")], doubts: [] };
  const isEnded = !current && last && !last.isBreak && now >= last.end + GRACE_MS;
  if (!isEnded || (createdAt !== null && createdAt >= last.end)) return { findings, doubts: [] };
  const doubt = (text: string): Judged => ({ findings, doubts: [text] });
  if (createdAt === null) return doubt(`When task ${taskId} was created cannot be read.`);
  if (!isSure(last)) return doubt(afterStartDate(taskId));
  if (left === null) return doubt(`How many people of task ${taskId} are left cannot be read.`);
  if (left.least < rule.atLeast) return doubt(perhaps(taskId, left));
  const detail = { unit: "COUNT", total, most: left.most };
  const found = {
    at: now,
    of: last.end,
    value: left.least,
    threshold: rule.atLeast,
    detail,
    until: last.end + KEPT_MS,
  };
  return { findings: [...findings, { ...about, condition: found }], doubts: [] };
}

const perhaps = (taskId: string, { least, most }: PeopleLeft): string =>
  `Of task ${taskId} between ${least} and ${most} people are left: its percentage does not say it more exactly.`;
