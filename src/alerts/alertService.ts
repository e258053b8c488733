// Alerts as people see them, and those who follow them.
import { createBatchedRead, shareRead } from "../events/batchedRead.ts";
import { createAbortable } from "../events/followLog.ts";
import type { Logger } from "../logger.ts";
import type { AlertNotice, AlertStore } from "../store/alerts/alertStore.ts";
import type { Signal } from "../util/signal.ts";
import type { AlertRule } from "./alertFile.ts";

export interface RuleInUse {
  rule: AlertRule;
  /** Why it may never apply, as far as that is known. */
  doubts: readonly string[];
}

export interface AlertService extends Pick<AlertStore, "page" | "byId" | "acknowledge"> {
  /** The rules in use, in the order of the file. */
  rules(): readonly RuleInUse[];
  /** Notices of alerts from now on, of any gateway, in order. Ends only by `return()`, at once. */
  follow(): AsyncIterableIterator<AlertNotice>;
}

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
  const readHead = shareRead(store.noticeHead);
  const readBatches = createBatchedRead(async (positions: readonly number[]) => {
    const batches = positions.map(async (position) => [position, await readBatch(position)] as const);
    return new Map(await Promise.all(batches));
  });
  /** Empty when the store fails: the follower reads again after a while. */
  async function readBatch(position: number): Promise<AlertNotice[]> {
    try {
      return await store.noticesAfter(position, BATCH);
    } catch (err) {
      log.warn({ err }, "alerts cannot be read; subscribers receive them later");
      return [];
    }
  }
  function follow(): AsyncIterableIterator<AlertNotice> {
    const listener = told.listen();
    const { isAborted, unlessAborted, iterate } = createAbortable(listener);
    const begun = readHead();
    begun.catch(() => undefined);
    async function* notices(): AsyncGenerator<AlertNotice, void, undefined> {
      let position = await unlessAborted(begun);
      while (position !== null && !isAborted()) {
        listener.reset();
        const batches = await unlessAborted(readBatches([position]));
        if (!batches) return;
        const batch = batches.get(position) ?? [];
        for (const notice of batch) {
          position = notice.id;
          yield notice;
        }
        if (batch.length === 0) await listener.wait(MAX_WAIT_MS);
      }
    }
    return iterate(notices());
  }
  return { page: store.page, byId: store.byId, acknowledge: store.acknowledge, rules, follow };
}
