// An incident of docs/runbook.md, which the benchmark `incidents` causes at a real gateway.
import type { GatewayAddress } from "../../test/support/gateway.ts";
import type { Prometheus } from "../../test/support/measuring/prometheus.ts";
import type { TestSandbox } from "../../test/support/sandbox.ts";

export interface World {
  gateway: GatewayAddress;
  sandbox: TestSandbox;
  prometheus: Prometheus;
  authorization: { authorization: string };
}

export interface Incident {
  title: string;
  /** The alerts that must fire. Others may, too. */
  alerts: readonly string[];
  /** Causes the incident until the signal is aborted. Resolves when it has ended. */
  cause(world: World, signal: AbortSignal): Promise<void>;
}

/** Repeats `work`, with pauses, until the signal is aborted. */
export async function repeat(signal: AbortSignal, pauseMs: number, work: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Does `work` while the service has the fault (docs/sandbox.md). */
export async function failing({ sandbox }: World, fault: object, work: () => Promise<unknown>): Promise<void> {
  await sandbox.control("POST", "faults", fault);
  await work();
  await sandbox.control("DELETE", "faults");
}
