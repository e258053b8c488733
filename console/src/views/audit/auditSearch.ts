// The filter of the audit log: as the address holds it, and as the graph takes it.
import type { graph } from "switchboard-client";
import { idsOf } from "../../data/filterSearch.ts";
import { readRange, type RangeSearch, type TimeSpan } from "../../ui/timeRange/timeRange.ts";

export type AuditFilter = graph.AuditEventFilter;

export type AuditAction = graph.AuditAction;

/** In the order of the list to choose from. */
const listed = {
  TASK_SUBMITTED: true,
  TASK_PROPOSED: true,
  TASK_APPROVED: true,
  TASK_DECLINED: true,
  TASK_EXPIRED: true,
  PHONE_FORGOTTEN: true,
  DO_NOT_CALL_ADDED: true,
  DO_NOT_CALL_REMOVED: true,
  RECORDING_PLAYED: true,
  DELIVERY_SHOWN: true,
  DELIVERIES_REREAD: true,
  DELIVERY_REPROCESSED: true,
  DELIVERY_DISCARDED: true,
  HISTORY_IMPORTED: true,
  HISTORY_IMPORT_CANCELLED: true,
  DESTINATION_CHANGED: true,
  ALERT_ACKNOWLEDGED: true,
} satisfies Record<AuditAction, true>;
export const auditActions = Object.keys(listed) as AuditAction[];

export interface AuditSearch extends RangeSearch {
  /** The name of a viewer. */
  actor?: string | undefined;
  /** Actions, comma-separated. */
  action?: string | undefined;
  /** The graph's id of what was acted on. */
  subject?: string | undefined;
  /** The page behind this cursor; absent: the newest one. */
  after?: string | undefined;
  /** The entry whose details are open. */
  entry?: string | undefined;
}

const TEXTS = ["actor", "subject", "after", "entry"] as const;

/** Values that the console does not know are left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = search[name];
    // The address holds a name of digits as a number.
    const text = typeof value === "number" ? String(value) : value;
    return typeof text === "string" && text !== "" ? [[name, text] as const] : [];
  });
  const action = actionsOf(search["action"]).join(",");
  return { ...readRange(search), ...Object.fromEntries(texts), ...(action !== "" && { action }) };
}

/** Whether the gateway lets this viewer search for the name. It refuses one that it shows masked to viewers without people:read. */
export const isSearchable = (actor: string, seesPeople: boolean): boolean => seesPeople || !actor.includes("****");

export const actionsOf = (value: unknown): AuditAction[] => {
  const named = idsOf(value);
  return auditActions.filter((action) => named.includes(action));
};

/** Another filter or range begins at its newest page. */
export const withoutPage = (search: AuditSearch): AuditSearch => ({ ...search, after: undefined });

export const isAuditFiltered = ({ actor, action, subject, range, since }: AuditSearch): boolean =>
  [actor, action, subject, range, since].some((value) => value !== undefined);

/** Null: all entries. */
export function filterOf(search: AuditSearch, span: TimeSpan | null): AuditFilter | null {
  if (!isAuditFiltered(search)) return null;
  const { actor, action, subject } = search;
  return {
    ...(actor !== undefined && { actors: [actor] }),
    ...(action !== undefined && { actions: actionsOf(action) }),
    ...(subject !== undefined && { subjectId: subject }),
    ...(span && { since: span.since }),
    ...(span?.until && { until: span.until }),
  };
}
