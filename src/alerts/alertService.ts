// Alerts as people see them, and those who follow them.
import { createRowFollower } from "../events/batchedRead.ts";
import type { Logger } from "../logger.ts";
import type { Alert } from "../store/alerts/alertRows.ts";
import type { AlertNotice, AlertStore } from "../store/alerts/alertStore.ts";
import type { Signal } from "../util/signal.ts";
import type { AlertRule } from "./alertFile.ts";

export interface RuleInUse {
  rule: AlertRule;
  /** Why it may never apply, as far as that is known. */
  doubts: readonly string[];
}

export interface AlertService extends Pick<AlertStore, "page" | "byId" | "acknowledge"> {
  /** The newest open alerts about each of these tasks, by nameOfTask. Throws STORE_UNAVAILABLE. */
  openOf(tasks: readonly AlertedTask[]): Promise<ReadonlyMap<string, Alert[]>>;
  /** The rules in use, in the order of the file. Throws STORE_UNAVAILABLE. */
  rules(): Promise<readonly RuleInUse[]>;
  /**
   * Notices of alerts, of any gateway, in order: from now on, or all since an alert was raised, of which some may have been told before it. Ends only by
   * `return()`, at once. Null, also as an item: some that follow are no longer kept. Throws STORE_UNAVAILABLE.
   */
  follow(after: AlertPlace | null): Promise<AsyncIterableIterator<AlertNotice | null> | null>;
  /** The place after which new ones follow. Throws STORE_UNAVAILABLE. */
  head(): Promise<number>;
}

/** After an alert, or after a place that `head` gave. */
export type AlertPlace = { alert: number } | { place: number };

/** `first`: at most so many alerts. */
export interface AlertedTask {
  taskId: string;
  first: number;
}

export const nameOfTask = ({ taskId, first }: AlertedTask): string => `${taskId} ${first}`;

export interface AlertServiceDeps {
  store: AlertStore;
  /** Notified when something may have been told. */
  told: Signal;
  rules: AlertService["rules"];
  log: Logger;
}

const BATCH = 100;
/** A notification of another gateway can be lost. */
const MAX_WAIT_MS = 5000;

export function createAlertService({ store, told, rules, log }: AlertServiceDeps): AlertService {
  const notices = createRowFollower<AlertNotice | null>({
    // What was told last may no longer be kept.
    readHead: async () => Math.max(await store.noticeHead(), await store.purgedThrough()),
    async readAfter(position) {
      const rows = await store.noticesAfter(position, BATCH);
      if ((await store.purgedThrough()) > position) return { rows: [null], through: null };
      return { rows, through: rows.at(-1)?.id ?? position };
    },
    changes: told,
    maxWaitMs: MAX_WAIT_MS,
    log,
    failure: "alerts cannot be read; subscribers receive them later",
  });
  async function placeOf(after: AlertPlace | null): Promise<number | null> {
    if (after === null) return notices.head();
    if ("alert" in after) return store.placeOf(after.alert);
    return after.place < (await store.purgedThrough()) ? null : after.place;
  }
  async function follow(after: AlertPlace | null): Promise<AsyncIterableIterator<AlertNotice | null> | null> {
    const begin = await placeOf(after);
    return begin === null ? null : notices.follow(begin);
  }
  async function openOf(tasks: readonly AlertedTask[]): Promise<ReadonlyMap<string, Alert[]>> {
    const taskIds = [...new Set(tasks.map(({ taskId }) => taskId))];
    const found = await store.openOf(taskIds, Math.max(...tasks.map(({ first }) => first)));
    return new Map(tasks.map((task) => [nameOfTask(task), (found.get(task.taskId) ?? []).slice(0, task.first)]));
  }
  const { page, byId, acknowledge } = store;
  return { page, byId, acknowledge, openOf, rules, follow, head: notices.head };
}
