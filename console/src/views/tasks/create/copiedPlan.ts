// The plan of an earlier task or proposal as the form of a new one has it. People are not in it: nobody is phoned again by a copy.
import { readTimeOfDay, writeTimeOfDay } from "../../../../../src/format/scheduleText.ts";
import { readEndTime, readTime } from "../../../ui/dateTime/readDateTime.ts";
import {
  type CopyLoss,
  dropDraft,
  emptyFields,
  keepDraft,
  keepNumbers,
  readDraft,
  readNumbers,
  type Draft,
  type Fields,
} from "./draft.ts";

export interface EarlierPlan {
  name: string;
  assistantId: string | null;
  lineIds: readonly string[];
  periods: readonly (readonly string[])[];
  retryCount: number | null;
  /** Null: the service does not say in which unit it states it. */
  retryIntervalSeconds: number | null;
  overridesAssistant: boolean;
  skipDoNotCall: boolean;
}

/** The first day is today. What the form cannot have is empty, and named in `losses`. */
export function copiedFields(plan: EarlierPlan, timeZone: string): { fields: Fields; losses: CopyLoss[] } {
  const empty = emptyFields(timeZone);
  const periods = plan.periods.map(periodOf);
  const unread = plan.periods.filter((_, at) => periods[at] === null).map((times) => times.join("–"));
  const { retryCount, retryIntervalSeconds: seconds } = plan;
  const isWhole = seconds !== null && seconds % 60 === 0;
  const fields: Fields = {
    ...empty,
    name: plan.name,
    assistantId: plan.assistantId ?? "",
    lineIds: [...plan.lineIds],
    periods: (periods.length > 0 ? periods : [null]).map((period) => period ?? { from: "", until: "" }),
    retryCount: retryCount === null ? empty.retryCount : String(retryCount),
    retryMinutes: seconds === null ? empty.retryMinutes : isWhole ? String(seconds / 60) : "",
  };
  const losses: CopyLoss[] = [];
  if (unread.length > 0) losses.push({ of: "periods", text: unread.join(", ") });
  if (seconds === null) losses.push({ of: "interval" });
  else if (!isWhole) losses.push({ of: "seconds", seconds });
  if (plan.overridesAssistant) losses.push({ of: "assistantOverride" });
  if (plan.skipDoNotCall) losses.push({ of: "skipDoNotCall" });
  return { fields, losses };
}

/** Null where the form cannot have it. */
function periodOf(times: readonly string[]): Fields["periods"][number] | null {
  const [from = null, until = null] = times.length === 2 ? times.map(timeOf) : [];
  if (from === null || until === null || from >= until) return null;
  return readTime(from) === from && readEndTime(until) === until ? { from, until } : null;
}

function timeOf(text: string): string | null {
  const seconds = readTimeOfDay(text);
  return typeof seconds === "number" ? writeTimeOfDay(seconds) : null;
}

/** What stands in the form of this viewer: nothing, a plan, or one whose sending has no known outcome. */
export function formHolds(viewer: string): "nothing" | "plan" | "sending" {
  const draft = readDraft(viewer);
  if (draft?.key != null) return "sending";
  const isBegun = draft !== null && (draft.fields.name !== "" || draft.fields.lineIds.length > 0);
  return isBegun || (draft !== null && readNumbers() !== "") ? "plan" : "nothing";
}

/** Puts the copy into the form, in place of what stands there. */
export function putIntoForm(viewer: string, fields: Fields, copied: Draft["copied"]): void {
  dropDraft();
  keepNumbers("");
  keepDraft(viewer, { fields, key: null, ...(copied ? { copied } : {}) });
}
