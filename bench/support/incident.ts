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
  /** The alert that must fire. Others may, too. */
  alert: string;
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
