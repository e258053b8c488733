// What metrics tell of alerts.

export interface AlertObserver {
  /** Calls that counted for no rule, because they became known more than an hour after their ends. */
  late(calls: number): void;
}

export const noAlertObserver: AlertObserver = { late: () => undefined };
