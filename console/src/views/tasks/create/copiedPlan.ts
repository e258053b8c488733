// The plan of an earlier task or proposal as the form of a new one has it. People are not in it: nobody is phoned again by a copy.
import { readTime } from "../../../ui/dateTime/readDateTime.ts";
import {
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
}

/** The first day is today. What cannot be read is as in an empty form. */
export function copiedFields(plan: EarlierPlan, timeZone: string): Fields {
  const empty = emptyFields(timeZone);
  const periods = plan.periods.flatMap((times) => {
    const [from = null, until = null] = times.length === 2 ? times.map(readTime) : [];
    return from !== null && until !== null && from < until ? [{ from, until }] : [];
  });
  const { retryCount, retryIntervalSeconds } = plan;
  const minutes = retryIntervalSeconds === null ? null : retryIntervalSeconds / 60;
  return {
    ...empty,
    name: plan.name,
    assistantId: plan.assistantId ?? "",
    lineIds: [...plan.lineIds],
    periods: periods.length > 0 && periods.length === plan.periods.length ? periods : empty.periods,
    retryCount: retryCount === null ? empty.retryCount : String(retryCount),
    retryMinutes: minutes !== null && Number.isInteger(minutes) ? String(minutes) : empty.retryMinutes,
  };
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
