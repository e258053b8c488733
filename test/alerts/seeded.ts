// Alerts in a database, without rules and calls.
import { instantOf } from "../../src/format/instant.ts";
import type { AlertChange } from "../../src/store/alerts/alertWrites.ts";
import type { Store } from "../../src/store/store.ts";
import { NOW } from "../events/callEnded.ts";

export interface Seeded {
  rule: string;
  subject: string;
  /** False: nobody is told of it. */
  isTold?: boolean;
  resolvedAt?: string;
}

/** Raises alerts in this order. Their subjects are `task 7`, `assistant 1`, `all` or `key tasksPerHour NAME`. */
export async function seedAlerts({ alerts }: Pick<Store, "alerts">, ...all: readonly Seeded[]): Promise<void> {
  const changes = all.flatMap(({ rule, subject, isTold = true, resolvedAt }): AlertChange[] => {
    const [of, id = null] = subject.split(" ");
    const key = { rule, subject, raisedAt: instantOf(NOW) };
    const about = { taskId: of === "task" ? id : null, assistantId: of === "assistant" ? id : null };
    const alert = { ...key, ...about, kind: "answerRate", value: 0, threshold: 0.5, calls: 4, detail: "{}" };
    const resolved = { kind: "resolved", ...key, resolvedAt: resolvedAt ?? "", ending: "RECOVERED", isTold } as const;
    return [
      { kind: "raised", alert },
      ...(isTold ? [{ kind: "told", ...key } as const] : []),
      ...(resolvedAt === undefined ? [] : [resolved]),
    ];
  });
  await alerts.settle("seed", () => ({ states: [], changes }), [{ rule: "seed", subject: "all" }]);
}

/** Tells an alert of which nobody was told. */
export async function tellAlert({ alerts }: Pick<Store, "alerts">, key: { rule: string; subject: string }) {
  const changes: AlertChange[] = [{ kind: "told", ...key, raisedAt: instantOf(NOW) }];
  await alerts.settle("seed", () => ({ states: [], changes }), [{ rule: "seed", subject: "all" }]);
}
