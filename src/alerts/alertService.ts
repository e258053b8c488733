// Alerts as people see them, and those who follow them.
import { createBatchedRead, shareRead } from "../events/batchedRead.ts";
import { createAbortable } from "../events/followLog.ts";
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
  /** The rules in use, in the order of the file. */
  rules(): readonly RuleInUse[];
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
  // What was told last may no longer be kept.
  const head = shareRead(async () => Math.max(await store.noticeHead(), await store.purgedThrough()));
  const readBatches = createBatchedRead(async (positions: readonly number[]) => {
    const batches = positions.map(async (position) => [position, await readBatch(position)] as const);
    return new Map(await Promise.all(batches));
  });
  /** Null: some that follow are no longer kept. Empty when the store fails: the follower reads again after a while. */
  async function readBatch(position: number): Promise<AlertNotice[] | null> {
    try {
      const found = await store.noticesAfter(position, BATCH);
      return (await store.purgedThrough()) > position ? null : found;
    } catch (err) {
      log.warn({ err }, "alerts cannot be read; subscribers receive them later");
      return [];
    }
  }
  async function placeOf(after: AlertPlace | null): Promise<number | null> {
    if (after === null) return head();
    if ("alert" in after) return store.placeOf(after.alert);
    return after.place < (await store.purgedThrough()) ? null : after.place;
  }
  async function follow(after: AlertPlace | null): Promise<AsyncIterableIterator<AlertNotice | null> | null> {
    const begin = await placeOf(after);
    if (begin === null) return null;
    const listener = told.listen();
    const { isAborted, unlessAborted, iterate } = createAbortable(listener);
    async function* notices(): AsyncGenerator<AlertNotice | null, void, undefined> {
      let position = begin ?? 0;
      while (!isAborted()) {
        listener.reset();
        const batches = await unlessAborted(readBatches([position]));
        if (!batches) return;
        const batch = batches.get(position);
        if (batch === null) {
          yield null;
          return;
        }
        for (const notice of batch ?? []) {
          position = notice.id;
          yield notice;
        }
        if (!batch?.length) await listener.wait(MAX_WAIT_MS);
      }
    }
    return iterate(notices());
  }
  async function openOf(tasks: readonly AlertedTask[]): Promise<ReadonlyMap<string, Alert[]>> {
    const taskIds = [...new Set(tasks.map(({ taskId }) => taskId))];
    const found = await store.openOf(taskIds, Math.max(...tasks.map(({ first }) => first)));
    return new Map(tasks.map((task) => [nameOfTask(task), (found.get(task.taskId) ?? []).slice(0, task.first)]));
  }
  const { page, byId, acknowledge } = store;
  return { page, byId, acknowledge, openOf, rules, follow, head };
}
