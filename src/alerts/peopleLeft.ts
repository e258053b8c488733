// Tasks whose hours are over while people are still to be called, as the service tells it. What it does not tell is a doubt, and neither somebody nor
// nobody.
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../util/durations.ts";
import type { AlertRule } from "./alertFile.ts";
import type { Ending } from "./callWindow.ts";
import type { Finding, Over } from "./conditions.ts";
import {
  afterStartDate,
  type HeardEnds,
  type Judged,
  type LooksOf,
  type SeenHours,
  type TaskLook,
} from "./taskLook.ts";

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
/** Also where nobody could look for a night. */
const TOLD_MS = 12 * HOUR_MS;
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

/** The instants from which ends of calls are needed: where nobody says whether a task calls on a day, and of those that went on. */
export function peopleHeardSince({ people, at }: TaskLook): number[] {
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
        ...judgeTask(rule, look, ends.get(look.taskId) ?? null),
      })),
  );

/** `end`: of the newest call. */
function judgeTask(
  rule: PeopleLeftRule,
  { taskId, at: now, people }: TaskLook,
  end: number | null,
): Omit<Judged, "subject"> {
  const about = { rule, subject: `task ${taskId}`, taskId };
  const over = (at: number, ending: Ending, which: Pick<Over, "isOfBefore" | "unlessOf"> = {}): Finding => ({
    ...about,
    condition: null,
    over: { at, ending, ...which },
  });
  const doubt = (text: string, findings: Finding[] = []) => ({ findings, doubts: [text] });
  if (people.kind === "unknown") return doubt(people.doubt);
  if (people.kind === "stopped") return { findings: [over(now, "NOT_RUNNING")], doubts: [] };
  const { total, progress } = people;
  const left = leftOf(total, progress);
  const isFew = left !== null && left.most < rule.atLeast;
  /** `of`: when the hours, or the task, ended. */
  function judgeEnd(of: number, isStopped: boolean, findings: Finding[]): Omit<Judged, "subject"> {
    if (now < Math.max(of, end ?? 0) + GRACE_MS) return { findings, doubts: [] };
    if (left === null) return doubt(`How many people of task ${taskId} are left cannot be read.`, findings);
    if (left.least < rule.atLeast) return doubt(perhaps(taskId, left), findings);
    const detail = { unit: "COUNT", total, most: left.most, isStopped };
    const times = { at: now, of, until: of + KEPT_MS, tellUntil: of + TOLD_MS, takesOver: isStopped };
    return {
      findings: [
        ...findings,
        { ...about, condition: { ...times, value: left.least, threshold: rule.atLeast, detail } },
      ],
      doubts: [],
    };
  }
  if (people.kind === "done")
    return left && left.least >= rule.atLeast
      ? doubt(contradicted(taskId, left))
      : { findings: [over(now, "RECOVERED")], doubts: [] };
  if (isFew && people.kind === "ended") return { findings: [over(now, "RECOVERED")], doubts: [] };
  if (people.kind === "ended")
    return people.at === null
      ? doubt(`When task ${taskId} was stopped cannot be read.`)
      : judgeEnd(people.at, true, []);
  const { createdAt, current, last } = people;
  const isSure = (hours: SeenHours) => hours.isSure || (end !== null && end >= hours.begin);
  // An open alert is about hours that ended before these.
  const findings = [last, current].flatMap((hours) =>
    hours && isSure(hours) ? [over(hours.begin, "PERIOD_OVER", { isOfBefore: true })] : [],
  );
  // Its hours were made longer.
  if (current && isSure(current)) findings.push(over(now, "PERIOD_OVER"));
  if (isFew) return { findings: [...findings, over(now, "RECOVERED")], doubts: [] };
  if (current) return isSure(current) ? { findings, doubts: [] } : doubt(afterStartDate(taskId), findings);
  if (!last || last.isBreak || now < last.end + GRACE_MS) return { findings, doubts: [] };
  if (createdAt !== null && createdAt >= last.end) return { findings, doubts: [] };
  if (createdAt === null) return doubt(`When task ${taskId} was created cannot be read.`, findings);
  if (!isSure(last)) return doubt(afterStartDate(taskId), findings);
  // Hours that were made longer, and have ended since the alert. Those that were made shorter ended before it.
  const longer = over(last.end, "PERIOD_OVER", { isOfBefore: true, unlessOf: last.end });
  return judgeEnd(last.end, false, [...findings, longer]);
}

const perhaps = (taskId: string, { least, most }: PeopleLeft): string =>
  `Of task ${taskId} between ${least} and ${most} people are left: its percentage does not say it more exactly.`;
const contradicted = (taskId: string, { least }: PeopleLeft): string =>
  `The service says that task ${taskId} is done, and by its percentage at least ${least} people are left.`;
