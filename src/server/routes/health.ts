// /livez and /readyz: whether the process answers, and whether it takes work. No credentials are needed.
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendText } from "../httpResponse.ts";

type HealthRoute = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

export interface HealthDeps {
  isReady: () => Promise<boolean>;
  /** Said with what is ready: some of the log can never be told again. */
  isDamaged: () => boolean;
  isDraining: () => boolean;
}

const DEGRADED = "ready, degraded: entries of the log are damaged\n";

export function createHealthRoutes({
  isReady,
  isDamaged,
  isDraining,
}: HealthDeps): [path: string, route: HealthRoute][] {
  /** Shared by all who ask meanwhile: whoever asks without end must not keep the database busy. */
  let readiness: Promise<boolean> | null = null;
  const askReadiness = () =>
    (readiness ??= isReady().finally(() => {
      readiness = null;
    }));
  return [
    ["/livez", (_, response) => sendText(response, 200, "alive\n")],
    [
      "/readyz",
      async (_, response) => {
        const ready = !isDraining() && (await askReadiness());
        sendText(response, ready ? 200 : 503, ready ? (isDamaged() ? DEGRADED : "ready\n") : "not ready\n");
      },
    ],
  ];
}
