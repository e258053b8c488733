// Plans that somebody saved to go on with later, in this browser (localStorage), for each viewer. They hold no people: neither numbers nor
// names, and nothing of how a table is read.
import { NO_CHOICE, type Fields } from "./draft.ts";

export interface SavedPlan {
  id: string;
  /** An instant, such as 2026-11-20T09:30:00.000Z. */
  savedAt: string;
  fields: Fields;
}

const ENTRY = "switchboard-plans";
/** The oldest one beyond is removed. */
const MOST = 20;

type Kept = Record<string, SavedPlan[]>;

/** The last saved first. */
export function readPlans(viewer: string): SavedPlan[] {
  const plans = readAll()[viewer];
  const whole = Array.isArray(plans) ? plans.filter(isPlan) : [];
  return whole.map((plan) => ({ ...plan, fields: { ...plan.fields, choice: NO_CHOICE } }));
}

/** Whether somebody began a plan that stands in none of these. */
export function isUnsaved(fields: Fields, plans: readonly SavedPlan[]): boolean {
  const isBegun = fields.name !== "" || fields.assistantId !== "" || fields.lineIds.length > 0;
  return isBegun && plans.every((plan) => textOf(plan.fields) !== textOf(fields));
}

const PLAN = ["name", "assistantId", "lineIds", "startDate", "periods", "from", "until", "retryCount", "retryMinutes"];
/** In one order of the names. */
const textOf = (fields: Fields): string => JSON.stringify(fields, PLAN);

/** Takes the place of the plan with this id. Returns whether the browser keeps it. */
export function savePlan(viewer: string, plan: SavedPlan): boolean {
  const others = readPlans(viewer).filter(({ id }) => id !== plan.id);
  const saved = { ...plan, fields: { ...plan.fields, choice: NO_CHOICE } };
  return keepAll({ ...readAll(), [viewer]: [saved, ...others].slice(0, MOST) });
}

export function removePlan(viewer: string, id: string): void {
  keepAll({ ...readAll(), [viewer]: readPlans(viewer).filter((plan) => plan.id !== id) });
}

function readAll(): Kept {
  try {
    const kept = JSON.parse(localStorage.getItem(ENTRY) ?? "{}") as unknown;
    return typeof kept === "object" && kept !== null ? (kept as Kept) : {};
  } catch {
    return {};
  }
}

function keepAll(plans: Kept): boolean {
  try {
    localStorage.setItem(ENTRY, JSON.stringify(plans));
    return true;
  } catch {
    return false;
  }
}

/** Another version of the page may have written it. */
export function isPlan(plan: Unsure<SavedPlan> | null): plan is SavedPlan {
  const { name, assistantId, startDate, retryCount, retryMinutes, lineIds, periods } = plan?.fields ?? {};
  const texts = [plan?.id, plan?.savedAt, name, assistantId, startDate, retryCount, retryMinutes];
  return (
    texts.every(isText) &&
    Number.isFinite(Date.parse(String(plan?.savedAt))) &&
    Array.isArray(lineIds) &&
    lineIds.every(isText) &&
    Array.isArray(periods) &&
    periods.every((period: Unsure<Period> | null) => isText(period?.from) && isText(period?.until))
  );
}

type Period = Fields["periods"][number];
/** As another version of the page may have written it. */
type Unsure<Whole> = { [Name in keyof Whole]?: Whole[Name] extends Fields ? Unsure<Fields> : unknown };

const isText = (value: unknown): boolean => typeof value === "string";
